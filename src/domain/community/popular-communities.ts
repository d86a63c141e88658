import { canDiscoverCommunity, canJoinCommunity, canSeeCommunity } from '../../access/community.ts';
import { type Context, viewerOf } from '../../context.ts';
import { readKeyset } from '../../store/keyset.ts';
import { checkCursors, type Page, type PageRequest, readPage, slicePage } from '../../store/page.ts';
import type { CommunityRecord, CommunityUserRecord } from '../../store/records/community.ts';
import { recentActivity } from '../post/engagement/recent-activity.ts';

export interface PopularCommunities {
  /** Whether to list private communities that the viewer does not see but can request to join. @default false */
  includeDiscoverable?: boolean | null | undefined;
  request: PageRequest;
}

const MOST_MEMBERS = { field: 'membersCount', direction: -1, type: 'number' } as const;

/** A page of the communities that the viewer can join or request to join, those with the most members first. */
export function recommendedCommunities(
  context: Context,
  { includeDiscoverable, request }: PopularCommunities,
): Promise<Page<CommunityRecord>> {
  const { networkId } = viewerOf(context);
  return readPage({
    collection: context.store.collections.communities,
    budget: context.reads,
    filter: { networkId, isDeleted: false },
    order: MOST_MEMBERS,
    request,
    visible: async (communities) => {
      const memberships = await membershipsIn(context, communities);
      return communities.filter((community, index) => {
        const membership = memberships[index] ?? null;
        return (
          canJoinCommunity(community, membership) && isListed(context, { community, membership }, includeDiscoverable)
        );
      });
    },
  });
}

/** The communities with the most members, which follow those with recent posts. */
const LARGEST = 100;

const BY_RANK = { field: 'rank', direction: -1, type: 'number' } as const;

export interface TrendingCommunity extends Pick<CommunityRecord, '_id'> {
  community: CommunityRecord;
  /** Recent activity, then members. */
  rank: number;
}

/**
 * A page of the communities with the most recent activity: posts among the newest of the network, with their
 * comments and reactions ({@link recentActivity}). Those with the most members follow, up to {@link LARGEST}.
 */
export async function trendingCommunities(
  context: Context,
  { includeDiscoverable, request }: PopularCommunities,
): Promise<Page<TrendingCommunity>> {
  const { networkId } = viewerOf(context);
  checkCursors(request, BY_RANK);
  const [activity, largest] = await Promise.all([recentActivity(context), largestCommunities(context, networkId)]);
  for (const community of largest) context.load.communities.prime(community.communityId, community);
  const ids = new Set([...activity.keys(), ...largest.map(({ communityId }) => communityId)]);
  const found = await Promise.all([...ids].map((communityId) => context.load.communities.load(communityId)));
  const communities = found.filter((community) => community !== null && !community.isDeleted) as CommunityRecord[];
  const memberships = await membershipsIn(context, communities);
  const records = communities
    .filter((community, index) =>
      isListed(context, { community, membership: memberships[index] ?? null }, includeDiscoverable),
    )
    .map((community) => ({
      _id: community._id,
      community,
      rank: rankOf(activity.get(community.communityId) ?? 0, community),
    }))
    .sort(inOrder)
    .filter((one) => isBetween(one, request));
  return slicePage({ records, order: BY_RANK, request, exhausted: true, edge: null });
}

function isListed(
  context: Context,
  { community, membership }: { community: CommunityRecord; membership: CommunityUserRecord | null },
  includeDiscoverable: boolean | null | undefined,
): boolean {
  return (includeDiscoverable ? canDiscoverCommunity : canSeeCommunity)(viewerOf(context), community, membership);
}

function membershipsIn(context: Context, communities: readonly CommunityRecord[]) {
  const { userId } = viewerOf(context);
  return Promise.all(communities.map(({ communityId }) => context.load.communityUsers.load([communityId, userId])));
}

function largestCommunities(context: Context, networkId: string): Promise<CommunityRecord[]> {
  return readKeyset({
    collection: context.store.collections.communities,
    budget: context.reads,
    filter: { networkId, isDeleted: false },
    order: MOST_MEMBERS,
    limit: LARGEST,
  });
}

const MAX_MEMBERS = 999_999;
const MAX_ACTIVITY = 1_000_000_000;

function rankOf(activity: number, { membersCount }: CommunityRecord): number {
  return Math.min(activity, MAX_ACTIVITY) * (MAX_MEMBERS + 1) + Math.min(membersCount, MAX_MEMBERS);
}

function inOrder(one: TrendingCommunity, other: TrendingCommunity): number {
  return other.rank - one.rank || (one._id.toHexString() < other._id.toHexString() ? 1 : -1);
}

/** Whether a community is between the cursors of a page. Ranks change meanwhile, as counts do in every such list. */
function isBetween(one: TrendingCommunity, { after, before }: PageRequest): boolean {
  const isBehind = ({ value, id }: { value: unknown; id: string }) =>
    one.rank < Number(value) || (one.rank === Number(value) && one._id.toHexString() < id);
  const isBefore = ({ value, id }: { value: unknown; id: string }) =>
    one.rank > Number(value) || (one.rank === Number(value) && one._id.toHexString() > id);
  return (!after || isBehind(after)) && (!before || isBefore(before));
}
