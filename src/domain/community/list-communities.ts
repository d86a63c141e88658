import type { Filter } from 'mongodb';
import { canSeeCommunity, isMember } from '../../access/community.ts';
import { type Context, viewerOf } from '../../context.ts';
import type { KeysetOrder } from '../../store/keyset-query.ts';
import { type Page, type PageRequest, readPage } from '../../store/page.ts';
import type { CommunityRecord, CommunityUserRecord } from '../../store/records/community.ts';
import { containsText } from '../../store/text-filter.ts';
import { idsByName } from '../search-index/ids-by-name.ts';
import { filterValues } from '../unique-ids.ts';
import { flaggedCommunityIds } from './flagged-community-ids.ts';
import { joinedCommunityIds } from './members/joined-community-ids.ts';

export interface CommunityQuery {
  /** @default all */
  filter?: 'all' | 'member' | 'notMember' | undefined;
  /** Part of the name. */
  keyword?: string | null | undefined;
  categoryId?: string | null | undefined;
  /** Has at least one of these tags. */
  tags?: readonly string[] | null | undefined;
  /** true: communities in which a post or comment is flagged; false: the others; null: both. @default null */
  hasFlag?: boolean | null | undefined;
  /** true: deleted ones, visible to users who may delete communities; false: live ones; null: both. @default false */
  isDeleted?: boolean | null | undefined;
  /** @default lastCreated */
  sortBy?: 'displayName' | 'firstCreated' | 'lastCreated' | 'mostMembers' | undefined;
  request: PageRequest;
}

const ORDERS: { [Sort in NonNullable<CommunityQuery['sortBy']>]: KeysetOrder } = {
  displayName: { field: 'displayName', direction: 1, type: 'string' },
  firstCreated: { field: 'createdAt', direction: 1, type: 'date' },
  lastCreated: { field: 'createdAt', direction: -1, type: 'date' },
  mostMembers: { field: 'membersCount', direction: -1, type: 'number' },
};

/** A page of the communities that the viewer sees. */
export async function listCommunities(context: Context, query: CommunityQuery): Promise<Page<CommunityRecord>> {
  const viewer = viewerOf(context);
  const { filter = 'all', sortBy = 'lastCreated', request } = query;
  return readPage({
    collection: context.store.collections.communities,
    budget: context.reads,
    filter: await filterOf(context, query),
    order: ORDERS[sortBy],
    request,
    visible: async (communities) => {
      // The posts and pins of a community load it again.
      for (const community of communities) context.load.communities.prime(community.communityId, community);
      const memberships = await Promise.all(
        communities.map(({ communityId }) => context.load.communityUsers.load([communityId, viewer.userId])),
      );
      return communities.filter((community, index) => {
        const membership = memberships[index] ?? null;
        if (filter !== 'all' && isMember(membership) !== (filter === 'member')) return false;
        return canSeeCommunity(viewer, community, membership);
      });
    },
  });
}

async function filterOf(context: Context, query: CommunityQuery): Promise<Filter<CommunityRecord>> {
  const { networkId } = viewerOf(context);
  const { keyword, categoryId, tags, hasFlag = null, isDeleted = false } = query;
  const communityIds =
    query.filter === 'member'
      ? await joinedCommunityIds(context)
      : keyword
        ? await idsByName(context, { kind: 'community', text: keyword })
        : null;
  const flaggedIds = hasFlag ? await flaggedCommunityIds(context) : null;
  const conditions: Array<Filter<CommunityRecord>> = [
    ...(keyword ? [{ displayName: containsText(keyword) }] : []),
    ...(flaggedIds ? [{ communityId: { $in: flaggedIds } }] : []),
    ...(hasFlag ? [{ $or: [{ hasFlaggedPost: true }, { hasFlaggedComment: true }] }] : []),
  ];
  return {
    networkId,
    ...(communityIds && { communityId: { $in: communityIds } }),
    ...(isDeleted !== null && { isDeleted }),
    ...(hasFlag === false && { hasFlaggedPost: false, hasFlaggedComment: false }),
    ...(categoryId && { categoryIds: categoryId }),
    ...(tags && tags.length > 0 && { tags: { $in: filterValues('tags', tags) } }),
    // In `$and`, because a page bounds the field of its order, also in `$or`.
    ...(conditions.length > 0 && { $and: conditions }),
  };
}

/** A page of the viewer's memberships in visible communities, newest first. */
export function listViewerMemberships(
  context: Context,
  { request }: { request: PageRequest },
): Promise<Page<CommunityUserRecord>> {
  const viewer = viewerOf(context);
  return readPage({
    collection: context.store.collections.communityUsers,
    budget: context.reads,
    filter: { networkId: viewer.networkId, userId: viewer.userId, communityMembership: 'member' },
    order: { field: 'createdAt', direction: -1, type: 'date' },
    request,
    visible: async (memberships) => {
      const communities = await Promise.all(
        memberships.map(({ communityId }) => context.load.communities.load(communityId)),
      );
      return memberships.filter((membership, index) => {
        const community = communities[index];
        return community != null && canSeeCommunity(viewer, community, membership);
      });
    },
  });
}
