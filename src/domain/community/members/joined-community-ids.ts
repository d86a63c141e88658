import { type Context, viewerOf } from '../../../context.ts';
import type { CommunityUserRecord } from '../../../store/records/community.ts';

/** Maximum communities of a user that a list of joined ones searches. */
const MAX_JOINED = 2_000;

/** Ids of the communities that the viewer is a member of, most recently joined first. */
export async function joinedCommunityIds(context: Context): Promise<string[]> {
  const { networkId, userId } = viewerOf(context);
  const memberships = await context.store.collections.communityUsers
    .find({ networkId, userId, communityMembership: 'member' })
    .sort({ createdAt: -1, _id: -1 })
    .limit(MAX_JOINED)
    .project<Pick<CommunityUserRecord, 'communityId'>>({ _id: 0, communityId: 1 })
    .toArray();
  return memberships.map(({ communityId }) => communityId);
}
