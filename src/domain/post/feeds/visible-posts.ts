import { canModeratePosts, canSeePost } from '../../../access/post.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { type MaybePromise, whenAllLoaded, whenLoaded } from '../../../lib/maybe-promise.ts';
import type { PostRecord } from '../../../store/records/content.ts';
import { excludeBlockedAuthors } from '../../user/blocks/without-blocked.ts';
import { placeOfPost } from '../get-post.ts';

/** Filters posts to those that the viewer sees. Loads communities and memberships in one command each. */
export function visiblePosts(context: Context, posts: readonly PostRecord[]): MaybePromise<PostRecord[]> {
  const viewer = viewerOf(context);
  return whenAllLoaded(
    posts.map((post) => placeOfPost(context, post)),
    (places) => posts.filter((post, index) => canSeePost(viewer, post, places[index]!)),
  );
}

/** Filters posts to those that the viewer moderates. */
export async function moderatedPosts(context: Context, posts: readonly PostRecord[]): Promise<PostRecord[]> {
  const viewer = viewerOf(context);
  const places = await Promise.all(posts.map((post) => placeOfPost(context, post)));
  return posts.filter((post, index) => {
    const place = places[index]!;
    return canSeePost(viewer, post, place) && canModeratePosts(viewer, place);
  });
}

/** Leaves out posts of users whom the viewer blocked, except where the viewer moderates. */
export function withoutBlockedAuthors(context: Context, posts: PostRecord[]): MaybePromise<PostRecord[]> {
  return excludeBlockedAuthors(context, posts, {
    authorOf: (post) => post.postedUserId,
    isModerated: (post) =>
      whenLoaded(placeOfPost(context, post), (place) => canModeratePosts(viewerOf(context), place)),
  });
}
