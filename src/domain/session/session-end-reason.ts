import type { Services, Viewer } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import { authenticate } from './authenticate.ts';

/** Why a session of this user has ended: GLOBALLY_BANNED for who was banned or deleted, else UNAUTHORIZED. */
export async function sessionEndReason(
  { store }: Pick<Services, 'store'>,
  { networkId, userId }: { networkId: string; userId: string },
): Promise<OperationError> {
  const user = await store.batchers.users.load(networkId, userId);
  return new OperationError(user?.isGlobalBan || user?.isDeleted ? 'GLOBALLY_BANNED' : 'UNAUTHORIZED');
}

/**
 * As {@link authenticate}, and tells who must not come back from who may sign in again. Only whoever holds a token that
 * we signed and that has not expired hears it.
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
