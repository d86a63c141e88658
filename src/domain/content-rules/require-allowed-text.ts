import { type Context, viewerOf } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import { hostOf, prepareRules, type TextRules } from './text-rules.ts';

/** Prepared once for each version of the rules that the cache holds. */
const prepared = new WeakMap<object, TextRules>();

/** The rules of the viewer's network; null when it has none. */
export async function currentRules(context: Context): Promise<TextRules | null> {
  const rules = await context.store.networkCache.contentRulesOf(viewerOf(context).networkId);
  if (!rules) return null;
  const known = prepared.get(rules) ?? prepareRules(rules);
  prepared.set(rules, known);
  return known;
}

/**
 * Rejects texts that the rules of the network exclude. The rules apply to all users.
 * @param path the input field of the texts
 * @throws {OperationError} BLOCKED_WORD, LINK_NOT_ALLOWED
 */
export async function requireAllowedText(
  context: Context,
  texts: ReadonlyArray<unknown>,
  path: readonly string[] = ['data'],
): Promise<void> {
  const given = texts.filter((text) => typeof text === 'string' && text !== '') as string[];
  if (given.length === 0) return;
  const rules = await currentRules(context);
  if (!rules) return;
  for (const text of given) {
    const word = await rules.blockedWordIn(text);
    if (word !== null) throw new OperationError('BLOCKED_WORD', { message: `The word "${word}" is blocked.`, path });
    const host = rules.refusedHostIn(text);
    if (host !== null) throw linkNotAllowed(host, path);
  }
}

/**
 * Rejects links that the rules of the network exclude, with or without scheme.
 * @throws {OperationError} LINK_NOT_ALLOWED
 */
export async function requireAllowedLinks(
  context: Context,
  links: readonly string[],
  path: readonly string[],
): Promise<void> {
  const rules = links.length > 0 ? await currentRules(context) : null;
  const host = rules && links.map(hostOf).find((candidate) => !rules.allowsHost(candidate));
  if (host != null) throw linkNotAllowed(host, path);
}

function linkNotAllowed(host: string, path: readonly string[]): OperationError {
  return new OperationError('LINK_NOT_ALLOWED', { message: `Links to ${host} are not allowed.`, path });
}
