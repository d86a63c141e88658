import type { ClientSession } from 'mongodb';
import type { Context } from '../../../context.ts';
import type { NewEvent } from '../../../events/append.ts';
import type { UserRecord } from '../../../store/records/user.ts';
import { MAX_BATCH, MAX_BATCH_WITH_EVENTS } from '../../batch.ts';
import { channelUsersEvents } from '../channel-events.ts';

type UserKey = Pick<UserRecord, 'networkId' | 'userId'>;

/** Copies the user's name to the memberships that hold another, up to {@link MAX_BATCH} of them. */
export async function renameChannelUser(
  context: Context,
  session: ClientSession,
  { networkId, userId, displayName }: UserKey & Pick<UserRecord, 'displayName'>,
): Promise<{ hasMore: boolean }> {
  const { channelUsers } = context.store.collections;
  const outdated = await channelUsers
    .find({ networkId, userId, displayName: { $ne: displayName } }, { session, projection: { _id: 0, channelId: 1 } })
    .limit(MAX_BATCH)
    .toArray();
  if (outdated.length === 0) return { hasMore: false };
  const channelId = { $in: outdated.map((member) => member.channelId) };
  await channelUsers.updateMany({ networkId, userId, channelId }, { $set: { displayName } }, { session });
  return { hasMore: outdated.length === MAX_BATCH };
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
