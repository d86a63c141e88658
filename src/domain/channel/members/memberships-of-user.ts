import type { ClientSession, FindCursor } from 'mongodb';
import type { Context } from '../../../context.ts';
import type { NewEvent } from '../../../events/append-events.ts';
import { eachBatch } from '../../../store/keyset.ts';
import type { ChannelUserRecord } from '../../../store/records/chat.ts';
import type { UserRecord } from '../../../store/records/user.ts';
import { MAX_BATCH, MAX_BATCH_WITH_EVENTS } from '../../batch.ts';
import { channelUsersEvents } from '../channel-events.ts';

type UserKey = Pick<UserRecord, 'networkId' | 'userId'>;
type NamedUser = UserKey & Pick<UserRecord, 'displayName'>;
type Membership = Pick<ChannelUserRecord, 'channelId'>;

/** Copies the user's name to the memberships that hold another, up to {@link MAX_BATCH} of them. */
export async function renameChannelUser(
  context: Context,
  session: ClientSession,
  user: NamedUser,
): Promise<{ hasMore: boolean }> {
  const outdated = await outdatedMemberships(context, user, session).limit(MAX_BATCH).toArray();
  if (outdated.length > 0) await copyName(context, session, { user, outdated });
  return { hasMore: outdated.length === MAX_BATCH };
}

/**
 * Copies the user's name to all memberships that hold another. Reads them once, since no index continues a search for
 * outdated names where the previous batch ended.
 * @param inTransaction runs the work in a transaction with the user's current record
 */
export async function renameChannelUserEverywhere(
  context: Context,
  user: NamedUser,
  inTransaction: (work: (session: ClientSession, user: NamedUser) => Promise<void>) => Promise<void>,
): Promise<void> {
  const cursor = outdatedMemberships(context, user).batchSize(MAX_BATCH);
  await eachBatch<Membership>(cursor, async (outdated) => {
    await inTransaction((session, now) => copyName(context, session, { user: now, outdated }));
    return true;
  });
}

function outdatedMemberships(
  { store }: Context,
  { networkId, userId, displayName }: NamedUser,
  session?: ClientSession,
): FindCursor<Membership> {
  return store.collections.channelUsers
    .find({ networkId, userId, displayName: { $ne: displayName } }, { ...(session && { session }) })
    .project<Membership>({ _id: 0, channelId: 1 });
}

async function copyName(
  { store }: Context,
  session: ClientSession,
  { user: { networkId, userId, displayName }, outdated }: { user: NamedUser; outdated: Membership[] },
): Promise<void> {
  const channelId = { $in: outdated.map((member) => member.channelId) };
  await store.collections.channelUsers.updateMany(
    { networkId, userId, channelId },
    { $set: { displayName } },
    { session },
  );
}

/**
 * Marks memberships of a deleted user as deleted and lowers the channels' member counts, up to
 * {@link MAX_BATCH_WITH_EVENTS} of them.
 * @returns the events for the caller to append
 */
export async function endChannelMemberships(
  context: Context,
  session: ClientSession,
  { networkId, userId }: UserKey,
): Promise<{ events: NewEvent[]; hasMore: boolean }> {
  const { channels, channelUsers } = context.store.collections;
  const own = { networkId, userId, isDeleted: false };
  const memberships = await channelUsers
    .find(own, { session, projection: { _id: 0, channelId: 1, membership: 1 } })
    .limit(MAX_BATCH_WITH_EVENTS)
    .toArray();
  const hasMore = memberships.length === MAX_BATCH_WITH_EVENTS;
  if (memberships.length === 0) return { events: [], hasMore };
  const idsOf = (list: typeof memberships) => list.map(({ channelId }) => channelId);
  const deleted = { isDeleted: true, roles: [], permissions: [], updatedAt: context.now() };
  await channelUsers.updateMany({ ...own, channelId: { $in: idsOf(memberships) } }, { $set: deleted }, { session });
  const counted = memberships.filter(({ membership }) => membership === 'member');
  if (counted.length === 0) return { events: [], hasMore };
  const channelId = { $in: idsOf(counted) };
  await channels.updateMany({ networkId, channelId }, { $inc: { memberCount: -1 } }, { session });
  const live = { networkId, channelId, isDeleted: false };
  const left = await channels.find(live, { session, projection: { _id: 0, channelId: 1, path: 1 } }).toArray();
  // By internal id, which is the order of creation.
  left.sort((one, other) => (one.path < other.path ? -1 : 1));
  return { events: left.flatMap((channel) => channelUsersEvents('channel.left', channel, [userId])), hasMore };
}
