import type { BaseRecord, HashFlag, Json, Mentionee, ReactionCounts } from './base.ts';
import type { NotificationMode } from './community.ts';

export type ChannelType = 'standard' | 'private' | 'conversation' | 'broadcast' | 'community' | 'live';

export interface ChannelRecord extends BaseRecord {
  channelId: string;
  /** `<networkId>/chat/<internal id>`. */
  path: string;
  /** Empty for a conversation without a chosen name; see `channel-name.ts`. */
  displayName: string;
  avatarFileId: string | null;
  type: ChannelType;
  notificationMode: NotificationMode;
  /** The newest message of the channel that was not deleted. */
  messagePreviewId: string | null;
  defaultMessageFeedId: string;
  muteTimeout: Date | null;
  rateLimitTimeout: Date | null;
  lastActivity: Date;
  isDistinct: boolean;
  isMuted: boolean;
  isRateLimited: boolean;
  messageAutoDeleteEnabled: boolean;
  isDeleted: boolean;
  isPublic: boolean;
  metadata: Json;
  tags: string[];
  /** Messages allowed in one `rateLimitWindow`. */
  rateLimit: number;
  /** Milliseconds. */
  rateLimitWindow: number;
  autoDeleteMessageByFlagLimit: number;
  memberCount: number;
  messageCount: number;
  attachedTo: { postId: string | null; videoStreamId: string | null; roomId: string | null } | null;
  /** The community whose chat this is, for channels of type community that belong to one. */
  communityId: string | null;
  /** As its default message feed has it. */
  channelMention?: ChannelMention | null;
}

/** The newest message that mentions everybody. */
export interface ChannelMention {
  segment: number;
  /** Who sent it, and is not mentioned by it. */
  userId: string;
}

export type ChannelMembership = 'none' | 'member' | 'banned';

export interface ChannelUserRecord extends BaseRecord {
  channelId: string;
  channelInternalId: string;
  userId: string;
  userInternalId: string;
  /** Copied from the user for sorting and searching members. */
  displayName: string;
  membership: ChannelMembership;
  isBanned: boolean;
  isMuted: boolean;
  /** True once the user account is deleted. */
  isDeleted: boolean;
  muteTimeout: Date | null;
  lastActivity: Date;
  roles: string[];
  /** What those roles gave when they were given; readers have it as it is now, see `role-cache.ts`. */
  permissions: string[];
  readToSegment: number;
  /** Of a message that named this user; {@link ChannelRecord.channelMention} may be newer. */
  lastMentionedSegment: number;
  /** When the rate limit's current window of this member began, and the messages sent in it. */
  rateWindow?: { startedAt: Date; count: number } | null;
}

export interface MessageFeedRecord extends BaseRecord {
  /** Equals the internal id: the interface addresses feeds by it (§4.7), at most 30 characters. */
  messageFeedId: string;
  channelId: string;
  channelInternalId: string;
  channelType: ChannelType;
  /** Empty while it is derived from the conversation's; see `channel-name.ts`. */
  name: string;
  userId: string;
  userInternalId: string;
  path: string;
  /** The newest message, deleted or not. */
  lastMessageId: string | null;
  /** The newest message that was not deleted. */
  messagePreviewId: string | null;
  lastMessageTimestamp: Date | null;
  /** Segment of the newest message; segments are dense: 1, 2, 3 … */
  lastSegment: number;
  /** How many messages the feed holds. */
  childCount: number;
  isDefault: boolean;
  isDeleted: boolean;
  editedAt: Date | null;
  /** Of a feed that was deleted for good: from this segment on nothing is left of what was said. */
  erasedFrom?: number;
  /** One write mentions everybody, however many members there are. */
  channelMention?: ChannelMention | null;
}

export interface MessageRecord extends BaseRecord {
  /** Equals the internal id. */
  messageId: string;
  channelId: string;
  channelInternalId: string;
  channelType: ChannelType;
  messageFeedId: string;
  /** text, image, file, video, audio, custom. */
  dataType: string;
  data: Json;
  fileId: string | null;
  thumbnailFileId: string | null;
  userId: string;
  userInternalId: string;
  parentId: string | null;
  path: string;
  segment: number;
  metadata: Json;
  tags: string[];
  mentionedUsers: Mentionee[];
  reactionCount: number;
  reactions: ReactionCounts;
  latestReaction: LatestReaction | null;
  flagCount: number;
  hashFlag: HashFlag | null;
  /** How many replies. */
  childCount: number;
  /** Client-made id of the sending. */
  referenceId: string | null;
  isDeleted: boolean;
  editedAt: Date | null;
}

export interface LatestReaction {
  referenceId: string;
  referenceType: 'message';
  reactionName: string;
  userId: string;
  userDisplayName: string;
  reactionId: string;
  eventName: 'add' | 'remove';
  createdAt: Date;
}

/**
 * A user's position in one message feed. The segments never go down. What is unread follows from it and the feed when it
 * is read, so that a new message writes no other reader's marker; a member without one has read nothing there.
 */
export interface UserFeedMarkerRecord extends BaseRecord {
  userId: string;
  /** Internal id of the channel. */
  entityId: string;
  feedId: string;
  /** Whoever sends a message has read up to it. */
  readToSegment: number;
  deliveredToSegment: number;
  /** Of a message that named this user; the feed's `channelMention` may be newer. */
  lastMentionSegment: number;
  /** Until then new messages do not count as unread. */
  readingUntil: Date | null;
  /** Segments that came while the feed was being read, `from` exclusive; the last one grows until `readingUntil`. */
  seen?: SeenSegments[];
  /** No message of the user's own comes after `readToSegment`. Absent where it is not known: on records of old releases. */
  hasReadOwn?: boolean;
}

export interface SeenSegments {
  from: number;
  to: number;
}

/** What is kept of a user's sum over all channels; the sum itself follows from the positions. */
export interface UserMarkerRecord extends BaseRecord {
  userId: string;
  lastSyncAt: Date;
}
