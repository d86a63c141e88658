import type { ClientSession } from 'mongodb';
import { isBannedFrom, isMember } from '../../../access/community.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { notFound, OperationError } from '../../../errors.ts';
import { withoutEndedBan } from '../../../store/ended-bans.ts';

/**
 * Writes the community's record, so that of two concurrent join requests the later one retries and finds the first.
 * @throws {OperationError} NOT_FOUND when the community was deleted, BANNED, CONFLICT when the viewer is a member
 */
export async function lockForJoinRequest(
  context: Context,
  session: ClientSession,
  { communityId }: { communityId: string },
): Promise<void> {
  const { networkId, userId } = viewerOf(context);
  const { communities, communityUsers } = context.store.collections;
  const locked = await communities.updateOne(
    { networkId, communityId, isDeleted: false },
    { $set: { joinRequestedAt: context.now() } },
    { session },
  );
  if (locked.matchedCount === 0) throw notFound('Community');
  const stored = await communityUsers.findOne({ networkId, communityId, userId }, { session });
  const membership = stored && withoutEndedBan(stored, context.hasPassed);
  if (isBannedFrom(membership)) throw new OperationError('BANNED');
  if (isMember(membership)) throw new OperationError('CONFLICT');
}
