import type { ClientSession } from 'mongodb';
import { z } from 'zod';
import type { Context, TokenClaims } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import type { SessionRecord, UserRecord } from '../../store/records/user.ts';
import { visitorRecord } from '../../store/visitor-record.ts';
import { text, validate } from '../input.ts';
import { findUserInTransaction } from '../user/lookup/find-user-in-transaction.ts';
import { accessExpiryOf, type CreatedSession, issueToken } from './insert-session.ts';

/**
 * How long the token before the current one is answered with the current one. Tabs that refresh concurrently, and clients
 * that did not receive an answer, get the same tokens.
 */
const GRACE_MS = 30_000;

export const refreshSessionInput = z.object({
  refreshToken: text({ max: 2_000 }).describe('`refreshToken` of the session, as it was returned last.'),
});

interface Refreshed {
  session: SessionRecord;
  user: UserRecord;
}

/**
 * Replaces the tokens of a session. The session itself does not become longer. A token that was replaced more than 30 s ago
 * was copied: its session ends, and so do the tokens of the thief and of the owner.
 *
 * @throws {OperationError} UNAUTHORIZED for a token that is invalid, expired or reused, or whose session has ended;
 *   INVALID_PARAMETERS
 */
export async function refreshSession(
  context: Context,
  given: z.input<typeof refreshSessionInput>,
): Promise<CreatedSession> {
  const { refreshToken } = validate(refreshSessionInput, given);
  const claims = context.config.ACCESS_TOKEN_MINUTES > 0 ? await context.tokens.verify(refreshToken) : null;
  if (claims?.kind !== 'refresh') throw refused();
  // Ending the session must be committed, so a reused token throws only after the transaction.
  const refreshed = await context.transaction((transaction) => rotate(context, transaction, claims), {
    key: `session ${claims.networkId} ${claims.id}`,
  });
  if (refreshed === 'reused') {
    const { networkId, userId, id: sessionId } = claims;
    context.warn?.({ networkId, userId, sessionId, address: context.origin.address }, 'a refresh token was reused');
  }
  if (refreshed === null || refreshed === 'reused') throw refused();
  return issueToken(context, refreshed.session, refreshed.user);
}

const refused = () => new OperationError('UNAUTHORIZED', { message: 'The refreshToken is not valid. Sign in again.' });

/** @returns null for a session that has ended */
async function rotate(
  context: Context,
  transaction: ClientSession,
  { networkId, id: sessionId, generation = 0 }: TokenClaims,
): Promise<Refreshed | 'reused' | null> {
  const { sessions, pushDevices } = context.store.collections;
  const stored = await sessions.findOne({ networkId, sessionId }, { session: transaction });
  const now = context.now();
  const isOpen = stored && stored.revokedAt === null && stored.expiresAt > now;
  if (!isOpen || stored.refreshGeneration === undefined || generation > stored.refreshGeneration) return null;
  const user = await userOf(context, transaction, stored);
  if (!user) return null;
  const isPrevious = generation === stored.refreshGeneration - 1;
  const age = now.getTime() - (stored.refreshedAt ?? stored.createdAt).getTime();
  if (isPrevious && age <= GRACE_MS) return { session: stored, user };
  const isCurrent = generation === stored.refreshGeneration;
  const changes: Partial<SessionRecord> = isCurrent
    ? {
        refreshGeneration: generation + 1,
        refreshedAt: now,
        accessExpiresAt: accessExpiryOf(context, stored.expiresAt),
        updatedAt: now,
      }
    : { revokedAt: now, updatedAt: now };
  await sessions.updateOne({ networkId, sessionId }, { $set: changes }, { session: transaction });
  if (isCurrent) return { session: { ...stored, ...changes }, user };
  const { deviceId, userId } = stored;
  if (deviceId) await pushDevices.deleteOne({ networkId, deviceId, userId }, { session: transaction });
  return 'reused';
}

async function userOf(
  context: Context,
  transaction: ClientSession,
  { networkId, userType = 'signed-in', userId, userInternalId, expiresAt }: SessionRecord,
): Promise<UserRecord | null> {
  if (userType !== 'signed-in') return visitorRecord({ networkId, userType, userId, userInternalId, expiresAt });
  return findUserInTransaction(context, transaction, { networkId, userId });
}
