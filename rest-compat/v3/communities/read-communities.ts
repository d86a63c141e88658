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

const popular = {
  ...shared,
  reference: 'popular-communities',
  params: z.object({
    includeDiscoverablePrivateCommunity: bool()
      .default(false)
      .describe('Whether to list private communities that the viewer can request to join.'),
    options: pagingOptions(),
  }),
  paging: ['previous'],
} as const;

export const readCommunities = [
  route({
    ...popular,
    path: '/api/v3/communities/recommended',
    summary: 'List communities that the viewer can join, those with the most members first.',
    document: operation('RecommendedCommunities'),
    variables: ({ includeDiscoverablePrivateCommunity: includeDiscoverable, options }) => ({
      includeDiscoverable,
      ...connectionVariables(options),
    }),
  }),
  route({
    ...popular,
    path: '/api/v3/communities/top-trending',
    summary: 'List communities, those with the most recent activity first.',
    document: operation('TrendingCommunities'),
    variables: ({ includeDiscoverablePrivateCommunity: includeDiscoverable, options }) => ({
      includeDiscoverable,
      ...connectionVariables(options),
    }),
  }),
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
      hasFlag: boolOrBoth().default(null),
      sortBy: enumParam('CommunitySort').default('LAST_CREATED'),
      isDeleted: boolOrBoth().default(null),
      options: pagingOptions(),
    }),
    document: operation('QueryCommunities'),
    variables: ({ filter, keyword, displayName, categoryId, tags, hasFlag, sortBy, isDeleted, options }) => ({
      filter,
      keyword: keyword || displayName || null,
      categoryId: categoryId ?? null,
      tags: tags ?? null,
      hasFlag,
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
