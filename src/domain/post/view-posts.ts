import { ObjectId } from 'mongodb';
import { z } from 'zod';
import { type Context, viewerOf } from '../../context.ts';
import { checked, ids } from '../input.ts';
import { turnAt } from '../turn.ts';
import { postsByIds } from './query-posts.ts';

const viewPostsInput = z.object({ postIds: ids({ max: 100 }) });

/**
 * Counts that the viewer saw posts: an impression each, and reach once a user. What they cannot see is left out.
 * @returns the ids of the posts that were counted
 */
export async function viewPosts(context: Context, input: { postIds: string[] }): Promise<string[]> {
  const { networkId, userId } = viewerOf(context);
  const { postIds } = checked(viewPostsInput, input);
  const posts = (await postsByIds(context, { postIds })).filter((post) => !post.isDeleted);
  if (posts.length === 0) return [];
  const seen = posts.map(({ postId }) => postId);
  await context.transaction(
    async (session) => {
      const { views, posts: collection } = context.store.collections;
      const now = context.now();
      const $setOnInsert = { createdAt: now, updatedAt: now };
      const { upsertedIds } = await views.bulkWrite(
        seen.map((referenceId) => {
          const own = { networkId, referenceType: 'post' as const, referenceId, userId };
          return {
            updateOne: {
              filter: own,
              update: { $setOnInsert: { ...$setOnInsert, _id: new ObjectId() } },
              upsert: true,
            },
          };
        }),
        { session },
      );
      const first = seen.filter((_, index) => index in upsertedIds);
      const again = seen.filter((_, index) => !(index in upsertedIds));
      const those = (postId: string[]) => ({ networkId, postId: { $in: postId } });
      if (first.length > 0)
        await collection.updateMany(those(first), { $inc: { impression: 1, reach: 1 } }, { session });
      if (again.length > 0) await collection.updateMany(those(again), { $inc: { impression: 1 } }, { session });
    },
    // Everybody who looks at a feed sees the same posts.
    turnAt(context, 'record', 'views'),
  );
  for (const postId of seen) context.load.posts.clear(postId);
  return seen;
}
