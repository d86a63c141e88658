import type { ClientSession } from 'mongodb';
import type { Context } from '../../../context.ts';
import type { NewEvent } from '../../../events/append.ts';
import type { UserRecord } from '../../../store/records/user.ts';
import { channelUsersEvents } from '../channel-events.ts';

type Whose = Pick<UserRecord, 'networkId' | 'userId'>;

/** Memberships repeat the user's name. */
export async function renameChannelUser(
  context: Context,
  session: ClientSession,
  { networkId, userId, displayName }: Whose & Pick<UserRecord, 'displayName'>,
): Promise<void> {
  const { channelUsers } = context.store.collections;
  await channelUsers.updateMany({ networkId, userId }, { $set: { displayName } }, { session });
}

/**
 * Marks every membership of a deleted user, and counts them in their channels no more: a constant number of commands.
 * @returns what is to be told in the channels
 */
export async function endChannelMemberships(
  context: Context,
  session: ClientSession,
  { networkId, userId }: Whose,
): Promise<NewEvent[]> {
  const { channels, channelUsers } = context.store.collections;
  const counted = { networkId, userId, membership: 'member', isDeleted: false } as const;
  const members = await channelUsers.find(counted, { session, projection: { _id: 0, channelId: 1 } }).toArray();
  const gone = { isDeleted: true, roles: [], permissions: [], updatedAt: context.now() };
  await channelUsers.updateMany({ networkId, userId }, { $set: gone }, { session });
  if (members.length === 0) return [];
  const channelId = { $in: members.map((member) => member.channelId) };
  await channels.updateMany({ networkId, channelId }, { $inc: { memberCount: -1 } }, { session });
  const live = { networkId, channelId, isDeleted: false };
  const left = await channels.find(live, { session, projection: { _id: 0, channelId: 1, path: 1 } }).toArray();
  // Internal ids order them by creation, ids of channels do not.
  left.sort((one, other) => (one.path < other.path ? -1 : 1));
  return left.flatMap((channel) => channelUsersEvents('channel.left', channel, [userId]));
}
