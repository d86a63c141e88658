import type { ClientSession } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import { type FeedMove, feedChange } from '../community/feeds/feed-counts.ts';

/**
 * Counts a post in the feeds of a user.
 * @returns false when there is no such user; one whose account is deleted takes no post, but lets posts go
 */
export async function countPostOfUser(
  context: Context,
  session: ClientSession,
  { userId, ...move }: FeedMove & { userId: string },
): Promise<boolean> {
  const { networkId } = viewerOf(context);
  const { $inc, $set, arrayFilters } = feedChange(move, context.now());
  const { matchedCount } = await context.store.collections.users.updateOne(
    { networkId, userId, ...(move.to && { isDeleted: false }) },
    { $inc, $set },
    { session, arrayFilters },
  );
  return matchedCount === 1;
}
