import type {
  ChannelRecord,
  ChannelUserRecord,
  MessageFeedRecord,
  MessageRecord,
  UserFeedMarkerRecord,
  UserMarkerRecord,
} from '../../store/records/chat.ts';
import type { UserRecord } from '../../store/records/user.ts';
import type { Given, SampleContext } from '../context.ts';
import { baseRecord, permissionsOf } from './base.ts';

export function channelRecord(
  context: SampleContext,
  given: Given<ChannelRecord, 'channelId' | 'displayName' | 'type'>,
): ChannelRecord {
  const { channelId, type } = given;
  const base = baseRecord(context, { kind: 'channel', name: channelId }, given);
  return {
    ...base,
    path: `${context.networkId}/chat/${base._id.toHexString()}`,
    avatarFileId: null,
    notificationMode: 'default',
    messagePreviewId: null,
    defaultMessageFeedId: base._id.toHexString(),
    muteTimeout: null,
    rateLimitTimeout: null,
    lastActivity: base.createdAt,
    isDistinct: type === 'conversation',
    isMuted: false,
    isRateLimited: false,
    messageAutoDeleteEnabled: false,
    isDeleted: false,
    isPublic: type !== 'conversation' && type !== 'private',
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
    ...given,
  };
}

export interface ChannelMember extends Partial<ChannelUserRecord> {
  channel: Pick<ChannelRecord, 'channelId' | 'createdAt'>;
  user: Pick<UserRecord, 'userId' | 'displayName'>;
}

export function channelUserRecord(context: SampleContext, member: ChannelMember): ChannelUserRecord {
  const { channel, user, ...given } = member;
  const roles = given.roles ?? ['member'];
  const base = baseRecord(
    context,
    { kind: 'channelUser', name: `${channel.channelId}/${user.userId}` },
    { createdAt: channel.createdAt, ...given },
  );
  return {
    ...base,
    channelId: channel.channelId,
    channelInternalId: context.hex('channel', channel.channelId),
    userId: user.userId,
    userInternalId: context.hex('user', user.userId),
    displayName: user.displayName,
    membership: 'member',
    isBanned: false,
    isMuted: false,
    isDeleted: false,
    muteTimeout: null,
    lastActivity: base.updatedAt,
    roles,
    permissions: permissionsOf(roles),
    readToSegment: 0,
    lastMentionedSegment: 0,
    ...given,
  };
}

/** @param feed `key` identifies the feed in its channel; the main feed has the key `default` and the channel's id */
export function messageFeedRecord(
  context: SampleContext,
  feed: Given<MessageFeedRecord, 'userId'> & { channel: ChannelRecord; key: string },
): MessageFeedRecord {
  const { channel, key, ...given } = feed;
  const base = baseRecord(
    context,
    { kind: 'messageFeed', name: `${channel.channelId}/${key}` },
    { createdAt: channel.createdAt, ...given },
  );
  const isDefault = given.isDefault ?? key === 'default';
  const _id = isDefault ? channel._id : base._id;
  const messageFeedId = _id.toHexString();
  return {
    ...base,
    _id,
    messageFeedId,
    channelId: channel.channelId,
    channelInternalId: channel._id.toHexString(),
    channelType: channel.type,
    name: channel.displayName,
    userInternalId: context.hex('user', given.userId),
    path: `${channel.path}/${messageFeedId}`,
    lastMessageId: null,
    messagePreviewId: null,
    lastMessageTimestamp: null,
    lastSegment: 0,
    childCount: 0,
    isDefault,
    isDeleted: false,
    editedAt: null,
    ...given,
  };
}

export interface Message extends Given<MessageRecord, 'userId'> {
  feed: MessageFeedRecord;
  /** Unique name in the sample, from which the ids are derived. */
  name: string;
  text?: string;
}

/** A message without its `segment`, which `deriveMessages` sets from the order of messages. */
export function messageRecord(context: SampleContext, message: Message): MessageRecord {
  const { feed, name, text, ...given } = message;
  const base = baseRecord(context, { kind: 'message', name }, { createdAt: feed.createdAt, ...given });
  const messageId = base._id.toHexString();
  return {
    ...base,
    messageId,
    channelId: feed.channelId,
    channelInternalId: feed.channelInternalId,
    channelType: feed.channelType,
    messageFeedId: feed.messageFeedId,
    dataType: 'text',
    data: text === undefined ? {} : { text },
    fileId: null,
    thumbnailFileId: null,
    userInternalId: context.hex('user', given.userId),
    parentId: null,
    path: `${feed.path}/${messageId}`,
    segment: 0,
    metadata: {},
    tags: [],
    mentionedUsers: [],
    reactionCount: 0,
    reactions: {},
    latestReaction: null,
    flagCount: 0,
    hashFlag: null,
    childCount: 0,
    referenceId: null,
    isDeleted: false,
    editedAt: null,
    ...given,
  };
}

export function userFeedMarkerRecord(
  context: SampleContext,
  given: Given<UserFeedMarkerRecord, 'userId' | 'entityId' | 'feedId'>,
): UserFeedMarkerRecord {
  return {
    ...baseRecord(context, { kind: 'userFeedMarker', name: `${given.userId}/${given.feedId}` }, given),
    readToSegment: 0,
    deliveredToSegment: 0,
    lastMentionSegment: 0,
    readingUntil: null,
    ...given,
  };
}

export function userMarkerRecord(context: SampleContext, given: Given<UserMarkerRecord, 'userId'>): UserMarkerRecord {
  const base = baseRecord(context, { kind: 'userMarker', name: given.userId }, given);
  return { ...base, lastSyncAt: base.updatedAt, ...given };
}
