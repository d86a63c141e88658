import { z } from 'zod';
import { operation } from '../../documents.ts';
import { enumParam } from '../../enum-param.ts';
import { connectionVariables } from '../../paging.ts';
import { bool, boolOrBoth, decodeOnceMore, id, list, pagingOptions, text } from '../../params.ts';
import { route } from '../../route.ts';
import { COMMUNITY_ARRAYS } from '../../side-arrays.ts';

const shared = { method: 'GET', reference: 'query-communities', arrays: COMMUNITY_ARRAYS } as const;

/** An empty keyword does not filter. */
const keyword = text({ min: 0, max: 100 }).optional();

/** Communities with the most members first. */
const popular = (path: string, summary: string, filter: 'ALL' | 'NOT_MEMBER') =>
  route({
    ...shared,
    reference: 'popular-communities',
    path,
    summary,
    params: z.object({
      options: pagingOptions(),
      includeDiscoverablePrivateCommunity: bool()
        .optional()
        .describe('Ignored: private communities are listed if the viewer sees them.'),
    }),
    document: operation('QueryCommunities'),
    variables: ({ options }) => ({
      filter,
      keyword: null,
      categoryId: null,
      tags: null,
      sortBy: 'MOST_MEMBERS' as const,
      isDeleted: false,
      ...connectionVariables(options),
    }),
    paging: ['previous'],
  });

export const readCommunities = [
  popular(
    '/api/v3/communities/recommended',
    'List communities of which the viewer is not a member, those with the most members first.',
    'NOT_MEMBER',
  ),
  popular('/api/v3/communities/top-trending', 'List communities, those with the most members first.', 'ALL'),
  route({
    ...shared,
    path: '/api/v3/communities',
    summary: 'List the communities that the viewer can see.',
    params: z.object({
      filter: enumParam('CommunityFilter').default('ALL'),
      keyword,
      displayName: keyword.describe('Another name of `keyword`, which takes precedence.'),
      categoryId: id().optional(),
      tags: list(text({ max: 100 }), { max: 20 }).optional(),
      sortBy: enumParam('CommunitySort').default('LAST_CREATED'),
      isDeleted: boolOrBoth().default(null),
      options: pagingOptions(),
    }),
    document: operation('QueryCommunities'),
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
    summary: 'List communities by their ids.',
    params: z.object({ communityIds: list(id(), { min: 1, max: 100 }) }),
    document: operation('ListCommunities'),
    variables: ({ communityIds }) => ({ communityIds: communityIds.map(decodeOnceMore) }),
  }),
  route({
    ...shared,
    path: '/api/v3/communities/:communityId',
    summary: 'Get one community.',
    params: z.object({ communityId: id() }),
    document: operation('GetCommunity'),
    variables: ({ communityId }) => ({ communityId }),
    required: 'Community',
  }),
];
