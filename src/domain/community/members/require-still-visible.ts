import type { ClientSession } from 'mongodb';
import { canSeeInsideCommunity, isMember } from '../../../access/community.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { withoutEndedBan } from '../../../store/ended-bans.ts';
import { isKnownToHave } from '../../../store/write-together.ts';

/**
 * Checks in a transaction that the viewer still sees inside a community, because it may have waited for a lock. The
 * community is read only for users who are no members: members see inside every community that is not deleted, and
 * nobody sees what is written to one that was deleted meanwhile.
 * @throws {OperationError} NOT_FOUND
 */
export async function requireStillVisible(
  context: Context,
  session: ClientSession,
  { communityId }: { communityId: string },
): Promise<void> {
  const viewer = viewerOf(context);
  const { networkId, userId } = viewer;
  const { communities, communityUsers } = context.store.collections;
  const own = { networkId, communityId, userId };
  if (await isKnownToHave(communityUsers, own, { communityMembership: 'member' }, session)) return;
  const stored = await communityUsers.findOne(own, { session });
  const membership = stored && withoutEndedBan(stored, context.hasPassed);
  if (isMember(membership)) return;
  const community = await communities.findOne({ networkId, communityId }, { session });
  if (!community || !canSeeInsideCommunity(viewer, community, membership)) throw notFound('Community');
}
