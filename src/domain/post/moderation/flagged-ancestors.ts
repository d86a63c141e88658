import type { ClientSession } from 'mongodb';
import { type Context, viewerOf } from '../../../context.ts';
import type { PostRecord } from '../../../store/records/content.ts';
import { markFlaggedContent } from '../../community/mark-flagged-content.ts';

type FlaggedPost = Pick<PostRecord, 'targetType' | 'targetId' | 'parentPostId'>;

/** Marks the parent post and the community of a flagged post. Needed only for the first flag of a post. */
export async function markAncestorsOfPost(context: Context, session: ClientSession, post: FlaggedPost): Promise<void> {
  const { networkId } = viewerOf(context);
  const { targetType, targetId, parentPostId } = post;
  if (parentPostId) {
    const marks = { hasFlaggedChildren: true, flagsChangedAt: context.now() };
    await context.store.collections.posts.updateOne({ networkId, postId: parentPostId }, { $set: marks }, { session });
  }
  if (targetType === 'community')
    await markFlaggedContent(context, session, { communityId: targetId, hasFlaggedPost: true });
}

/**
 * Removes the marks of a post that was deleted or is no longer flagged from its parent and its community, unless another
 * post there is flagged.
 * @returns whether its parent still has a flagged child
 */
export async function unmarkAncestorsOfPost(
  context: Context,
  session: ClientSession,
  post: FlaggedPost,
): Promise<Pick<PostRecord, 'hasFlaggedChildren'>> {
  const { posts } = context.store.collections;
  const { networkId } = viewerOf(context);
  const { targetType, targetId, parentPostId } = post;
  const isFlagged = { flagCount: { $gt: 0 }, isDeleted: false };
  const one = { session, projection: { _id: 1 } } as const;
  let hasFlaggedChildren = false;
  if (parentPostId) {
    const sibling = await posts.findOne({ networkId, parentPostId, ...isFlagged }, one);
    hasFlaggedChildren = sibling !== null;
    const marks = { hasFlaggedChildren, flagsChangedAt: context.now() };
    await posts.updateOne({ networkId, postId: parentPostId }, { $set: marks }, { session });
  }
  if (targetType !== 'community') return { hasFlaggedChildren };
  const other = await posts.findOne({ networkId, targetType, targetId, ...isFlagged }, one);
  await markFlaggedContent(context, session, { communityId: targetId, hasFlaggedPost: other !== null });
  return { hasFlaggedChildren };
}
