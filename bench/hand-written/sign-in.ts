import type { FastifyRequest } from 'fastify';
import type { Services, Viewer } from '../../src/context.ts';
import { OperationError } from '../../src/errors.ts';

/** The gateway's session check: one read of the session. */
export async function signIn({ tokens, store }: Services, request: FastifyRequest): Promise<Viewer> {
  const claims = await tokens.verify(request.headers.authorization?.slice('Bearer '.length) ?? '');
  if (claims?.kind !== 'access') throw new OperationError('UNAUTHORIZED');
  const session = await store.collections.sessions.findOne({ networkId: claims.networkId, sessionId: claims.id });
  if (!session || session.revokedAt || session.userId !== claims.userId || session.expiresAt <= new Date()) {
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
