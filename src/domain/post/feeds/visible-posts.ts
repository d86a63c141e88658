import { canModeratePosts, canSeePost } from '../../../access/post.ts';
import { type Context, viewerOf } from '../../../context.ts';
import type { PostRecord } from '../../../store/records/content.ts';
import { excludeBlockedAuthors } from '../../user/blocks/without-blocked.ts';
import { placeOfPost } from '../get-post.ts';

/** Those of the posts that the viewer sees, in the same order; communities and memberships come in one command each. */
export async function visiblePosts(context: Context, posts: readonly PostRecord[]): Promise<PostRecord[]> {
  const viewer = viewerOf(context);
  const places = await Promise.all(posts.map((post) => placeOfPost(context, post)));
  return posts.filter((post, index) => canSeePost(viewer, post, places[index]!));
}

/** Those of the posts that the viewer moderates. */
export async function moderatedPosts(context: Context, posts: readonly PostRecord[]): Promise<PostRecord[]> {
  const viewer = viewerOf(context);
  const places = await Promise.all(posts.map((post) => placeOfPost(context, post)));
  return posts.filter((post, index) => {
    const place = places[index]!;
    return canSeePost(viewer, post, place) && canModeratePosts(viewer, place);
  });
}

/** Those of visible posts that a list shows: users whom the viewer blocked are left out where the viewer does not moderate. */
export function shownPosts(context: Context, posts: PostRecord[]): Promise<PostRecord[]> {
  return excludeBlockedAuthors(context, posts, {
    authorOf: (post) => post.postedUserId,
    isModerated: async (post) => canModeratePosts(viewerOf(context), await placeOfPost(context, post)),
  });
}
