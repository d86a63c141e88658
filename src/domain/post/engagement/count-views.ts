import type { ClientSession } from 'mongodb';
import { type Context, viewerOf } from '../../../context.ts';
import { postsByIds } from '../feeds/query-posts.ts';

/** The given ids, without those of deleted posts and posts that the viewer does not see. */
export async function viewablePosts(context: Context, postIds: readonly string[]): Promise<string[]> {
  const posts = await postsByIds(context, { postIds });
  return posts.filter((post) => !post.isDeleted).map(({ postId }) => postId);
}

/**
 * Counts that the viewer saw posts: one impression each, and one reach for the first time.
 * @param views.firstSeen ids of the posts that the viewer had not seen before
 */
export async function countPostViews(
  context: Context,
  session: ClientSession,
  { seen, firstSeen }: { seen: readonly string[]; firstSeen: ReadonlySet<string> },
): Promise<void> {
  const { networkId } = viewerOf(context);
  const { posts } = context.store.collections;
  const first = seen.filter((postId) => firstSeen.has(postId));
  const again = seen.filter((postId) => !firstSeen.has(postId));
  const keysOf = (postId: string[]) => ({ networkId, postId: { $in: postId } });
  if (first.length > 0) await posts.updateMany(keysOf(first), { $inc: { impression: 1, reach: 1 } }, { session });
  if (again.length > 0) await posts.updateMany(keysOf(again), { $inc: { impression: 1 } }, { session });
  for (const postId of seen) context.load.posts.clear(postId);
}
