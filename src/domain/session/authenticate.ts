import type { Services, Viewer } from '../../context.ts';
import { OperationError } from '../../errors.ts';

/**
 * Finds who an access token speaks for: its signature and life, then its session, which logout, ban and deletion end.
 *
 * @returns null when no token was given
 * @throws {OperationError} UNAUTHORIZED for a token that is wrong, expired or revoked
 */
export async function authenticate(services: Services, token: string | null): Promise<Viewer | null> {
  if (token === null) return null;
  const claims = await services.tokens.verify(token);
  if (claims?.kind !== 'access') throw new OperationError('UNAUTHORIZED');
  const session = await services.store.batchers.sessions.load(claims.networkId, claims.id);
  if (!session || session.revokedAt || session.userId !== claims.userId || session.expiresAt <= services.now()) {
    throw new OperationError('UNAUTHORIZED');
  }
  return {
    networkId: session.networkId,
    userId: session.userId,
    userInternalId: session.userInternalId,
    sessionId: session.sessionId,
    roles: session.roles,
    permissions: new Set(session.permissions),
    hasBlocks: session.hasBlocks ?? false,
    expiresAt: session.expiresAt,
  };
}
