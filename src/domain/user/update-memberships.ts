import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import { append, type NewEvent } from '../../events/append.ts';
import type { UserRecord } from '../../store/records/user.ts';
import { endChannelMemberships, renameChannelUser } from '../channel/members/memberships-of-user.ts';
import { endMemberships, renameMember } from '../community/members/memberships-of-user.ts';
import { addUnfinishedUser, removeUnfinishedUser, unfinishedUsers } from '../network/unfinished-users.ts';

type UserKey = Pick<UserRecord, 'networkId' | 'userId'>;
type RenamedUser = UserKey & Pick<UserRecord, 'displayName' | 'isDeleted'>;

interface MembershipChange {
  /** Events for the caller to append. */
  events: NewEvent[];
  /** Whether memberships are left, for {@link finishMemberships} after the commit. */
  hasMore: boolean;
}

/**
 * Copies a user's name to their memberships, and ends these when the account is deleted: one bounded batch, in the
 * transaction that changes the user. A user with more memberships is noted as unfinished in the same transaction.
 */
export async function updateMemberships(
  context: Context,
  session: ClientSession,
  user: RenamedUser,
): Promise<MembershipChange> {
  const change = await updateBatch(context, session, user);
  if (change.hasMore) await addUnfinishedUser(context, session, user);
  return change;
}

/**
 * Updates the memberships that {@link updateMemberships} left, in transactions of one batch each. Reads the user again
 * every time, so that a later rename or deletion wins. Safe to repeat and to run in several processes.
 */
export async function finishMemberships(context: Context, { networkId, userId }: UserKey): Promise<void> {
  let hasMore = true;
  while (hasMore) {
    hasMore = await context.store.transaction((session) => finishBatch(context, session, { networkId, userId }), {
      key: `user ${networkId} ${userId}`,
    });
  }
}

/** Finishes what an interrupted process left of renames and deletions; for the start of a process. */
export async function finishInterruptedUsers(context: Context, networkId: string): Promise<void> {
  for (const user of await unfinishedUsers(context, networkId)) await finishMemberships(context, user);
}

/** @returns whether memberships are left */
async function finishBatch(context: Context, session: ClientSession, { networkId, userId }: UserKey): Promise<boolean> {
  // Writes the record, so that a concurrent join or rename conflicts.
  const user = await context.store.collections.users.findOneAndUpdate(
    { networkId, userId },
    { $set: { touchedAt: context.now() } },
    { session, returnDocument: 'after' },
  );
  const { events, hasMore } = user ? await updateBatch(context, session, user) : { events: [], hasMore: false };
  if (!hasMore) await removeUnfinishedUser(context, session, { networkId, userId });
  await append(context, session, events);
  return hasMore;
}

async function updateBatch(context: Context, session: ClientSession, user: RenamedUser): Promise<MembershipChange> {
  const renamed = [await renameMember(context, session, user), await renameChannelUser(context, session, user)];
  const ended = user.isDeleted
    ? [await endMemberships(context, session, user), await endChannelMemberships(context, session, user)]
    : [];
  return {
    events: ended.flatMap(({ events }) => events),
    hasMore: renamed.some(({ hasMore }) => hasMore) || ended.some(({ hasMore }) => hasMore),
  };
}
