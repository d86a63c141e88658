import type { ClientSession } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import { updateOneOf } from '../../store/write-together.ts';
import { type FeedMove, feedCountUpdate } from '../feeds.ts';

/**
 * Updates the post counts of a user's feeds.
 * @returns false when there is no such user; a deleted one accepts no new posts but counts removals
 */
export async function countPostOfUser(
  context: Context,
  session: ClientSession,
  { userId, ...move }: FeedMove & { userId: string },
): Promise<boolean> {
  const { networkId } = viewerOf(context);
  const { $inc, $set, arrayFilters } = feedCountUpdate(move, context.now());
  const matchedCount = await updateOneOf(
    context.store.collections.users,
    { filter: { networkId, userId, ...(move.to && { isDeleted: false }) }, update: { $inc, $set }, arrayFilters },
    session,
  );
  return matchedCount === 1;
}
