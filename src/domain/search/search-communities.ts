import { canDiscoverCommunity, canSeeCommunity, isMember } from '../../access/community.ts';
import { type Context, viewerOf } from '../../context.ts';
import type { Page, PageRequest } from '../../store/page.ts';
import type { CommunityRecord } from '../../store/records/community.ts';
import { filterValues } from '../unique-ids.ts';
import { type SearchHit, searchPage } from './search-page.ts';
import { searchWords } from './search-words.ts';

export interface CommunitySearch {
  query: string;
  /** @default all */
  filter?: 'all' | 'member' | 'notMember' | undefined;
  /** Whether to find private communities that the viewer does not see but can request to join. @default false */
  includeDiscoverable?: boolean | null | undefined;
  /** Is in at least one of these; empty is no condition. */
  categoryIds?: readonly string[] | null | undefined;
  /** Has at least one of these; empty is no condition. */
  tags?: readonly string[] | null | undefined;
  request: PageRequest;
}

/**
 * Communities that the viewer sees, by name, description and tags.
 * @throws {OperationError} INVALID_PARAMETERS for bounds
 */
export async function searchCommunities(
  context: Context,
  { query, filter = 'all', includeDiscoverable, categoryIds, tags, request }: CommunitySearch,
): Promise<Page<SearchHit<CommunityRecord>>> {
  const viewer = viewerOf(context);
  const canFind = includeDiscoverable ? canDiscoverCommunity : canSeeCommunity;
  const categories = filterValues('categoryIds', categoryIds ?? []);
  const anyTag = filterValues('tags', tags ?? []);
  return searchPage(context, {
    kind: 'community',
    scopeIds: null,
    words: searchWords(query),
    request,
    load: (communityIds) =>
      Promise.all(
        communityIds.map(async (communityId) => {
          const [community, membership] = await Promise.all([
            context.load.communities.load(communityId),
            context.load.communityUsers.load([communityId, viewer.userId]),
          ]);
          if (!community || community.isDeleted || !canFind(viewer, community, membership)) return null;
          if (filter !== 'all' && isMember(membership) !== (filter === 'member')) return null;
          if (categories.length > 0 && !categories.some((id) => community.categoryIds.includes(id))) return null;
          return anyTag.length === 0 || anyTag.some((tag) => community.tags.includes(tag)) ? community : null;
        }),
      ),
  });
}
