import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import type { NewEvent } from '../../events/append.ts';
import { withoutMemberName } from '../../store/records/anonymous-profile.ts';
import type { UserRecord } from '../../store/records/user.ts';
import { channelUsersEvents } from './channel-events.ts';

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

/** Conversations that were named after their members no longer name a deleted user. */
export async function renameConversations(
  context: Context,
  session: ClientSession,
  { networkId, userId, displayName }: Whose & Pick<UserRecord, 'displayName'>,
): Promise<void> {
  const { channels, channelUsers, messageFeeds } = context.store.collections;
  const members = await channelUsers
    .find({ networkId, userId }, { session, projection: { _id: 0, channelId: 1 } })
    .toArray();
  if (members.length === 0) return;
  const channelId = { $in: members.map((member) => member.channelId) };
  const conversations = await channels
    .find({ networkId, channelId, type: 'conversation' }, { session, projection: { channelId: 1, displayName: 1 } })
    .toArray();
  const renamed = conversations.flatMap((channel) => {
    const name = withoutMemberName(channel.displayName, displayName);
    if (name === channel.displayName) return [];
    const filter = { networkId, channelId: channel.channelId };
    return [{ filter, from: channel.displayName, to: name }];
  });
  if (renamed.length === 0) return;
  await channels.bulkWrite(
    renamed.map(({ filter, to }) => ({ updateOne: { filter, update: { $set: { displayName: to } } } })),
    { session },
  );
  // The feed that a conversation began with took its name.
  await messageFeeds.bulkWrite(
    renamed.map(({ filter, from, to }) => ({
      updateMany: { filter: { ...filter, name: from }, update: { $set: { name: to } } },
    })),
    { session },
  );
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
  return left.flatMap((channel) => channelUsersEvents('channel.left', channel, [userId]));
}
