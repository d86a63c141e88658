import type { ClientSession } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { PostRecord } from '../../store/records/content.ts';
import { markFlaggedPost } from '../community/mark-flagged-post.ts';
import { uncountFlag } from '../flag/count-flag.ts';
import { flaggersOf, removeFlag } from '../flag/record-flag.ts';
import { flagsTurn, forgetFlagged } from './flag-post.ts';
import { getPost } from './get-post.ts';

/**
 * Takes the viewer's flag on a post back; without one nothing happens.
 * @throws {OperationError} NOT_FOUND when the post is absent or not to be seen
 */
export async function unflagPost(context: Context, { postId }: { postId: string }): Promise<PostRecord> {
  const { networkId, userId } = viewerOf(context);
  const post = await getPost(context, { postId });
  if (!post) throw notFound('Post');
  const reference = { referenceType: 'post', referenceId: postId } as const;
  const unflagged = await context.transaction(async (session) => {
    if (!(await removeFlag(context, session, { ...reference, userId }))) return null;
    const flaggers = await flaggersOf(context, session, reference);
    const { posts } = context.store.collections;
    const left = await uncountFlag({ session, collection: posts, filter: { networkId, postId }, flaggers });
    if (left?.flagCount === 0) await takeMarksBack(context, session, post);
    return left;
  }, flagsTurn(post));
  forgetFlagged(context, post);
  return unflagged ?? post;
}

/** The marks above a post stay while another post there is flagged. */
async function takeMarksBack(context: Context, session: ClientSession, post: PostRecord): Promise<void> {
  const { posts } = context.store.collections;
  const { networkId } = viewerOf(context);
  const { targetType, targetId, parentPostId } = post;
  const isFlagged = { flagCount: { $gt: 0 } };
  const one = { session, projection: { _id: 1 } } as const;
  if (parentPostId) {
    const sibling = await posts.findOne({ networkId, parentPostId, ...isFlagged }, one);
    const marks = { hasFlaggedChildren: sibling !== null, flagsChangedAt: context.now() };
    await posts.updateOne({ networkId, postId: parentPostId }, { $set: marks }, { session });
  }
  if (targetType !== 'community') return;
  const other = await posts.findOne({ networkId, targetType, targetId, ...isFlagged }, one);
  await markFlaggedPost(context, session, { communityId: targetId, hasFlaggedPost: other !== null });
}
