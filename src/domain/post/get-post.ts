import { canSeePost, type PostPlace } from '../../access/post.ts';
import { type Context, prefetch, viewerOf } from '../../context.ts';
import type { PostRecord } from '../../store/records/content.ts';
import { feedPrivacy } from '../user/follows/feed-privacy.ts';

/** The community that a post was published in, with the viewer's membership; on a user's feed, its readers. */
export async function placeOfPost(
  context: Context,
  post: Pick<PostRecord, 'targetType' | 'targetId'>,
): Promise<PostPlace> {
  const viewer = viewerOf(context);
  if (post.targetType !== 'community') {
    const privacy = await feedPrivacy(context, viewer, post.targetId);
    return { community: null, membership: null, privacy };
  }
  const [community, membership] = await Promise.all([
    context.load.communities.load(post.targetId),
    context.load.communityUsers.load([post.targetId, viewer.userId]),
  ]);
  return { community, membership, privacy: null };
}

/** A post, or null when the viewer does not see it. */
export async function getPost(context: Context, { postId }: { postId: string }): Promise<PostRecord | null> {
  const viewer = viewerOf(context);
  const post = await context.load.posts.load(postId);
  if (!post) return null;
  // Responses show the author's membership, so it is loaded in the same command as the viewer's.
  if (post.targetType === 'community') prefetch(context.load.communityUsers.load([post.targetId, post.postedUserId]));
  const place = await placeOfPost(context, post);
  return canSeePost(viewer, post, place) ? post : null;
}

/**
 * Whether the viewer sees a post of an earlier response. A post that was deleted since is hidden only if the response
 * showed it as live.
 */
export async function seesPost(
  context: Context,
  { postId, isDeleted }: Pick<PostRecord, 'postId' | 'isDeleted'>,
): Promise<boolean> {
  const post = await context.load.posts.load(postId);
  if (!post) return false;
  const known = { ...post, isDeleted: post.isDeleted && !isDeleted };
  return canSeePost(viewerOf(context), known, await placeOfPost(context, post));
}
