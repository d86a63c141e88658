import type { ClientSession, Filter } from 'mongodb';
import type { Context } from '../../../context.ts';
import { notFound, OperationError } from '../../../errors.ts';
import type { CommunityRecord, CommunityUserRecord } from '../../../store/records/community.ts';
import { COMMUNITY_MODERATOR } from './change-roles.ts';

interface CountChange {
  community: Pick<CommunityRecord, 'networkId' | 'communityId'>;
  /** Memberships that end, before the change. */
  left: CommunityUserRecord[];
  /** Users who become members. */
  joined: string[];
  /** User ids of new members who become moderators. */
  moderators?: readonly string[] | undefined;
  /** Conditions that the community must still meet. */
  where?: Filter<CommunityRecord> | undefined;
  now: Date;
}

/**
 * Updates the member and moderator counts of a community. A community with members keeps at least one moderator.
 * @throws {OperationError} LAST_MODERATOR, LAST_MEMBER; NOT_FOUND when the community was deleted meanwhile; CONFLICT
 *   when it no longer meets `where`
 */
export async function updateMemberCounts(
  context: Context,
  session: ClientSession,
  { community: { networkId, communityId }, left, joined, moderators = [], where, now }: CountChange,
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
  const current = await communities.findOne({ networkId, communityId, isDeleted: false }, { session });
  if (!current) throw notFound('Community');
  if (where) throw new OperationError('CONFLICT');
  throw new OperationError(current.membersCount > left.length ? 'LAST_MODERATOR' : 'LAST_MEMBER');
}
