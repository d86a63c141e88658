import { randomBytes } from 'node:crypto';
import type { ClientSession } from 'mongodb';
import { ObjectId } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import type { ChannelRecord, ChannelUserRecord } from '../../store/records/chat.ts';
import type { UserRecord } from '../../store/records/user.ts';
import { insertDefaultFeed } from '../message-feed/new-message-feed.ts';
import { permissionsOf } from '../role/rank.ts';
import { indexNewChannel } from '../search-index/index-record.ts';
import { requireUnbannedUsersInTransaction } from '../user/lookup/require-unbanned-users.ts';

export const CHANNEL_MODERATOR = 'channel-moderator';
export const CHANNEL_MEMBER = 'member';

/** A channel with the members that an operation changed. */
export interface ChannelWithMembers {
  channel: ChannelRecord;
  channelUsers: ChannelUserRecord[];
}

type NewChannelFields = Pick<ChannelRecord, 'displayName' | 'type'> & Partial<ChannelRecord>;

/**
 * The `_id` of a new channel, and its public id unless the creator chose one: some published clients use the public id as
 * the id of the default feed and compare it with the feed of each new message. 96 random bits, so that
 * clients can neither guess the id nor take it in advance.
 */
export function newChannelId(): ObjectId {
  return new ObjectId(randomBytes(12));
}

/** The record of an empty channel. */
export function channelRecord(context: Context, { channelId, ...given }: NewChannelFields): ChannelRecord {
  const { networkId } = viewerOf(context);
  const _id = newChannelId();
  const now = context.now();
  return {
    _id,
    networkId,
    channelId: channelId ?? _id.toHexString(),
    path: `${networkId}/chat/${_id.toHexString()}`,
    avatarFileId: null,
    notificationMode: 'default',
    messagePreviewId: null,
    defaultMessageFeedId: _id.toHexString(),
    muteTimeout: null,
    rateLimitTimeout: null,
    lastActivity: now,
    isDistinct: false,
    isMuted: false,
    isRateLimited: false,
    messageAutoDeleteEnabled: false,
    isDeleted: false,
    isPublic: true,
    metadata: {},
    tags: [],
    rateLimit: 0,
    rateLimitWindow: 0,
    autoDeleteMessageByFlagLimit: 0,
    memberCount: 0,
    messageCount: 0,
    lastSegment: 0,
    attachedTo: null,
    communityId: null,
    createdAt: now,
    updatedAt: now,
    ...given,
  };
}

/** The record of a first membership in a channel. */
export async function channelUserRecord(
  context: Context,
  { channel, user, roles }: { channel: ChannelRecord; user: UserRecord; roles: string[] },
): Promise<ChannelUserRecord> {
  const known = await Promise.all(roles.map((roleId) => context.load.roles.load(roleId)));
  const live = known.filter((role) => role !== null).filter((role) => !role.isDeleted);
  const now = context.now();
  return {
    _id: new ObjectId(),
    networkId: channel.networkId,
    channelId: channel.channelId,
    channelInternalId: channel._id.toHexString(),
    userId: user.userId,
    userInternalId: user._id.toHexString(),
    displayName: user.displayName,
    membership: 'member',
    isBanned: false,
    isMuted: false,
    isDeleted: false,
    muteTimeout: null,
    lastActivity: now,
    roles: live.map(({ roleId }) => roleId),
    permissions: permissionsOf(live),
    readToSegment: 0,
    lastMentionedSegment: 0,
    createdAt: now,
    updatedAt: now,
  };
}

/**
 * The users who become the first members of a channel, as the transaction sees them, in the order of the ids. The
 * transaction holds their shared locks, so that in this process none of them is renamed or deleted before the commit.
 * @throws {OperationError} NOT_FOUND if one of them was deleted or banned in the meantime
 */
export async function firstMembers(
  context: Context,
  session: ClientSession,
  { channel, userIds, moderatorId }: { channel: ChannelRecord; userIds: readonly string[]; moderatorId?: string },
): Promise<ChannelUserRecord[]> {
  const { networkId } = channel;
  const users = await requireUnbannedUsersInTransaction(context, session, { networkId, userIds });
  return Promise.all(
    users.map((user) => {
      const roles = user.userId === moderatorId ? [CHANNEL_MEMBER, CHANNEL_MODERATOR] : [CHANNEL_MEMBER];
      return channelUserRecord(context, { channel, user, roles });
    }),
  );
}

/** Inserts a channel with its default feed and its members. */
export async function insertChannel(
  context: Context,
  session: ClientSession,
  { channel, members }: { channel: ChannelRecord; members: ChannelUserRecord[] },
): Promise<void> {
  const { channels, channelUsers } = context.store.collections;
  await channels.insertOne(channel, { session });
  await indexNewChannel(context, session, channel);
  await insertDefaultFeed(context, session, channel);
  await channelUsers.insertMany(members, { session });
}

/** Clears a channel and its members from the loaders of the request. */
export function invalidateChannel(context: Context, channel: ChannelRecord, userIds: readonly string[] = []): void {
  const { load } = context;
  load.channels.clear(channel.channelId);
  load.channelsByInternalId.clear(channel._id.toHexString());
  load.messageFeeds.clear(channel.defaultMessageFeedId);
  load.messageFeedsOfChannel.clear(channel.channelId);
  load.channelMembers.clear([channel.channelId, 'member']);
  for (const userId of new Set([...userIds, viewerOf(context).userId])) {
    load.channelUsers.clear([channel.channelId, userId]);
    load.channelsOfUser.clear([userId, 'member']);
    load.userFeedMarkersOfUser.clear(userId);
  }
}
