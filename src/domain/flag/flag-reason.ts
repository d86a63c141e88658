import { z } from 'zod';
import { text, validate } from '../input.ts';

/** Reasons of a flag, as published clients offer them, see `docs/interface.md#flag-reasons`. */
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

/** Maximum length of the detail of a flag. */
export const MAX_FLAG_DETAIL = 300;

/** Input of every operation that flags a record, besides the record's id. */
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
export function flagReason(given: FlagReasonInput): { reason: FlagReason; detail: string } {
  const { reason, detail } = validate(input, { reason: given.reason, detail: given.detail });
  return { reason: reason ?? 'Others', detail: detail ?? '' };
}
