import { canSeePost, type PostPlace } from '../../access/post.ts';
import { type Context, prefetch, viewerOf } from '../../context.ts';
import type { PostRecord } from '../../store/records/content.ts';

/** The community a post belongs to and the viewer's membership there. */
export async function placeOfPost(
  context: Context,
  post: Pick<PostRecord, 'targetType' | 'targetId'>,
): Promise<PostPlace> {
  if (post.targetType !== 'community') return { community: null, membership: null };
  const [community, membership] = await Promise.all([
    context.load.communities.load(post.targetId),
    context.load.communityUsers.load([post.targetId, viewerOf(context).userId]),
  ]);
  return { community, membership };
}

/** One post (interface §4.3), or null when it is absent or not to be seen. */
export async function getPost(context: Context, { postId }: { postId: string }): Promise<PostRecord | null> {
  const viewer = viewerOf(context);
  const post = await context.load.posts.load(postId);
  if (!post) return null;
  // The author's membership is always shown beside the post, so it joins the viewer's in one command.
  if (post.targetType === 'community') prefetch(context.load.communityUsers.load([post.targetId, post.postedUserId]));
  const place = await placeOfPost(context, post);
  return canSeePost(viewer, post, place) ? post : null;
}

/** Whether the viewer sees a post that they were answered before; its deletion hides nothing from those it was answered to. */
export async function seesPost(
  context: Context,
  { postId, isDeleted }: Pick<PostRecord, 'postId' | 'isDeleted'>,
): Promise<boolean> {
  const post = await context.load.posts.load(postId);
  if (!post) return false;
  const known = { ...post, isDeleted: post.isDeleted && !isDeleted };
  return canSeePost(viewerOf(context), known, await placeOfPost(context, post));
}
