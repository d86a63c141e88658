import type { BanTerms } from './ban.ts';
import type { BaseRecord, HashFlag, Json, Mentionee, ReactionCounts } from './base.ts';
import type { NotificationMode } from './community.ts';

export type ChannelType = 'standard' | 'private' | 'conversation' | 'broadcast' | 'community' | 'live';

export interface ChannelRecord extends BaseRecord {
  channelId: string;
  /** `<networkId>/chat/<internal id>`. */
  path: string;
  /** Empty for an unnamed conversation, whose name is derived; see `channel-name.ts`. */
  displayName: string;
  avatarFileId: string | null;
  type: ChannelType;
  notificationMode: NotificationMode;
  /** The newest message of the channel that was not deleted. */
  messagePreviewId: string | null;
  /** Equals the internal id of the channel, since published clients expect it. */
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
  /** Segment of the newest message of the default feed, copied from it. */
  lastSegment: number;
  attachedTo: { postId: string | null; videoStreamId: string | null; roomId: string | null } | null;
  /** The community whose chat this is, for channels of type community that belong to one. */
  communityId: string | null;
  /** Copied from the default message feed. */
  channelMention?: ChannelMention | null;
}

/** The newest message that mentions all members. */
export interface ChannelMention {
  segment: number;
  /** The sender, who is not mentioned by it. */
  userId: string;
}

/** Names the current conversation of a set of users, among those that exist once per set. */
export interface DistinctConversationRecord extends BaseRecord {
  /** SHA-256 of the sorted user ids. Never answered: it would reveal which users have a conversation. */
  membersHash: string;
  /** A conversation that may have been deleted since. */
  channelId: string;
}

export type ChannelMembership = 'none' | 'member' | 'banned';

/** Terms of a mute. */
export interface MuteTerms {
  /** For moderators. */
  reason: string | null;
  /** Public id of the user who muted. */
  mutedBy: string;
  mutedAt: Date;
}

/** `mutedUntil` of a mute without end. */
export const MUTED_FOREVER = new Date('9999-12-31T00:00:00.000Z');

export interface ChannelUserRecord extends BaseRecord {
  channelId: string;
  channelInternalId: string;
  userId: string;
  userInternalId: string;
  /** Copied from the user for sorting and searching members. */
  displayName: string;
  membership: ChannelMembership;
  isBanned: boolean;
  /** Of a banned user only. */
  ban?: BanTerms;
  isMuted: boolean;
  /** True once the user account is deleted. */
  isDeleted: boolean;
  muteTimeout: Date | null;
  /** Of a muted member only; absent on mutes of earlier releases. */
  mute?: MuteTerms;
  /** Of a muted member only: as `muteTimeout`, with {@link MUTED_FOREVER} for no end. The order of the list of mutes. */
  mutedUntil?: Date;
  lastActivity: Date;
  roles: string[];
  /** The permissions of the roles when they were assigned; readers get the current ones, see `role-cache.ts`. */
  permissions: string[];
  readToSegment: number;
  /** Segment of the newest message that mentions this user by id; {@link ChannelRecord.channelMention} may be newer. */
  lastMentionedSegment: number;
  /** Start of this member's current rate limit window, and the messages sent in it. */
  rateWindow?: { startedAt: Date; count: number } | null;
}

export interface MessageFeedRecord extends BaseRecord {
  /**
   * 24 hex digits: the internal id, or that of the channel for a default feed. The `_id` of a default feed that an older
   * release created is its earlier id, which readers may still use (docs/decisions/0025-default-feed-has-the-id-of-its-channel.md).
   */
  messageFeedId: string;
  channelId: string;
  channelInternalId: string;
  channelType: ChannelType;
  /** Empty while it is derived from the conversation's name; see `channel-name.ts`. */
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
  /** Number of messages in the feed. */
  childCount: number;
  isDefault: boolean;
  isDeleted: boolean;
  editedAt: Date | null;
  /** On a hard-deleted feed: the content of messages from this segment on is erased. */
  erasedFrom?: number;
  /** Stored on the feed, so that mentioning all members takes one write. */
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
  /** Number of replies. */
  childCount: number;
  /** Id that the client chose for the request. */
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
 * A user's position in one message feed. The segments never decrease. Unread counts are derived from it and the feed on
 * read, so that a new message does not write the marker of each reader. A member without a marker has read nothing.
 */
export interface UserFeedMarkerRecord extends BaseRecord {
  userId: string;
  /** Internal id of the channel. */
  entityId: string;
  feedId: string;
  /** Sending a message advances it to that message. */
  readToSegment: number;
  deliveredToSegment: number;
  /** Segment of the newest message that mentions this user by id; the feed's `channelMention` may be newer. */
  lastMentionSegment: number;
  /** Until then new messages do not count as unread. */
  readingUntil: Date | null;
  /**
   * Segments that arrived while the feed was being read, `from` exclusive; the last range grows until `readingUntil`.
   */
  seen?: SeenSegments[];
  /**
   * Whether all of the user's own messages are at or before `readToSegment`. Absent (unknown) on records of old
   * releases.
   */
  hasReadOwn?: boolean;
}

export interface SeenSegments {
  from: number;
  to: number;
}

/** The sync time of a user's unread total over all channels; the total itself is derived from the positions. */
export interface UserMarkerRecord extends BaseRecord {
  userId: string;
  lastSyncAt: Date;
}
