import type { ClientSession } from 'mongodb';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import { appendEvents } from '../../events/append-events.ts';
import { withoutEndedBan } from '../../store/ended-bans.ts';
import type { NetworkRecord, SessionRecord, UserRecord } from '../../store/records/user.ts';
import { VISITOR_ID } from '../../store/visitor-record.ts';
import { globallyBanned } from '../ban/globally-banned.ts';
import { text, validate } from '../input.ts';
import { networkOfApiKey } from '../network/find-network.ts';
import { findOrCreateUser } from '../user/find-or-create-user.ts';
import { userEvent } from '../user/user-events.ts';
import { type CreatedSession, insertSession, issueToken } from './insert-session.ts';

/** Documented lifetime of an access token, see `docs/interface.md#authentication`. */
const SESSION_MS = 30 * 86_400_000;
/** Lifetime for users who hold a network-wide role. */
const ADMIN_SESSION_MS = 365 * 86_400_000;

/** How long a new session of a user lasts, in milliseconds. */
export function sessionLifetimeOf({ roles }: Pick<UserRecord, 'roles'>): number {
  return roles.length > 0 ? ADMIN_SESSION_MS : SESSION_MS;
}

export const createSessionInput = z.object({
  userId: text({ max: 50 })
    .refine((userId) => !VISITOR_ID.test(userId), 'must not be the id of a visitor')
    .describe('Public id of the user. An unknown user is created, unless the network forbids it.'),
  displayName: text({ min: 0, max: 100 }).nullish().describe('Display name of a new user; `userId` by default.'),
  authToken: z
    .string()
    .max(2_000, 'at most 2,000 characters')
    .nullish()
    .describe('Token created by `mintAuthToken`; required in secure mode and for users with a network-wide role.'),
  deviceId: text({ min: 0, max: 150 }).nullish().describe('Id of the device. Sessions of other users on it end.'),
});
export type CreateSessionInput = z.input<typeof createSessionInput>;

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
  return issueToken(context, session, user);
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
  const { isNew } = found;
  const user = withoutEndedBan(found.user, context.hasPassed);
  if (user.isGlobalBan) throw globallyBanned(user);
  if (user.isDeleted) throw new OperationError('UNAUTHORIZED', { message: 'This user is deleted.' });
  if (user.roles.length > 0 && !proven) {
    throw new OperationError('UNAUTHORIZED', { message: 'A user with a network-wide role requires an authToken.' });
  }
  const session = await insertSession(context, transaction, {
    user,
    deviceId: input.deviceId ?? null,
    lifetime: sessionLifetimeOf(user),
  });
  if (isNew) await appendEvents(context, transaction, [userEvent('user.created', user)]);
  return { user, session };
}
