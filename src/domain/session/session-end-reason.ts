import type { Services, Viewer } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import { withoutEndedBan } from '../../store/ended-bans.ts';
import { globallyBanned } from '../ban/globally-banned.ts';
import { authenticate } from './authenticate.ts';

/** Why a session ended: GLOBALLY_BANNED for a banned or deleted user, else UNAUTHORIZED. */
export async function sessionEndReason(
  { store, now }: Pick<Services, 'store' | 'now'>,
  { networkId, userId }: { networkId: string; userId: string },
): Promise<OperationError> {
  const stored = await store.batchers.users.load(networkId, userId);
  const user = stored && withoutEndedBan(stored, (time) => time <= now());
  if (user?.isGlobalBan) return globallyBanned(user);
  return new OperationError(user?.isDeleted ? 'GLOBALLY_BANNED' : 'UNAUTHORIZED');
}

/**
 * As {@link authenticate}, but throws GLOBALLY_BANNED for a once valid token of a banned or deleted user.
 *
 * @throws {OperationError} UNAUTHORIZED, GLOBALLY_BANNED
 */
export async function authenticateWithReason(services: Services, token: string | null): Promise<Viewer | null> {
  try {
    return await authenticate(services, token);
  } catch (error) {
    const claims = error instanceof OperationError && token !== null ? await services.tokens.verify(token) : null;
    throw claims?.kind === 'access' ? await sessionEndReason(services, claims) : error;
  }
}
