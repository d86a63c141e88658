import type { ClientSession } from 'mongodb';
import { type Context, viewerOf } from '../../../context.ts';
import { insertViews } from '../../view/insert-views.ts';
import { postsByIds } from '../feeds/query-posts.ts';

/** Ids of those posts that the viewer sees; deleted ones are not looked at. */
export async function viewablePosts(context: Context, postIds: readonly string[]): Promise<string[]> {
  const posts = await postsByIds(context, { postIds });
  return posts.filter((post) => !post.isDeleted).map(({ postId }) => postId);
}

/** Counts that the viewer saw posts: an impression each, and reach the first time. */
export async function countPostViews(context: Context, session: ClientSession, seen: readonly string[]): Promise<void> {
  const { networkId } = viewerOf(context);
  const { posts } = context.store.collections;
  if (seen.length === 0) return;
  const isNew = await insertViews(context, session, { referenceType: 'post', ids: seen });
  const first = seen.filter((postId) => isNew.has(postId));
  const again = seen.filter((postId) => !isNew.has(postId));
  const those = (postId: string[]) => ({ networkId, postId: { $in: postId } });
  if (first.length > 0) await posts.updateMany(those(first), { $inc: { impression: 1, reach: 1 } }, { session });
  if (again.length > 0) await posts.updateMany(those(again), { $inc: { impression: 1 } }, { session });
  for (const postId of seen) context.load.posts.clear(postId);
}
