import type { ClientSession } from 'mongodb';
import { type Context, viewerOf } from '../../../context.ts';
import { updateOneOf } from '../../../store/write-together.ts';
import { type FeedMove, feedCountUpdate } from '../../feeds.ts';

/**
 * Updates the post counts of a community's feeds, and `postsCount` for published posts.
 * @returns false when there is no such community; a deleted one accepts no new posts but counts removals
 */
export async function countPostInCommunity(
  context: Context,
  session: ClientSession,
  { communityId, ...move }: FeedMove & { communityId: string },
): Promise<boolean> {
  const { networkId } = viewerOf(context);
  const { $inc, $set, arrayFilters } = feedCountUpdate(move, context.now());
  const published = (move.to === 'published' ? 1 : 0) - (move.from === 'published' ? 1 : 0);
  const matchedCount = await updateOneOf(
    context.store.collections.communities,
    {
      filter: { networkId, communityId, ...(move.to && { isDeleted: false }) },
      update: { $inc: { ...$inc, ...(published !== 0 && { postsCount: published }) }, $set },
      arrayFilters,
    },
    session,
  );
  return matchedCount === 1;
}
