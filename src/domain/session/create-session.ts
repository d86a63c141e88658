import { randomUUID } from 'node:crypto';
import { type ClientSession, ObjectId } from 'mongodb';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import { appendEvents } from '../../events/append-events.ts';
import type { NetworkRecord, SessionRecord, UserRecord } from '../../store/records/user.ts';
import { text, validate } from '../input.ts';
import { networkOfApiKey } from '../network/find-network.ts';
import { findOrCreateUser } from '../user/find-or-create-user.ts';
import { userEvent } from '../user/user-events.ts';

/** Documented lifetime of an access token, see `docs/interface.md#authentication`. */
const SESSION_DAYS = 30;
/** Lifetime for users who hold a network-wide role. */
const ADMIN_SESSION_DAYS = 365;
const DAY_MS = 86_400_000;

export const createSessionInput = z.object({
  userId: text({ max: 50 }).describe(
    'Public id of the user. An unknown user is created, unless the network forbids it.',
  ),
  displayName: text({ min: 0, max: 100 }).nullish().describe('Display name of a new user; `userId` by default.'),
  authToken: z
    .string()
    .max(2_000, 'at most 2,000 characters')
    .nullish()
    .describe('Token created by `mintAuthToken`; required in secure mode and for users with a network-wide role.'),
  deviceId: text({ min: 0, max: 150 }).nullish().describe('Id of the device. Sessions of other users on it end.'),
});
export type CreateSessionInput = z.input<typeof createSessionInput>;

export interface CreatedSession {
  accessToken: string;
  refreshToken: string;
  issuedAt: Date;
  expiresAt: Date;
  user: UserRecord;
}

/**
 * Signs a user in: finds or creates the user and creates a revocable session. A device belongs to one user: sessions of
 * other users on the device end.
 *
 * @throws {OperationError} UNAUTHORIZED for a wrong API key or auth token; NOT_FOUND for an unknown user if the network
 *   does not create users at sign-in; GLOBALLY_BANNED; INVALID_PARAMETERS
 */
export async function createSession(context: Context, given: CreateSessionInput): Promise<CreatedSession> {
  const input = validate(createSessionInput, given);
  const network = await networkOfApiKey(context);
  const proven = await checkAuthToken(context, network, input);
  const { user, session } = await context.transaction(
    (transaction) => signIn(context, transaction, { network, input, proven }),
    {
      key: `user ${network.networkId} ${input.userId}`,
    },
  );
  const { networkId, userId, userInternalId, sessionId: id, createdAt: issuedAt, expiresAt } = session;
  const claims = { networkId, userId, userInternalId, id, issuedAt, expiresAt };
  const accessToken = await context.tokens.sign({ kind: 'access', ...claims });
  return { accessToken, refreshToken: '', issuedAt, expiresAt, user };
}

/** @returns whether the auth token proves that the caller acts for the user */
async function checkAuthToken(context: Context, network: NetworkRecord, input: CreateSessionInput): Promise<boolean> {
  if (!input.authToken) {
    if (network.secureMode) throw new OperationError('UNAUTHORIZED', { message: 'An authToken is required.' });
    return false;
  }
  const claims = await context.tokens.verify(input.authToken);
  if (claims?.kind !== 'auth' || claims.networkId !== network.networkId || claims.userId !== input.userId) {
    throw new OperationError('UNAUTHORIZED', { message: 'The authToken is not valid.' });
  }
  return true;
}

interface SignIn {
  network: NetworkRecord;
  input: CreateSessionInput;
  /** Whether the caller proved to act for the user. */
  proven: boolean;
}

/**
 * Reads the user and creates the session in one transaction. It also writes the user's record, so that it conflicts with
 * a concurrent ban, deletion or promotion, which could otherwise miss the new session.
 */
async function signIn(
  context: Context,
  transaction: ClientSession,
  { network, input, proven }: SignIn,
): Promise<{ user: UserRecord; session: SessionRecord }> {
  const { networkId } = network;
  const { userId } = input;
  const found = await findOrCreateUser(context, transaction, {
    networkId,
    userId,
    displayName: input.displayName || userId,
    createsUnknown: network.createsUnknownUsers,
  });
  if (!found) throw new OperationError('NOT_FOUND', { message: 'User not found.' });
  const { user, isNew } = found;
  if (user.isGlobalBan) throw new OperationError('GLOBALLY_BANNED');
  if (user.isDeleted) throw new OperationError('UNAUTHORIZED', { message: 'This user is deleted.' });
  if (user.roles.length > 0 && !proven) {
    throw new OperationError('UNAUTHORIZED', { message: 'A user with a network-wide role requires an authToken.' });
  }
  const session = await insertSession(context, transaction, user, input.deviceId ?? null);
  if (isNew) await appendEvents(context, transaction, [userEvent('user.created', user)]);
  return { user, session };
}

async function insertSession(
  context: Context,
  transaction: ClientSession,
  user: UserRecord,
  deviceId: string | null,
): Promise<SessionRecord> {
  const now = context.now();
  const days = user.roles.length > 0 ? ADMIN_SESSION_DAYS : SESSION_DAYS;
  const session: SessionRecord = {
    _id: new ObjectId(),
    networkId: user.networkId,
    sessionId: randomUUID(),
    userId: user.userId,
    userInternalId: user._id.toHexString(),
    deviceId,
    roles: user.roles,
    permissions: user.permissions,
    hasBlocks: (user.blockCount ?? 0) > 0,
    createdAt: now,
    updatedAt: now,
    expiresAt: new Date(now.getTime() + days * DAY_MS),
    revokedAt: null,
  };
  const { sessions } = context.store.collections;
  if (deviceId) {
    const others = { networkId: user.networkId, deviceId, userId: { $ne: user.userId }, revokedAt: null };
    await sessions.updateMany(others, { $set: { revokedAt: now, updatedAt: now } }, { session: transaction });
  }
  await sessions.insertOne(session, { session: transaction });
  return session;
}
