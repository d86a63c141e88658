import type { BanTerms } from './ban.ts';
import type { BaseRecord, Json } from './base.ts';
import type { FeedRecord } from './user.ts';

export type NotificationMode = 'default' | 'silent' | 'subscribe';

export interface CommunityRecord extends BaseRecord {
  communityId: string;
  channelId: string;
  displayName: string;
  path: string;
  /** The creator. */
  userId: string;
  userInternalId: string;
  avatarFileId: string | null;
  description: string;
  isOfficial: boolean;
  isPublic: boolean;
  onlyAdminCanPost: boolean;
  isDeleted: boolean;
  hasFlaggedComment: boolean;
  hasFlaggedPost: boolean;
  /**
   * When a flag on its content was last added or removed: makes concurrent updates of the `hasFlagged…` fields
   * conflict.
   */
  flagsChangedAt?: Date;
  /** When a user last requested to join: makes concurrent requests conflict. */
  joinRequestedAt?: Date;
  needApprovalOnPostCreation: boolean;
  allowCommentInStory: boolean;
  isDiscoverable: boolean;
  requiresJoinApproval: boolean;
  tags: string[];
  categoryIds: string[];
  metadata: Json;
  postsCount: number;
  membersCount: number;
  moderatorMemberCount: number;
  notificationMode: NotificationMode;
  type: 'default' | 'event';
  feeds: FeedRecord[];
}

export type CommunityMembership = 'none' | 'member' | 'banned';

/** One user in one community; kept as `none` after leaving, which preserves a ban and the join date. */
export interface CommunityUserRecord extends BaseRecord {
  communityId: string;
  userId: string;
  userInternalId: string;
  channelId: string;
  /** Copied from the user for sorting and searching members. */
  displayName: string;
  communityMembership: CommunityMembership;
  isBanned: boolean;
  /** Of a banned user only. */
  ban?: BanTerms;
  notMemberReason: string | null;
  roles: string[];
  /** The permissions of the roles when they were assigned; readers get the current ones, see `role-cache.ts`. */
  permissions: string[];
  lastActivity: Date;
  lastJoin: Date | null;
}

export interface CategoryRecord extends BaseRecord {
  categoryId: string;
  name: string;
  avatarFileId: string | null;
  metadata: Json;
  isDeleted: boolean;
}

export interface JoinRequestRecord extends BaseRecord {
  joinRequestId: string;
  targetType: 'community';
  targetId: string;
  type: 'communityJoinRequest';
  status: 'pending' | 'approved' | 'rejected' | 'cancelled';
  requestorId: string;
  requestorInternalId: string;
  responderId: string | null;
  responderInternalId: string | null;
  respondedAt: Date | null;
}

export interface PinRecord extends BaseRecord {
  targetType: 'community' | 'network' | 'messageFeed';
  targetId: string;
  placement: string;
  referenceType: 'post';
  referenceId: string;
  pinnedBy: string;
  pinnedAt: Date;
}

export interface PinTargetRecord extends BaseRecord {
  targetType: PinRecord['targetType'];
  targetId: string;
  lastPinsUpdatedAt: Date;
}
