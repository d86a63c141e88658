import type { BaseRecord, Json, Mentionee, Reactable, VideoFileIds } from './base.ts';
import type { FeedType } from './user.ts';

export interface PostData {
  title?: string;
  text?: string;
  fileId?: string;
  thumbnailFileId?: string;
  streamId?: string;
  videoFileId?: VideoFileIds;
  pollId?: string;
  roomId?: string;
  /** Of a clip. */
  isMuted?: boolean;
  displayMode?: 'fill' | 'fit';
}

export interface PostRecord extends BaseRecord, Reactable {
  postId: string;
  path: string;
  parentPostId: string | null;
  postedUserId: string;
  postedUserInternalId: string;
  /** The user whose post this one shares. */
  sharedUserId: string | null;
  /** The post that this one shares; absent on records of release 0.1.0. */
  sharedPostId?: string | null;
  targetType: 'community' | 'user';
  targetId: string;
  targetInternalId: string;
  feedId: string;
  feedType: FeedType;
  data: PostData;
  /** text, image, file, video, audio, clip, liveStream, poll, room or a custom dotted name. */
  dataType: string;
  structureType: 'text' | 'image' | 'video' | 'file' | 'audio' | 'clip' | 'mixed';
  metadata: Json;
  sharedCount: number;
  commentsCount: number;
  childrenNumber: number;
  impression: number;
  reach: number;
  /** Ids of the newest top-level comments, at most {@link EMBEDDED_IDS}, oldest first. */
  comments: string[];
  /** Ids of the child posts, at most {@link EMBEDDED_IDS}. */
  children: string[];
  tags: string[];
  hashtags: string[];
  mentionees: Mentionee[];
  isDeleted: boolean;
  hasFlaggedComment: boolean;
  hasFlaggedChildren: boolean;
  /** When a flag on a child was last added or removed: makes concurrent updates of `hasFlagged…` conflict. */
  flagsChangedAt?: Date;
  /** When it was last pinned: makes a pin and a concurrent deletion conflict. */
  pinnedAt?: Date;
  editedAt: Date | null;
}

/** Empty details: the defaults of a new post, and the values of an erased or hidden one. */
export function emptyPostDetails() {
  return { metadata: {}, tags: [], hashtags: [], mentionees: [] } satisfies Partial<PostRecord>;
}

/** How many ids of its comments, replies or child posts a record stores. */
export const EMBEDDED_IDS = 10;

export interface CommentRecord extends BaseRecord, Reactable {
  commentId: string;
  path: string;
  userId: string;
  userInternalId: string;
  parentId: string | null;
  /** The top-level comment of the thread; its own id on a top-level comment. */
  rootId: string;
  referenceType: 'post' | 'content' | 'story';
  referenceId: string;
  targetType: 'community' | 'user' | 'content';
  targetId: string;
  dataType: string;
  dataTypes: string[];
  data: Json;
  metadata: Json;
  childrenNumber: number;
  /** Position among the comments of the reference: 1, 2, 3 … never reused. */
  segmentNumber: number;
  /** Ids of the newest replies, at most {@link EMBEDDED_IDS}, oldest first. */
  children: string[];
  mentionees: Mentionee[];
  attachments: Array<{ type: string; fileId: string }>;
  isDeleted: boolean;
  editedAt: Date | null;
}

/** The `segmentNumber` of the newest comment of one reference. */
export interface CommentCounterRecord extends BaseRecord {
  referenceType: CommentRecord['referenceType'];
  referenceId: string;
  lastSegment: number;
}

export interface StoryRecord extends BaseRecord, Reactable {
  storyId: string;
  path: string;
  userId: string;
  userInternalId: string;
  targetType: 'community' | 'user';
  targetId: string;
  dataType: 'text' | 'image' | 'video';
  data: {
    text?: string;
    fileId?: string;
    thumbnailFileId?: string;
    imageDisplayMode?: 'fit' | 'fill';
    videoFileId?: VideoFileIds;
  };
  items: Array<{ type: string; data: Json }>;
  metadata: Json;
  commentsCount: number;
  /** Ids of the newest top-level comments, at most {@link EMBEDDED_IDS}, oldest first. */
  comments: string[];
  impression: number;
  reach: number;
  mentionedUsers: Mentionee[];
  /** Id that the client chose for the request. */
  referenceId: string | null;
  isDeleted: boolean;
  hasFlaggedComment: boolean;
  /** When a flag on a comment was last added or removed: makes concurrent updates of `hasFlaggedComment` conflict. */
  flagsChangedAt?: Date;
  expiresAt: Date;
}

/** A community or user that has had stories; if `lastStoryExpiresAt` is in the past, all have expired. */
export interface StoryTargetRecord extends BaseRecord {
  targetType: 'community' | 'user';
  targetId: string;
  targetUpdatedAt: Date;
  lastStoryExpiresAt: Date;
}

/** The stories of a target that one user has seen. */
export interface StorySeenRecord extends BaseRecord {
  userId: string;
  targetType: 'community' | 'user';
  targetId: string;
  /** Ids of seen stories that had not expired when the record was last written. */
  storyIds: string[];
  lastStorySeenExpiresAt: Date;
}

export interface ReactionRecord extends BaseRecord {
  reactionId: string;
  referenceType: 'post' | 'comment' | 'story' | 'message';
  referenceId: string;
  reactionName: string;
  userId: string;
  userInternalId: string;
}

/** One user's view of a record; `reach` is the number of these records. */
export interface ViewRecord extends BaseRecord {
  referenceType: 'post' | 'story';
  referenceId: string;
  userId: string;
}

/** One user's flag on one record; flagging again changes the reason. */
export interface FlagRecord extends BaseRecord {
  referenceType: 'post' | 'comment' | 'story' | 'message' | 'user';
  referenceId: string;
  userId: string;
  reason: string;
  detail: string;
  /** The user who wrote the record, or the flagged user; absent on flags of earlier releases. */
  authorId?: string;
  /** Where the record is; both null on users' feeds and for users. */
  communityId?: string | null;
  channelId?: string | null;
}
