import { z } from 'zod';
import { canChangeNetworkSettings } from '../../access/network.ts';
import { type Context, viewerOf } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import { text, validate } from '../input.ts';
import { currentRules } from './require-allowed-text.ts';

/** As long as the longest post. */
const MAX_TEXT = 20_000;

const checkInput = z.object({ text: text({ min: 0, max: MAX_TEXT }) });

/** A rule that excludes a text. */
export interface MatchedRule {
  rule: 'blockedWord' | 'linkNotAllowed';
  /** The blocked word or phrase, as the list spells it; or the host of a link. */
  value: string;
}

/**
 * Every rule of the network that excludes a text: blocked words in the order of the list's first matches, then links.
 * @throws {OperationError} PERMISSION_DENIED for users who do not manage the rules; INVALID_PARAMETERS for a text of more
 *   than 20,000 characters
 */
export async function checkText(context: Context, input: z.input<typeof checkInput>): Promise<MatchedRule[]> {
  const given = validate(checkInput, input);
  if (!canChangeNetworkSettings(viewerOf(context))) throw new OperationError('PERMISSION_DENIED');
  const rules = await currentRules(context);
  if (!rules) return [];
  const words = await rules.blockedWordsIn(given.text);
  return [
    ...words.map((value): MatchedRule => ({ rule: 'blockedWord', value })),
    ...rules.refusedHostsIn(given.text).map((value): MatchedRule => ({ rule: 'linkNotAllowed', value })),
  ];
}
