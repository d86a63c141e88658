import { canDeleteCommunity, canSeeCommunity, canSeeInsideCommunity } from '../../access/community.ts';
import { type Context, viewerOf } from '../../context.ts';
import { type MaybePromise, whenAllLoaded, whenLoaded } from '../../lib/maybe-promise.ts';
import type { CommunityRecord, CommunityUserRecord } from '../../store/records/community.ts';

export interface CommunityPlace {
  community: CommunityRecord;
  membership: CommunityUserRecord | null;
}

/** A community with the viewer's membership; null when the viewer does not see it. */
export function findCommunity(context: Context, communityId: string): MaybePromise<CommunityPlace | null> {
  const viewer = viewerOf(context);
  return whenAllLoaded(
    [context.load.communities.load(communityId), context.load.communityUsers.load([communityId, viewer.userId])],
    ([community, membership]) =>
      community && canSeeCommunity(viewer, community, membership) ? { community, membership } : null,
  );
}

/** As {@link findCommunity}, for the posts, members and stories of the community. */
export function findInsideCommunity(context: Context, communityId: string): MaybePromise<CommunityPlace | null> {
  return whenLoaded(findCommunity(context, communityId), (place) =>
    place && canSeeInsideCommunity(viewerOf(context), place.community, place.membership) ? place : null,
  );
}

/**
 * A community, or null when the viewer does not see it. The record of a deleted one is visible to its moderators who may
 * delete it, because clients read it again after they have deleted it.
 */
export function getCommunity(
  context: Context,
  { communityId }: { communityId: string },
): MaybePromise<CommunityRecord | null> {
  const viewer = viewerOf(context);
  return whenAllLoaded(
    [context.load.communities.load(communityId), context.load.communityUsers.load([communityId, viewer.userId])],
    ([community, membership]) => {
      if (!community) return null;
      if (canSeeCommunity(viewer, community, membership)) return community;
      return community.isDeleted && canDeleteCommunity(viewer, membership) ? community : null;
    },
  );
}
