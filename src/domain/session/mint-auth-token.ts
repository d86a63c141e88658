import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { validate } from '../input.ts';
import { networkOfServerKey } from '../network/find-network.ts';
import { userIdInput } from '../user/user-id-input.ts';

const AUTH_TOKEN_MINUTES = 10;

/**
 * A short-lived token with which the application's server lets `userId` sign in.
 * @throws {OperationError} UNAUTHORIZED without the network's server key, INVALID_PARAMETERS for an invalid user id
 */
export async function mintAuthToken(context: Context, input: z.input<typeof userIdInput>): Promise<string> {
  const network = await networkOfServerKey(context);
  const { userId } = validate(userIdInput, input);
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
