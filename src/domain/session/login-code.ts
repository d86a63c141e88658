import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import type { SessionRecord } from '../../store/records/user.ts';
import { text, validate } from '../input.ts';
import { hashKey } from '../network/keys/network-keys.ts';
import { findUserInTransaction } from '../user/lookup/find-user-in-transaction.ts';
import { accessExpiryOf, type CreatedSession, issueToken } from './insert-session.ts';

export const exchangeLoginCodeInput = z.object({
  code: text({ max: 200 }).describe('`login_code` of the address to which a sign-in at a provider returned.'),
});

/** A code for the tokens of a session. Only the hash of its secret is stored, in the session. */
export function newLoginCode(): { secret: string; hash: string } {
  const secret = randomBytes(32).toString('base64url');
  return { secret, hash: hashKey(secret) };
}

/** The code names its session, so that it is found by the key of its collection. */
export function loginCodeOf({ networkId, sessionId }: SessionRecord, secret: string): string {
  return `${networkId}.${sessionId}.${secret}`;
}

/**
 * The tokens of the session that a code names, which is used up: of several concurrent calls one succeeds.
 * @throws {OperationError} UNAUTHORIZED for a code that does not exist, was used or has expired, and after a ban;
 *   INVALID_PARAMETERS
 */
export async function exchangeLoginCode(
  context: Context,
  input: z.input<typeof exchangeLoginCodeInput>,
): Promise<CreatedSession> {
  const { code } = validate(exchangeLoginCodeInput, input);
  const [networkId = '', sessionId = '', secret = ''] = code.split('.');
  const hash = hashKey(secret);
  const { sessions } = context.store.collections;
  const exchanged = await context.transaction(async (transaction) => {
    const now = context.now();
    const stored = await sessions.findOneAndUpdate(
      { networkId, sessionId, 'loginCode.hash': hash, revokedAt: null },
      { $unset: { loginCode: '' } },
      { session: transaction, returnDocument: 'before' },
    );
    if (!stored?.loginCode || stored.expiresAt <= now) return null;
    const user = await findUserInTransaction(context, transaction, stored);
    if (!user) return null;
    const { expiresAt } = stored.loginCode;
    const changes = {
      expiresAt,
      updatedAt: now,
      ...(stored.accessExpiresAt && { accessExpiresAt: accessExpiryOf(context, expiresAt), refreshedAt: now }),
    };
    await sessions.updateOne({ networkId, sessionId }, { $set: changes }, { session: transaction });
    return { session: { ...stored, ...changes }, user };
  });
  if (!exchanged) {
    throw new OperationError('UNAUTHORIZED', { message: 'This code was used, has expired, or does not exist.' });
  }
  return issueToken(context, exchanged.session, exchanged.user);
}
