import type { Mentionee } from '../../store/records/base.ts';
import {
  type CommentRecord,
  emptyPostDetails,
  type FlagRecord,
  type PostRecord,
  type ReactionRecord,
  type StoryRecord,
} from '../../store/records/content.ts';
import type { Given, SampleContext } from '../context.ts';
import { baseRecord, NO_REACTIONS } from './base.ts';
import { feedIdOf } from './user.ts';

const STRUCTURES: { [dataType: string]: PostRecord['structureType'] } = {
  image: 'image',
  video: 'video',
  file: 'file',
  audio: 'audio',
  clip: 'clip',
};

export function postRecord(
  context: SampleContext,
  given: Given<PostRecord, 'postId' | 'postedUserId' | 'targetType' | 'targetId' | 'data'>,
): PostRecord {
  const { postId, targetType, targetId, feedType = 'published', dataType = 'text' } = given;
  const targetInternalId = context.hex(targetType, targetId);
  return {
    ...baseRecord(context, { kind: 'post', name: postId }, given),
    ...NO_REACTIONS,
    reactions: {},
    path: `${context.networkId}/social/${targetType}/${targetInternalId}/post/${postId}`,
    parentPostId: null,
    postedUserInternalId: context.hex('user', given.postedUserId),
    sharedUserId: null,
    sharedPostId: null,
    targetInternalId,
    feedId: feedIdOf(context, { targetType, targetId, feedType }),
    feedType,
    dataType,
    structureType: STRUCTURES[dataType] ?? 'text',
    sharedCount: 0,
    commentsCount: 0,
    childrenNumber: 0,
    impression: 0,
    reach: 0,
    comments: [],
    children: [],
    ...emptyPostDetails(),
    isDeleted: false,
    hasFlaggedComment: false,
    hasFlaggedChildren: false,
    editedAt: null,
    ...given,
  };
}

/** A child post with the author, target and feed of `parent`. */
export function childPostRecord(
  context: SampleContext,
  parent: PostRecord,
  given: Given<PostRecord, 'postId' | 'dataType' | 'data'>,
): PostRecord {
  const { postedUserId, targetType, targetId, feedType, createdAt } = parent;
  const place = { postedUserId, targetType, targetId, feedType, createdAt, parentPostId: parent.postId };
  return postRecord(context, { ...place, ...given });
}

export interface Comment extends Given<CommentRecord, 'commentId' | 'userId'> {
  on: PostRecord | StoryRecord;
  parent?: CommentRecord;
  text?: string;
}

/** A comment without its `segmentNumber`, which `deriveComments` sets from the order of comments. */
export function commentRecord(context: SampleContext, comment: Comment): CommentRecord {
  const { on, parent, text, ...given } = comment;
  const { commentId, dataTypes = ['text'] } = given;
  return {
    ...baseRecord(context, { kind: 'comment', name: commentId }, { createdAt: on.createdAt, ...given }),
    ...NO_REACTIONS,
    reactions: {},
    path: `${on.path}/comment/${commentId}`,
    userInternalId: context.hex('user', given.userId),
    parentId: parent?.commentId ?? null,
    rootId: parent?.rootId ?? commentId,
    referenceType: 'postId' in on ? 'post' : 'story',
    referenceId: 'postId' in on ? on.postId : on.storyId,
    targetType: on.targetType,
    targetId: on.targetId,
    dataType: dataTypes[0] ?? 'text',
    dataTypes,
    data: text === undefined ? {} : { text },
    metadata: {},
    childrenNumber: 0,
    segmentNumber: 0,
    children: [],
    mentionees: [],
    attachments: [],
    isDeleted: false,
    editedAt: null,
    ...given,
  };
}

export function storyRecord(
  context: SampleContext,
  given: Given<StoryRecord, 'storyId' | 'userId' | 'targetType' | 'targetId' | 'dataType' | 'data' | 'expiresAt'>,
): StoryRecord {
  const { storyId, targetType, targetId } = given;
  return {
    ...baseRecord(context, { kind: 'story', name: storyId }, given),
    ...NO_REACTIONS,
    reactions: {},
    path: `${context.networkId}/social/${targetType}/${targetId}/story/${storyId}`,
    userInternalId: context.hex('user', given.userId),
    items: [],
    metadata: {},
    commentsCount: 0,
    comments: [],
    impression: 0,
    reach: 0,
    mentionedUsers: [],
    referenceId: null,
    isDeleted: false,
    hasFlaggedComment: false,
    ...given,
  };
}

export function reactionRecord(
  context: SampleContext,
  given: Given<ReactionRecord, 'referenceType' | 'referenceId' | 'reactionName' | 'userId'>,
): ReactionRecord {
  const { referenceType, referenceId, reactionName, userId } = given;
  const name = `${referenceType}/${referenceId}/${userId}/${reactionName}`;
  const base = baseRecord(context, { kind: 'reaction', name }, given);
  return { ...base, reactionId: base._id.toHexString(), userInternalId: context.hex('user', userId), ...given };
}

export function flagRecord(
  context: SampleContext,
  given: Given<FlagRecord, 'referenceType' | 'referenceId' | 'userId' | 'reason'>,
): FlagRecord {
  const name = `${given.referenceType}/${given.referenceId}/${given.userId}`;
  return { ...baseRecord(context, { kind: 'flag', name }, given), detail: '', ...given };
}

export function mentionOf(context: SampleContext, ...userIds: string[]): Mentionee {
  return { type: 'user', userIds, userInternalIds: userIds.map((userId) => context.hex('user', userId)) };
}
