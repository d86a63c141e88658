import { ERRORS, OperationError } from '../../errors.ts';
import type { UserRecord } from '../../store/records/user.ts';

/** The error for a user who is banned from the network, with the end of the ban but not its reason. */
export function globallyBanned({ ban }: Pick<UserRecord, 'ban'>): OperationError {
  if (!ban?.expiresAt) return new OperationError('GLOBALLY_BANNED');
  const until = ban.expiresAt.toISOString();
  const message = `${ERRORS.GLOBALLY_BANNED.message.slice(0, -1)} until ${until}.`;
  return new OperationError('GLOBALLY_BANNED', { message, expiresAt: ban.expiresAt });
}
