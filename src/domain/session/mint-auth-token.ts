import { randomUUID } from 'node:crypto';
import type { Context } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import { networkOfServerKey } from '../network/find-network.ts';

const AUTH_TOKEN_MINUTES = 10;

/**
 * A short-lived token with which the application's server lets `userId` sign in.
 * @throws {OperationError} UNAUTHORIZED without the network's server key, INVALID_PARAMETERS for an invalid user id
 */
export async function mintAuthToken(context: Context, { userId }: { userId: string }): Promise<string> {
  const network = await networkOfServerKey(context);
  if (userId.length < 1 || userId.length > 50 || !userId.isWellFormed()) {
    throw new OperationError('INVALID_PARAMETERS', { detail: ['userId: 1 to 50 characters'], path: ['userId'] });
  }
  const issuedAt = context.now();
  return context.tokens.sign({
    kind: 'auth',
    networkId: network.networkId,
    userId,
    id: randomUUID(),
    issuedAt,
    expiresAt: new Date(issuedAt.getTime() + AUTH_TOKEN_MINUTES * 60_000),
  });
}
