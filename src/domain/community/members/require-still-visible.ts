import type { ClientSession } from 'mongodb';
import { canSeeInsideCommunity } from '../../../access/community.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { withoutEndedBan } from '../../../store/ended-bans.ts';

/**
 * Checks in a transaction that the viewer still sees inside a community, because it may have waited for a lock.
 * @throws {OperationError} NOT_FOUND
 */
export async function requireStillVisible(
  context: Context,
  session: ClientSession,
  { communityId }: { communityId: string },
): Promise<void> {
  const viewer = viewerOf(context);
  const { networkId, userId } = viewer;
  const community = await context.load.communities.load(communityId);
  const stored = await context.store.collections.communityUsers.findOne(
    { networkId, communityId, userId },
    { session },
  );
  const membership = stored && withoutEndedBan(stored, context.hasPassed);
  if (!community || !canSeeInsideCommunity(viewer, community, membership)) throw notFound('Community');
}
