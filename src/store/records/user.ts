import type { BanTerms } from './ban.ts';
import type { BaseRecord, HashFlag, Json } from './base.ts';

/** `signed-in`: an account. The others have no account, only a session: `src/domain/session/create-visitor-session.ts`. */
export type UserType = 'signed-in' | 'visitor' | 'bot';

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
  /** The permissions of the roles when they were assigned; readers get the current ones, see `role-cache.ts`. */
  permissions: string[];
  flagCount: number;
  hashFlag: HashFlag | null;
  metadata: Json;
  isGlobalBan: boolean;
  /** Of a user who is banned from the network only. */
  ban?: BanTerms;
  isBrand: boolean;
  isDeleted: boolean;
  /**
   * Set by transactions that depend on the record without changing it, so that they conflict with concurrent changes.
   */
  touchedAt?: Date;
  /**
   * When to search the memberships again for an earlier name, and for one that a deletion missed: transactions that read the
   * user before the last rename or deletion have ended by then. Absent when that is done.
   */
  recheckMembershipsAt?: Date;
  /** Number of users that this one has blocked; absent until the first. */
  blockCount?: number;
  /** Number of users who follow this one; absent until the first. */
  followerCount?: number;
  /** Number of users whom this one follows; absent until the first. */
  followingCount?: number;
  /** Number of follow requests that wait for this user's approval; absent until the first. */
  pendingCount?: number;
  /** SHA-256 of the identity at an OpenID Connect provider to which the user belongs; absent without one. */
  identityHash?: string;
  feeds: FeedRecord[];
  /** Never stored: see `visitor-record.ts`. @default signed-in */
  userType?: UserType;
}

/** One user has blocked another. */
export interface UserBlockRecord extends BaseRecord {
  /** The user who blocked the other. */
  userId: string;
  blockedUserId: string;
}

/** One user follows another, or has requested to. */
export interface FollowRecord extends BaseRecord {
  /** The follower. */
  userId: string;
  followedUserId: string;
  status: 'pending' | 'accepted';
}

export type FeedType = 'published' | 'reviewing' | 'declined';

/** A list of posts of one target. A target has one feed of each type, stored in the user or community record. */
export interface FeedRecord {
  feedId: string;
  feedType: FeedType;
  postCount: number;
  createdAt: Date;
  updatedAt: Date;
}

/**
 * A signed-in device. Contains the user's fields that access control needs, so that one read authenticates a request;
 * role changes, bans and deletions update or revoke the sessions in the same transaction.
 */
export interface SessionRecord extends BaseRecord {
  sessionId: string;
  userId: string;
  userInternalId: string;
  /** @default signed-in */
  userType?: UserType;
  deviceId: string | null;
  roles: string[];
  permissions: string[];
  /** Whether the user has blocked others; if not, block checks need no query. */
  hasBlocks?: boolean;
  /** Absolute expiry; a TTL index removes the record afterwards. */
  expiresAt: Date;
  revokedAt: Date | null;
  /** How often the refresh token was replaced; absent for sessions without one. */
  refreshGeneration?: number;
  /** When the refresh token was replaced last. */
  refreshedAt?: Date;
  /** Expiry of the newest access token. @default expiresAt */
  accessExpiresAt?: Date;
  /** A code that is exchanged for the tokens, and when the session expires then; absent once it was exchanged. */
  loginCode?: { hash: string; expiresAt: Date };
}

/** A device that receives the push notifications of a user, while the user has a session on it. */
export interface PushDeviceRecord extends BaseRecord {
  deviceId: string;
  userId: string;
  platform: 'ios' | 'android';
  /** Token of the device at the push service of its platform. */
  token: string;
}

export interface RoleRecord extends BaseRecord {
  roleId: string;
  displayName: string;
  permissions: string[];
  /** Users cannot grant roles with a higher rank than the highest of their own. */
  rank: number;
  isDeleted: boolean;
}

/** What a key of a network is for: clients sign in with `api` keys, servers of the application act with `server` keys. */
export type NetworkKeyKind = 'api' | 'server';

export interface NetworkKeyRecord {
  keyId: string;
  kind: NetworkKeyKind;
  name: string;
  /** SHA-256 of the key, hex: the key itself is never stored. */
  hash: string;
  /** Its first characters, by which its holders recognize it; absent for keys of the configuration and of older releases. */
  prefix?: string;
  createdAt: Date;
  /** When the key is refused; null: never. */
  expiresAt: Date | null;
  /** Public id of the user; null for a key of the configuration or the command line. */
  createdBy: string | null;
  /** At most a minute behind; absent until the first use. */
  lastUsedAt?: Date;
}

export interface NetworkRecord extends BaseRecord {
  displayName: string;
  /**
   * Hashes of the configured keys, which `keys` contains too. Gateways of older releases, which may run beside this one,
   * read only these.
   */
  apiKeyHash: string;
  serverKeyHash: string;
  /** Absent in networks of older releases until the first start. */
  keys?: NetworkKeyRecord[];
  /** Hashes of expired keys that made room in `keys`, so that no configuration makes one of them valid again. */
  retiredHashes?: string[];
  /** Links that sign a user in once, by the SHA-256 of their tokens; absent until the first. */
  loginLinks?: Array<{ hash: string; userId: string; expiresAt: Date }>;
  /** When on, a session needs an `authToken` minted with the server key. */
  secureMode: boolean;
  /** When off, a session for an unknown userId is rejected. */
  createsUnknownUsers: boolean;
  /** Users whose rename or deletion is not yet copied to all of their memberships; absent until the first. */
  unfinishedUserIds?: string[];
  /** Who deleted those of them that are deleted: the actors of the events that are left to report. */
  unfinishedDeletions?: Array<{ userId: string; actorId: string }>;
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
    globalFeed: {
      showMyPost: boolean;
      showEveryonePost: boolean;
      /** Absent in networks of older releases. @default true */
      showCommunityPost?: boolean;
      /** Absent in networks of older releases. @default true */
      showFollowingPost?: boolean;
    };
    /** Private: users approve their followers, who alone see their feed. Absent in networks of older releases. @default public */
    userPrivacySetting?: 'public' | 'private';
  };
  webhook: { enabled: boolean };
  /** Addresses that open records in the application; absent until they are set. */
  deepLinks?: { domain: string; patterns: Json };
}

/** What posts, comments and messages of a network cannot contain. */
export interface ContentRulesRecord extends BaseRecord {
  blockedWords: string[];
  /** null allows links to all domains. */
  allowedLinkDomains: string[] | null;
}
