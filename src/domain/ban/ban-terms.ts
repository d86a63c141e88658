import { z } from 'zod';
import { type Context, viewerOf } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import type { BanTerms } from '../../store/records/ban.ts';
import type { Act } from '../audit/record-audit.ts';
import { text } from '../input.ts';

const MAX_REASON = 1_000;
const YEAR_MS = 365 * 86_400_000;
const MAX_YEARS = 10;

/** Input fields of mutations that ban. */
export const banFields = {
  reason: text({ min: 0, max: MAX_REASON }).nullish().describe('Why, for moderators. The banned user does not see it.'),
  expiresAt: z
    .date()
    .nullish()
    .describe(
      `When the ban ends by itself, in the future and at most ${MAX_YEARS} years from now. Null: never. Default.`,
    ),
};

interface GivenTerms {
  reason?: string | null | undefined;
  expiresAt?: Date | null | undefined;
}

/**
 * The terms of a ban by the viewer.
 * @throws {OperationError} INVALID_PARAMETERS for an end that is not in the future, or too far
 */
export function banTerms(context: Context, { reason, expiresAt }: GivenTerms): BanTerms {
  const bannedAt = context.now();
  if (expiresAt != null) {
    const inMs = expiresAt.getTime() - bannedAt.getTime();
    const fault =
      inMs <= 0 ? 'must be in the future' : inMs > MAX_YEARS * YEAR_MS ? `at most ${MAX_YEARS} years` : null;
    if (fault) throw new OperationError('INVALID_PARAMETERS', { detail: [`expiresAt: ${fault}`], path: ['expiresAt'] });
  }
  return { reason: reason || null, expiresAt: expiresAt ?? null, bannedBy: viewerOf(context).userId, bannedAt };
}

/** Whether a ban of a banned user changes its terms: a ban without terms leaves them. */
export function changesTerms({ reason, expiresAt }: GivenTerms): boolean {
  return reason != null || expiresAt !== undefined;
}

/** What the audit log records of a ban. */
export function banAct(ban: BanTerms | undefined): Pick<Act, 'reason' | 'details'> {
  if (!ban) return {};
  return { reason: ban.reason, ...(ban.expiresAt && { details: { expiresAt: ban.expiresAt.toISOString() } }) };
}
