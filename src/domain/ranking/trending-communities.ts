import { type Context, viewerOf } from '../../context.ts';
import type { Position } from '../../store/keyset-query.ts';
import { checkCursors, type Page, type PageRequest, slicePage } from '../../store/page.ts';
import type { CommunityRecord } from '../../store/records/community.ts';
import {
  largestCommunities,
  listedCommunities,
  type RecommendedCommunities,
} from '../community/recommended-communities.ts';
import { recentActivity } from '../post/engagement/recent-activity.ts';

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
  { includeDiscoverable, request }: RecommendedCommunities,
): Promise<Page<TrendingCommunity>> {
  viewerOf(context);
  checkCursors(request, BY_RANK);
  const [activity, largest] = await Promise.all([recentActivity(context), largestCommunities(context, LARGEST)]);
  for (const community of largest) context.load.communities.prime(community.communityId, community);
  const ids = new Set([...activity.keys(), ...largest.map(({ communityId }) => communityId)]);
  const found = await Promise.all([...ids].map((communityId) => context.load.communities.load(communityId)));
  const live = found.filter((community): community is CommunityRecord => community !== null && !community.isDeleted);
  const listed = await listedCommunities(context, live, { includeDiscoverable, isJoinable: false });
  const records = listed
    .map((community) => ({
      _id: community._id,
      community,
      rank: rankOf(activity.get(community.communityId) ?? 0, community),
    }))
    .sort((one, other) => compare(positionOf(one), positionOf(other)))
    .filter((one) => isBetween(positionOf(one), request));
  return slicePage({ records, order: BY_RANK, request, exhausted: true, edge: null });
}

const MAX_MEMBERS = 999_999;
const MAX_ACTIVITY = 1_000_000_000;

function rankOf(activity: number, { membersCount }: CommunityRecord): number {
  return Math.min(activity, MAX_ACTIVITY) * (MAX_MEMBERS + 1) + Math.min(membersCount, MAX_MEMBERS);
}

function positionOf({ _id, rank }: TrendingCommunity): Position {
  return { value: rank, id: _id.toHexString() };
}

/** Descending, as in lists that the database sorts. */
function compare(one: Position, other: Position): number {
  return Number(other.value) - Number(one.value) || (one.id === other.id ? 0 : one.id < other.id ? 1 : -1);
}

/**
 * Whether a community is between the cursors of a page. Ranks can change between two pages, as in every list ordered by a
 * count.
 */
function isBetween(position: Position, { after, before }: PageRequest): boolean {
  return (!after || compare(after, position) < 0) && (!before || compare(position, before) < 0);
}
