import { z } from 'zod';
import { enumParam } from '../../enum-param.ts';
import {
  type CommunityFilter,
  type CommunitySort,
  GetCommunityDocument,
  ListCommunitiesDocument,
  QueryCommunitiesDocument,
} from '../../generated/documents.ts';
import { connectionVariables } from '../../paging.ts';
import { boolOrBoth, decodeOnceMore, id, list, pagingOptions, text } from '../../params.ts';
import { type Route, route } from '../../route.ts';

const shared = {
  method: 'GET',
  section: 'legacy-facts §7',
  arrays: ['communities', 'communityUsers', 'files', 'users', 'categories', 'feeds', 'joinRequests'],
} as const;

/** An empty text asks for nothing in particular. */
const keyword = text({ min: 0, max: 100 }).optional();

export const communities: Route[] = [
  route({
    ...shared,
    path: '/api/v3/communities',
    summary: 'Query communities.',
    params: z.object({
      filter: enumParam<CommunityFilter>('CommunityFilter').default('ALL'),
      keyword,
      displayName: keyword,
      categoryId: id().optional(),
      tags: list(text({ max: 100 }), { max: 20 }).optional(),
      sortBy: enumParam<CommunitySort>('CommunitySort').default('LAST_CREATED'),
      isDeleted: boolOrBoth().default(null),
      options: pagingOptions(),
    }),
    document: QueryCommunitiesDocument,
    variables: ({ filter, keyword, displayName, categoryId, tags, sortBy, isDeleted, options }) => ({
      filter,
      keyword: keyword || displayName || null,
      categoryId: categoryId ?? null,
      tags: tags ?? null,
      sortBy,
      isDeleted,
      ...connectionVariables(options),
    }),
    paging: ['previous'],
  }),
  route({
    ...shared,
    path: '/api/v3/communities/list',
    summary: 'Get communities by their ids.',
    params: z.object({ communityIds: list(id(), { min: 1, max: 100 }) }),
    document: ListCommunitiesDocument,
    // Ids in list queries travel encoded twice (legacy-facts §1).
    variables: ({ communityIds }) => ({ communityIds: communityIds.map(decodeOnceMore) }),
  }),
  route({
    ...shared,
    path: '/api/v3/communities/:communityId',
    summary: 'Get one community.',
    params: z.object({ communityId: id() }),
    document: GetCommunityDocument,
    variables: ({ communityId }) => ({ communityId }),
    required: 'Community',
  }),
];
