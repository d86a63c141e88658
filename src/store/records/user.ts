import type { BaseRecord, HashFlag, Json } from './base.ts';

export interface UserRecord extends BaseRecord {
  userId: string;
  /** `<networkId>/user/<internal id>`; clients cut the network id out of it. */
  path: string;
  displayName: string;
  profileHandle: string | null;
  description: string;
  avatarFileId: string | null;
  avatarCustomUrl: string | null;
  /** Network-wide role ids. */
  roles: string[];
  /** What those roles gave when they were given; readers have it as it is now, see `role-cache.ts`. */
  permissions: string[];
  flagCount: number;
  hashFlag: HashFlag | null;
  metadata: Json;
  isGlobalBan: boolean;
  isBrand: boolean;
  isDeleted: boolean;
  /** When something was last based on the record as it was: makes it and a change at once conflict. */
  touchedAt?: Date;
  /** How many users this one blocked; absent until the first. */
  blockCount?: number;
  feeds: FeedRecord[];
}

/** One user wants nothing from another any more. */
export interface UserBlockRecord extends BaseRecord {
  /** Who blocked. */
  userId: string;
  blockedUserId: string;
}

export type FeedType = 'published' | 'reviewing' | 'declined';

/** A list of posts of one target. A target has one of each type, so they live inside the user or community. */
export interface FeedRecord {
  feedId: string;
  feedType: FeedType;
  postCount: number;
  createdAt: Date;
  updatedAt: Date;
}

/**
 * A signed-in device. Holds what access needs to know of the user, so that one read authenticates a request; role
 * changes, bans and deletions update or revoke the sessions in their own transaction.
 */
export interface SessionRecord extends BaseRecord {
  sessionId: string;
  userId: string;
  userInternalId: string;
  deviceId: string | null;
  roles: string[];
  permissions: string[];
  /** Whether the user blocked anybody, so that those who did not are asked no more. */
  hasBlocks?: boolean;
  /** Absolute end; a TTL index removes the record afterwards. */
  expiresAt: Date;
  revokedAt: Date | null;
}

export interface RoleRecord extends BaseRecord {
  roleId: string;
  displayName: string;
  permissions: string[];
  /** Nobody grants a role of a higher rank than their own highest one. */
  rank: number;
  isDeleted: boolean;
}

export interface NetworkRecord extends BaseRecord {
  displayName: string;
  /** SHA-256 of the keys, hex: the keys themselves are never stored. */
  apiKeyHash: string;
  serverKeyHash: string;
  /** When on, a session needs an `authToken` minted with the server key. */
  secureMode: boolean;
  /** When off, a session for an unknown userId is refused. */
  createsUnknownUsers: boolean;
  /** Users whose rename or deletion has not reached all of their memberships yet; absent until the first. */
  unfinishedUserIds?: string[];
  settings: NetworkSettings;
}

export interface NetworkSettings {
  chat: {
    enabled: boolean;
    mention: { isAllowMentionedUsers: boolean; isAllowMentionAll: boolean };
    messagePreview: { enabled: boolean; isIncludeDeleted: boolean };
    marker: { enabled: boolean };
  };
  social: {
    enabled: boolean;
    isAllowEditPostWhenReviewingEnabled: boolean;
    globalFeed: { showMyPost: boolean; showEveryonePost: boolean };
  };
  webhook: { enabled: boolean };
}
