import { OperationError } from '../../errors.ts';

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

export interface FlagReasonInput {
  reason?: FlagReason | null | undefined;
  detail?: string | null | undefined;
}

/**
 * What a flag says, with what it leaves out filled in: no reason is `Others`, no detail is empty.
 * @throws {OperationError} INVALID_PARAMETERS for a detail longer than {@link MAX_FLAG_DETAIL}
 */
export function flagReason({ reason, detail }: FlagReasonInput): { reason: FlagReason; detail: string } {
  if (detail && detail.length > MAX_FLAG_DETAIL) {
    throw new OperationError('INVALID_PARAMETERS', {
      detail: [`detail: at most ${MAX_FLAG_DETAIL} characters`],
      path: ['detail'],
    });
  }
  return { reason: reason ?? 'Others', detail: detail ?? '' };
}
