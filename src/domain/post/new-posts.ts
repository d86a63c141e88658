import { ObjectId } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import { EMBEDDED_IDS, emptyPostDetails, type PostRecord } from '../../store/records/content.ts';
import { type ChildContent, structureOf } from './content/post-content.ts';

/** The target of a post and its feed there. */
export type PostTarget = Pick<PostRecord, 'targetType' | 'targetId' | 'targetInternalId' | 'feedId' | 'feedType'>;

/** The record of a new post. */
export function newPost(
  context: Context,
  given: PostTarget & Pick<PostRecord, 'data' | 'dataType' | 'structureType'> & Partial<PostRecord>,
): PostRecord {
  const { networkId, userId, userInternalId } = viewerOf(context);
  const { targetType, targetInternalId } = given;
  const _id = new ObjectId();
  const postId = _id.toHexString();
  const now = context.now();
  return {
    _id,
    networkId,
    postId,
    path: `${networkId}/social/${targetType}/${targetInternalId}/post/${postId}`,
    parentPostId: null,
    postedUserId: userId,
    postedUserInternalId: userInternalId,
    sharedUserId: null,
    sharedPostId: null,
    flagCount: 0,
    hashFlag: null,
    reactionsCount: 0,
    reactions: {},
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
    createdAt: now,
    updatedAt: now,
    ...given,
  };
}

/** The records of child posts, created one millisecond apart to keep their order. */
export function newChildren(context: Context, parent: PostRecord, contents: readonly ChildContent[]): PostRecord[] {
  const { postedUserId, postedUserInternalId, targetType, targetId, targetInternalId, feedId, feedType } = parent;
  const shared = { postedUserId, postedUserInternalId, targetType, targetId, targetInternalId, feedId, feedType };
  const firstCreatedAt = context.now().getTime();
  return contents.map(({ dataType, data }, index) => {
    const createdAt = new Date(firstCreatedAt + index);
    return newPost(context, {
      ...shared,
      parentPostId: parent.postId,
      dataType,
      data,
      structureType: structureOf([{ dataType }]),
      createdAt,
      updatedAt: createdAt,
    });
  });
}

/** The fields of a parent post that follow from its children. */
export function childSummary(children: ReadonlyArray<Pick<PostRecord, 'postId'>>) {
  return {
    childrenNumber: children.length,
    children: children.map(({ postId }) => postId).slice(-EMBEDDED_IDS),
  };
}
