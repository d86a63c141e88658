import { type Context, viewerOf } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import type { PostRecord } from '../../../store/records/content.ts';
import { getPost } from '../get-post.ts';

/** Whether the viewer flagged a post; one that nobody flagged needs no look-up. */
export async function isPostFlaggedByViewer(context: Context, { postId, flagCount }: PostRecord): Promise<boolean> {
  if (flagCount === 0) return false;
  const flags = await context.load.myFlags.load([postId, viewerOf(context).userId]);
  return (flags ?? []).some((flag) => flag.referenceType === 'post');
}

/**
 * As {@link isPostFlaggedByViewer}, by id.
 * @throws {OperationError} NOT_FOUND when the post is absent or not to be seen
 */
export async function isPostFlagged(context: Context, { postId }: { postId: string }): Promise<boolean> {
  const post = await getPost(context, { postId });
  if (!post) throw notFound('Post');
  return isPostFlaggedByViewer(context, post);
}
