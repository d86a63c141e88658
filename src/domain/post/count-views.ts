import { type ClientSession, ObjectId } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import { postsByIds } from './query-posts.ts';

/** Ids of those posts that the viewer sees; deleted ones are not looked at. */
export async function viewablePosts(context: Context, postIds: readonly string[]): Promise<string[]> {
  const posts = await postsByIds(context, { postIds });
  return posts.filter((post) => !post.isDeleted).map(({ postId }) => postId);
}

/** Counts that the viewer saw posts: an impression each, and reach the first time. */
export async function countPostViews(context: Context, session: ClientSession, seen: readonly string[]): Promise<void> {
  const { networkId, userId } = viewerOf(context);
  const { views, posts } = context.store.collections;
  if (seen.length === 0) return;
  const now = context.now();
  const { upsertedIds } = await views.bulkWrite(
    seen.map((referenceId) => {
      const filter = { networkId, referenceType: 'post' as const, referenceId, userId };
      const $setOnInsert = { _id: new ObjectId(), createdAt: now, updatedAt: now };
      return { updateOne: { filter, update: { $setOnInsert }, upsert: true } };
    }),
    { session },
  );
  const first = seen.filter((_, index) => index in upsertedIds);
  const again = seen.filter((_, index) => !(index in upsertedIds));
  const those = (postId: string[]) => ({ networkId, postId: { $in: postId } });
  if (first.length > 0) await posts.updateMany(those(first), { $inc: { impression: 1, reach: 1 } }, { session });
  if (again.length > 0) await posts.updateMany(those(again), { $inc: { impression: 1 } }, { session });
  for (const postId of seen) context.load.posts.clear(postId);
}
