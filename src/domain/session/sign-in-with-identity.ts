import type { Context } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import { appendEvents } from '../../events/append-events.ts';
import { withoutEndedBan } from '../../store/ended-bans.ts';
import type { SessionRecord, UserRecord } from '../../store/records/user.ts';
import { globallyBanned } from '../ban/globally-banned.ts';
import { validate } from '../input.ts';
import { networkOfId } from '../network/find-network.ts';
import { connectIdentity, derivedUserId, type Identity } from '../user/connect-identity.ts';
import { findOrCreateUser } from '../user/find-or-create-user.ts';
import { userEvent } from '../user/user-events.ts';
import { createSessionInput, sessionLifetimeOf } from './create-session.ts';
import { insertSession } from './insert-session.ts';

export interface IdentitySignIn {
  networkId: string;
  identity: Identity;
  /** Public id of the user: a claim; null derives it from the identity. */
  userId: string | null;
  /** Name of a new user. @default the id */
  displayName: string | null;
  /** Whether an existing user without an identity is connected to this one. */
  linksUsers: boolean;
  /** Hash of the code that is exchanged for the tokens; null if they are issued immediately. */
  codeHash: string | null;
}

/**
 * Signs in the user of a verified identity: finds or creates the user and creates a session. A user who was created in
 * another way, or belongs to another identity, is not signed in.
 *
 * @throws {OperationError} FORBIDDEN for the user of another identity; NOT_FOUND for an unknown user if the network does
 *   not create users at sign-in; GLOBALLY_BANNED; UNAUTHORIZED for a deleted user; INVALID_PARAMETERS for an invalid id
 */
export async function signInWithIdentity(
  context: Context,
  { networkId, identity, userId: claimed, displayName, linksUsers, codeHash }: IdentitySignIn,
): Promise<{ user: UserRecord; session: SessionRecord }> {
  const { userId } = validate(createSessionInput, { userId: claimed ?? derivedUserId(identity) });
  const network = await networkOfId(context, networkId);
  const wanted = { networkId, userId, displayName: displayName ?? userId, createsUnknown: network.createsUnknownUsers };
  return context.transaction(
    async (transaction) => {
      const found = await findOrCreateUser(context, transaction, wanted);
      if (!found) throw new OperationError('NOT_FOUND', { message: 'User not found.' });
      const user = withoutEndedBan(found.user, context.hasPassed);
      if (user.isGlobalBan) throw globallyBanned(user);
      if (user.isDeleted) throw new OperationError('UNAUTHORIZED', { message: 'This user is deleted.' });
      await connectIdentity(context, transaction, { user, identity, mayConnect: found.isNew || linksUsers });
      const lifetime = sessionLifetimeOf(user);
      const session = await insertSession(context, transaction, { user, deviceId: null, lifetime, codeHash });
      if (found.isNew) await appendEvents(context, transaction, [userEvent('user.created', user)]);
      return { user, session };
    },
    { key: `user ${networkId} ${userId}` },
  );
}
