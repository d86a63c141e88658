import { canSeePost } from '../../../access/post.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { type MaybePromise, whenAllLoaded } from '../../../lib/maybe-promise.ts';
import type { PostRecord } from '../../../store/records/content.ts';
import { placeOfPost } from '../get-post.ts';

/** The child posts that the viewer sees, in the order of creation. */
export function visibleChildren(context: Context, post: PostRecord): MaybePromise<PostRecord[]> {
  if (post.children.length === 0) return [];
  const viewer = viewerOf(context);
  const place = placeOfPost(context, post);
  return whenAllLoaded(
    [place, ...post.children.map((postId) => context.load.posts.load(postId))],
    ([known, ...children]) =>
      children.filter((child): child is PostRecord => child !== null && canSeePost(viewer, child, known)),
  );
}
