import { canDiscoverCommunity, canJoinCommunity, canSeeCommunity } from '../../access/community.ts';
import { type Context, viewerOf } from '../../context.ts';
import { readKeyset } from '../../store/keyset.ts';
import { type Page, type PageRequest, readPage } from '../../store/page.ts';
import type { CommunityRecord, CommunityUserRecord } from '../../store/records/community.ts';

export interface RecommendedCommunities {
  /** Whether to list private communities that the viewer does not see but can request to join. @default false */
  includeDiscoverable?: boolean | null | undefined;
  request: PageRequest;
}

const MOST_MEMBERS = { field: 'membersCount', direction: -1, type: 'number' } as const;

/** A page of the communities that the viewer can join or request to join, those with the most members first. */
export function recommendedCommunities(
  context: Context,
  { includeDiscoverable, request }: RecommendedCommunities,
): Promise<Page<CommunityRecord>> {
  const { networkId } = viewerOf(context);
  return readPage({
    collection: context.store.collections.communities,
    budget: context.reads,
    filter: { networkId, isDeleted: false },
    order: MOST_MEMBERS,
    request,
    visible: (communities) => listedCommunities(context, communities, { includeDiscoverable, isJoinable: true }),
  });
}

/** The live communities of the network with the most members. */
export function largestCommunities(context: Context, limit: number): Promise<CommunityRecord[]> {
  const { networkId } = viewerOf(context);
  return readKeyset({
    collection: context.store.collections.communities,
    budget: context.reads,
    filter: { networkId, isDeleted: false },
    order: MOST_MEMBERS,
    limit,
  });
}

/** Filters communities to those that a list of popular ones shows to the viewer. */
export async function listedCommunities(
  context: Context,
  communities: readonly CommunityRecord[],
  { includeDiscoverable, isJoinable }: Pick<RecommendedCommunities, 'includeDiscoverable'> & { isJoinable: boolean },
): Promise<CommunityRecord[]> {
  const viewer = viewerOf(context);
  const isShown = (community: CommunityRecord, membership: CommunityUserRecord | null) =>
    (includeDiscoverable ? canDiscoverCommunity : canSeeCommunity)(viewer, community, membership) &&
    (!isJoinable || canJoinCommunity(community, membership));
  const memberships = await Promise.all(
    communities.map(({ communityId }) => context.load.communityUsers.load([communityId, viewer.userId])),
  );
  return communities.filter((community, index) => isShown(community, memberships[index] ?? null));
}
