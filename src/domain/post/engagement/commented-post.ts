import type { ClientSession } from 'mongodb';
import { type Context, viewerOf } from '../../../context.ts';
import { notFound, OperationError } from '../../../errors.ts';
import type { PostRecord } from '../../../store/records/content.ts';
import { type CommentChange, countComment } from '../../engagement/count-comment.ts';
import { getPost } from '../get-post.ts';

/** @throws {OperationError} NOT_FOUND, BAD_REQUEST for a post that is not published */
export async function commentablePost(context: Context, postId: string): Promise<PostRecord> {
  const post = await getPost(context, { postId });
  if (!post || post.isDeleted) throw notFound('Post');
  if (post.feedType !== 'published')
    throw new OperationError('BAD_REQUEST', { message: 'This post is not published.' });
  return post;
}

/** @throws {OperationError} NOT_FOUND when a comment is added and the post was deleted meanwhile */
export async function countCommentOnPost(
  context: Context,
  session: ClientSession,
  { postId, ...change }: CommentChange & { postId: string },
): Promise<void> {
  const { networkId } = viewerOf(context);
  const filter = { networkId, postId, ...(change.by > 0 && { isDeleted: false }) };
  const isCounted = await countComment({ ...change, session, collection: context.store.collections.posts, filter });
  if (!isCounted && change.by > 0) throw notFound('Post');
}

/** Sets whether a post has a flagged comment. */
export async function markCommentedPost(
  context: Context,
  session: ClientSession,
  { postId, hasFlaggedComment }: { postId: string; hasFlaggedComment: boolean },
): Promise<void> {
  const { networkId } = viewerOf(context);
  const marks = { hasFlaggedComment, flagsChangedAt: context.now() };
  await context.store.collections.posts.updateOne({ networkId, postId }, { $set: marks }, { session });
}
