import { canSeePost } from '../../../access/post.ts';
import { type Context, viewerOf } from '../../../context.ts';
import type { PostRecord } from '../../../store/records/content.ts';
import { placeOfPost } from '../get-post.ts';

/** The child posts that the viewer sees, in the order of creation. */
export async function visibleChildren(context: Context, post: PostRecord): Promise<PostRecord[]> {
  if (post.children.length === 0) return [];
  const viewer = viewerOf(context);
  const [children, place] = await Promise.all([
    Promise.all(post.children.map((postId) => context.load.posts.load(postId))),
    placeOfPost(context, post),
  ]);
  return children.filter((child): child is PostRecord => child !== null && canSeePost(viewer, child, place));
}
