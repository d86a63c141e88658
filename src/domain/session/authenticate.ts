import type { Services, TokenClaims, Viewer } from '../../context.ts';
import { OperationError } from '../../errors.ts';

/**
 * The viewer of an access token: checks its signature, expiry and session, which logout, ban and deletion revoke.
 *
 * @returns null when no token was given
 * @throws {OperationError} UNAUTHORIZED for an invalid, expired or revoked token
 */
export async function authenticate(services: Services, token: string | null): Promise<Viewer | null> {
  if (token === null) return null;
  return viewerOfToken(services, await services.tokens.verify(token));
}

/**
 * As {@link authenticate}, for an operation on a connection that a token opened. The connection continues while its session
 * has a valid access token (docs/guides/browser-sessions.md#open-connections), so the token itself may have expired.
 */
export async function authenticateConnected(services: Services, token: string | null): Promise<Viewer | null> {
  if (token === null) return null;
  const viewer = await viewerOfToken(services, await services.tokens.verifySignature(token));
  if (viewer.expiresAt <= services.now()) throw new OperationError('UNAUTHORIZED');
  return viewer;
}

/** @throws {OperationError} UNAUTHORIZED for claims of no access token, and for those of a session that has ended */
async function viewerOfToken(services: Services, claims: TokenClaims | null): Promise<Viewer> {
  if (claims?.kind !== 'access') throw new OperationError('UNAUTHORIZED');
  const viewer = await viewerOfSession(services, claims.networkId, claims.id);
  if (viewer?.userId !== claims.userId) throw new OperationError('UNAUTHORIZED');
  return viewer;
}

/** The viewer of a session with their current roles; null for a session that has ended. */
export async function viewerOfSession(
  { store, now }: Pick<Services, 'store' | 'now'>,
  networkId: string,
  sessionId: string,
): Promise<Viewer | null> {
  const session = await store.batchers.sessions.load(networkId, sessionId);
  if (!session || session.revokedAt || session.expiresAt <= now()) return null;
  return {
    networkId: session.networkId,
    userType: session.userType ?? 'signed-in',
    userId: session.userId,
    userInternalId: session.userInternalId,
    sessionId: session.sessionId,
    sessionInternalId: session._id.toHexString(),
    roles: session.roles,
    permissions: new Set(session.permissions),
    hasBlocks: session.hasBlocks ?? false,
    expiresAt: session.accessExpiresAt ?? session.expiresAt,
  };
}
