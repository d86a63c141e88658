import type { FastifyRequest } from 'fastify';
import type { Services, TokenClaims, Viewer } from '../../src/context.ts';
import { OperationError } from '../../src/errors.ts';
import { only } from './projection.ts';

const SESSION = only(
  ...['networkId', 'userType', 'userId', 'userInternalId', 'sessionId', 'roles', 'permissions', 'hasBlocks'],
  ...['expiresAt', 'revokedAt'],
);

/** The verified claims of the token. They name the viewer, so that other reads need not wait for the session. */
export async function claimsOf({ tokens }: Services, request: FastifyRequest): Promise<TokenClaims> {
  const claims = await tokens.verify(request.headers.authorization?.slice('Bearer '.length) ?? '');
  if (claims?.kind !== 'access') throw new OperationError('UNAUTHORIZED');
  return claims;
}

/** The gateway's session check: one read of the session. */
export async function readViewer({ store }: Services, claims: TokenClaims): Promise<Viewer> {
  const { networkId, id: sessionId, userId } = claims;
  const session = await store.collections.sessions.findOne({ networkId, sessionId }, SESSION);
  if (!session || session.revokedAt || session.userId !== userId || session.expiresAt <= new Date()) {
    throw new OperationError('UNAUTHORIZED');
  }
  return {
    ...session,
    userType: session.userType ?? 'signed-in',
    sessionInternalId: session._id.toHexString(),
    permissions: new Set(session.permissions),
    hasBlocks: session.hasBlocks ?? false,
  };
}
