import { z } from 'zod';
import { text, validate } from '../input.ts';

/** Why something is flagged, as published clients offer it (legacy-facts §6.2). */
export const FLAG_REASONS = [
  'Against community guidelines',
  'Harassment or bullying',
  'Self-harm or suicide',
  'Violence or threatening content',
  'Selling and promoting restricted items',
  'Sexual content or nudity',
  'Spam or scams',
  'False information or misinformation',
  'Others',
] as const;

export type FlagReason = (typeof FLAG_REASONS)[number];

/** The longest text that goes with a flag (legacy-facts §6.2). */
export const MAX_FLAG_DETAIL = 300;

/** What every operation that flags a record accepts besides the id of the record. */
export const flagFields = {
  reason: z.enum(FLAG_REASONS).nullish().describe('Reason; others by default.'),
  detail: text({ min: 0, max: MAX_FLAG_DETAIL }).nullish().describe('Explanation.'),
};
const input = z.object(flagFields);
export type FlagReasonInput = z.input<typeof input>;

/**
 * The reason of a flag with its defaults: `Others` and an empty detail.
 * @throws {OperationError} INVALID_PARAMETERS for a detail longer than {@link MAX_FLAG_DETAIL}
 */
export function flagReason(said: FlagReasonInput): { reason: FlagReason; detail: string } {
  const { reason, detail } = validate(input, { reason: said.reason, detail: said.detail });
  return { reason: reason ?? 'Others', detail: detail ?? '' };
}
