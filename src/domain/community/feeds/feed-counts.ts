import type { ClientSession, Document } from 'mongodb';
import { type Context, viewerOf } from '../../../context.ts';
import type { FeedType } from '../../../store/records/user.ts';

/** A parent post that is added to a feed (`to`), removed from one (`from`), or moved. */
export interface FeedMove {
  from?: FeedType;
  to?: FeedType;
}

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
  const { $inc, $set, arrayFilters } = feedChange(move, context.now());
  const published = (move.to === 'published' ? 1 : 0) - (move.from === 'published' ? 1 : 0);
  const { matchedCount } = await context.store.collections.communities.updateOne(
    { networkId, communityId, ...(move.to && { isDeleted: false }) },
    { $inc: { ...$inc, ...(published !== 0 && { postsCount: published }) }, $set },
    { session, arrayFilters },
  );
  return matchedCount === 1;
}

/** The update of the user or community that owns the feeds. */
export function feedChange({ from, to }: FeedMove, now: Date) {
  const $inc: { [path: string]: number } = {};
  const $set: { [path: string]: Date } = {};
  const arrayFilters: Document[] = [];
  for (const [name, feedType, by] of [['old', from, -1] as const, ['new', to, 1] as const]) {
    if (!feedType) continue;
    $inc[`feeds.$[${name}].postCount`] = by;
    $set[`feeds.$[${name}].updatedAt`] = now;
    arrayFilters.push({ [`${name}.feedType`]: feedType });
  }
  return { $inc, $set, arrayFilters };
}
