import { ObjectId } from 'mongodb';
import type { ChannelRecord, MessageFeedRecord } from '../../../store/records/chat.ts';
import type { CommunityRecord } from '../../../store/records/community.ts';

/** The records of the chat of a new community: a channel without members and its default message feed. */
export function newCommunityChannel(community: CommunityRecord): { channel: ChannelRecord; feed: MessageFeedRecord } {
  const { networkId, communityId, createdAt: now } = community;
  const _id = ObjectId.createFromHexString(community.channelId);
  const path = `${networkId}/chat/${_id.toHexString()}`;
  const base = { networkId, createdAt: now, updatedAt: now };
  const channel: ChannelRecord = {
    _id,
    ...base,
    channelId: community.channelId,
    path,
    displayName: community.displayName,
    avatarFileId: community.avatarFileId,
    type: 'community',
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
    isPublic: community.isPublic,
    metadata: {},
    tags: [],
    rateLimit: 0,
    rateLimitWindow: 0,
    autoDeleteMessageByFlagLimit: 0,
    memberCount: 0,
    messageCount: 0,
    lastSegment: 0,
    attachedTo: null,
    communityId,
  };
  const feed: MessageFeedRecord = {
    _id,
    ...base,
    messageFeedId: channel.defaultMessageFeedId,
    channelId: channel.channelId,
    channelInternalId: _id.toHexString(),
    channelType: channel.type,
    name: channel.displayName,
    userId: community.userId,
    userInternalId: community.userInternalId,
    path: `${path}/${channel.defaultMessageFeedId}`,
    lastMessageId: null,
    messagePreviewId: null,
    lastMessageTimestamp: null,
    lastSegment: 0,
    childCount: 0,
    isDefault: true,
    isDeleted: false,
    editedAt: null,
  };
  return { channel, feed };
}
