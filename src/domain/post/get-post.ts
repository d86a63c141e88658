import { canSeePost, type PostPlace } from '../../access/post.ts';
import { type Context, prefetch, viewerOf } from '../../context.ts';
import { type MaybePromise, whenAllLoaded, whenLoaded } from '../../lib/maybe-promise.ts';
import type { PostRecord } from '../../store/records/content.ts';
import { feedPrivacy } from '../user/follows/feed-privacy.ts';

/** The community that a post was published in, with the viewer's membership; on a user's feed, its readers. */
export function placeOfPost(
  context: Context,
  post: Pick<PostRecord, 'targetType' | 'targetId'>,
): MaybePromise<PostPlace> {
  const viewer = viewerOf(context);
  if (post.targetType !== 'community') {
    return whenLoaded(feedPrivacy(context, viewer, post.targetId), (privacy) => ({
      community: null,
      membership: null,
      privacy,
    }));
  }
  return whenAllLoaded(
    [context.load.communities.load(post.targetId), context.load.communityUsers.load([post.targetId, viewer.userId])],
    ([community, membership]) => ({ community, membership, privacy: null }),
  );
}

/** A post, or null when the viewer does not see it. */
export function getPost(context: Context, { postId }: { postId: string }): MaybePromise<PostRecord | null> {
  const viewer = viewerOf(context);
  return whenLoaded(context.load.posts.load(postId), (post) => {
    if (!post) return null;
    // Responses show the author's membership, so it is loaded in the same command as the viewer's.
    if (post.targetType === 'community') prefetch(context.load.communityUsers.load([post.targetId, post.postedUserId]));
    return whenLoaded(placeOfPost(context, post), (place) => (canSeePost(viewer, post, place) ? post : null));
  });
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
