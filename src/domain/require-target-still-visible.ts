import type { ClientSession } from 'mongodb';
import type { Context } from '../context.ts';
import { requireStillVisible } from './community/members/require-still-visible.ts';
import { requireFeedStillVisible } from './user/follows/require-still-on-feed.ts';

/**
 * Checks in a transaction that the viewer still sees inside the community, or the feed of the user, in which content was
 * published, because it may have waited for a lock.
 * @throws {OperationError} NOT_FOUND
 */
export async function requireTargetStillVisible(
  context: Context,
  session: ClientSession,
  { targetType, targetId }: { targetType: string; targetId: string },
): Promise<void> {
  if (targetType === 'community') await requireStillVisible(context, session, { communityId: targetId });
  else await requireFeedStillVisible(context, session, { targetType, targetId });
}
