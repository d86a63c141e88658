import type { ClientSession } from 'mongodb';
import type { Context } from '../../../context.ts';
import { notFound, OperationError } from '../../../errors.ts';
import type { CommunityRecord, CommunityUserRecord } from '../../../store/records/community.ts';
import { COMMUNITY_MODERATOR } from './change-roles.ts';
import type { Move } from './move-members.ts';

interface Count {
  /** Who was a member until now. */
  left: CommunityUserRecord[];
  joined: string[];
  now: Date;
}

/**
 * The community's counts follow those who moved. Whoever leaves it without a moderator is refused.
 * @throws {OperationError} LAST_MODERATOR, LAST_MEMBER, NOT_FOUND, CONFLICT as {@link Move} says
 */
export async function updateMemberCounts(
  context: Context,
  session: ClientSession,
  { community: { networkId, communityId }, moderators = [], where }: Pick<Move, 'community' | 'moderators' | 'where'>,
  { left, joined, now }: Count,
): Promise<CommunityRecord> {
  const { communities } = context.store.collections;
  const moderatorsLeft = left.filter((member) => member.roles.includes(COMMUNITY_MODERATOR)).length;
  const moderatorsJoined = joined.filter((userId) => moderators.includes(userId)).length;
  const enough = moderatorsLeft > 0 ? { moderatorMemberCount: { $gt: moderatorsLeft } } : {};
  const counted = await communities.findOneAndUpdate(
    { ...where, networkId, communityId, isDeleted: false, ...enough },
    {
      $inc: { membersCount: joined.length - left.length, moderatorMemberCount: moderatorsJoined - moderatorsLeft },
      $set: { updatedAt: now },
    },
    { session, returnDocument: 'after' },
  );
  if (counted) return counted;
  const standing = await communities.findOne({ networkId, communityId, isDeleted: false }, { session });
  if (!standing) throw notFound('Community');
  if (where) throw new OperationError('CONFLICT');
  throw new OperationError(standing.membersCount > left.length ? 'LAST_MODERATOR' : 'LAST_MEMBER');
}
