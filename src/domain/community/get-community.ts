import { canDeleteCommunity, canSeeCommunity, canSeeInsideCommunity } from '../../access/community.ts';
import { type Context, viewerOf } from '../../context.ts';
import type { CommunityRecord, CommunityUserRecord } from '../../store/records/community.ts';

export interface CommunityPlace {
  community: CommunityRecord;
  membership: CommunityUserRecord | null;
}

/** A community with the viewer's membership; null when the viewer does not see it. */
export async function findCommunity(context: Context, communityId: string): Promise<CommunityPlace | null> {
  const viewer = viewerOf(context);
  const [community, membership] = await Promise.all([
    context.load.communities.load(communityId),
    context.load.communityUsers.load([communityId, viewer.userId]),
  ]);
  return community && canSeeCommunity(viewer, community, membership) ? { community, membership } : null;
}

/** As {@link findCommunity}, for the posts, members and stories of the community. */
export async function findInsideCommunity(context: Context, communityId: string): Promise<CommunityPlace | null> {
  const place = await findCommunity(context, communityId);
  return place && canSeeInsideCommunity(viewerOf(context), place.community, place.membership) ? place : null;
}

/**
 * A community, or null when the viewer does not see it. The record of a deleted one is visible to its moderators who may
 * delete it, because clients read it again after they have deleted it.
 */
export async function getCommunity(
  context: Context,
  { communityId }: { communityId: string },
): Promise<CommunityRecord | null> {
  const place = await findCommunity(context, communityId);
  if (place) return place.community;
  const [community, membership] = await Promise.all([
    context.load.communities.load(communityId),
    context.load.communityUsers.load([communityId, viewerOf(context).userId]),
  ]);
  return community?.isDeleted && canDeleteCommunity(viewerOf(context), membership) ? community : null;
}
