import { ObjectId } from 'mongodb';
import { z } from 'zod';
import { canChangeNetworkSettings } from '../../access/network.ts';
import { type Context, viewerOf } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import type { ContentRulesRecord } from '../../store/records/user.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { omitUndefined, text, validate } from '../input.ts';
import { lockFor } from '../lock-for.ts';
import { requireNetworkRight } from '../user/roles/require-network-right.ts';
import { wordsOf } from './text-rules.ts';

const MAX_WORDS = 1_000;
const MAX_DOMAINS = 500;

/** Only words are compared: an entry without one would never match. */
const hasWord = (entry: string) => wordsOf(entry).next().done === false;
const distinct = (values: string[]) => [...new Set(values)];

export const contentRulesInput = z.object({
  blockedWords: z
    .array(text({ max: 100 }).refine(hasWord, 'must contain a letter or digit'))
    .max(MAX_WORDS, `at most ${MAX_WORDS}`)
    .transform(distinct)
    .optional()
    .describe('Words and phrases that posts, polls, comments and messages cannot contain; replaces the list.'),
  allowedLinkDomains: z
    .array(text({ max: 253 }).regex(/^[\p{L}\p{N}.-]+$/u, 'must be a domain, such as example.com'))
    .max(MAX_DOMAINS, `at most ${MAX_DOMAINS}`)
    .transform(distinct)
    .nullish()
    .describe(
      'Domains to which posts, polls, comments and messages can link, with their subdomains; replaces the list. null allows all links.',
    ),
});

export type ContentRules = Pick<ContentRulesRecord, 'blockedWords' | 'allowedLinkDomains'>;

const NO_RULES: ContentRules = { blockedWords: [], allowedLinkDomains: null };

/** The rules of the network. @throws {OperationError} PERMISSION_DENIED for users who do not manage them */
export async function getContentRules(context: Context): Promise<ContentRules> {
  const viewer = viewerOf(context);
  if (!canChangeNetworkSettings(viewer)) throw new OperationError('PERMISSION_DENIED');
  const { networkId } = viewer;
  return (await context.store.collections.contentRules.findOne({ networkId })) ?? NO_RULES;
}

/**
 * Replaces the lists of blocked words and allowed links. Every process applies them within two seconds, to content that
 * is written from then on.
 * @throws {OperationError} PERMISSION_DENIED
 */
export async function updateContentRules(
  context: Context,
  input: z.input<typeof contentRulesInput>,
): Promise<ContentRules> {
  const viewer = viewerOf(context);
  const { blockedWords, allowedLinkDomains } = validate(contentRulesInput, input);
  if (!canChangeNetworkSettings(viewer)) throw new OperationError('PERMISSION_DENIED');
  const { networkId } = viewer;
  const now = context.now();
  const changes = {
    ...(blockedWords !== undefined && { blockedWords }),
    ...(allowedLinkDomains !== undefined && { allowedLinkDomains: toAscii(allowedLinkDomains) }),
  };
  const kept = Object.fromEntries(Object.entries(NO_RULES).filter(([name]) => !(name in changes)));
  const rules = await context.transaction(
    async (session) => {
      await requireNetworkRight(context, session, canChangeNetworkSettings);
      const changed = await context.store.collections.contentRules.findOneAndUpdate(
        { networkId },
        { $set: { ...changes, updatedAt: now }, $setOnInsert: { _id: new ObjectId(), ...kept, createdAt: now } },
        { session, upsert: true, returnDocument: 'after' },
      );
      const details = { blockedWords: blockedWords?.length, allowedLinkDomains: allowedLinkDomains?.length };
      await recordAudit(context, session, [
        { subjectType: 'network', subjectId: networkId, details: omitUndefined(details) },
      ]);
      return changed;
    },
    lockFor(context, 'record', 'content rules'),
  );
  await context.afterCommit(() => context.store.networkCache.invalidate(networkId));
  return rules ?? NO_RULES;
}

/** Hosts of links are compared in their ASCII form (RFC 5891), in lower case. */
function toAscii(domains: string[] | null): string[] | null {
  if (!domains) return null;
  return domains.map((domain) => (URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : domain));
}
