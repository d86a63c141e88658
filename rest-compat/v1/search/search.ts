import { z } from 'zod';
import { operation } from '../../documents.ts';
import { enumParam } from '../../enum-param.ts';
import { connectionVariables } from '../../paging.ts';
import { bool, id, list, pagingOptions, text } from '../../params.ts';
import { route } from '../../route.ts';
import { COMMUNITY_ARRAYS, POST_ARRAYS } from '../../side-arrays.ts';

const shared = { method: 'GET', reference: 'search' } as const;

/** Where to search for posts, and which. */
const postFields = {
  targetType: enumParam('SearchTarget').default('ALL'),
  targetId: id().optional(),
  dataTypes: list(text({ max: 100 }), { max: 20 }).optional(),
  matchingOnlyParentPost: bool()
    .default(true)
    .describe('Accepted and ignored: child posts have no texts of their own.'),
  options: pagingOptions(),
};

const postVariables = ({ targetType, targetId, dataTypes, options }: z.output<z.ZodObject<typeof postFields>>) => ({
  targetType,
  targetId: targetId ?? null,
  dataTypes: dataTypes ?? null,
  ...connectionVariables(options),
});

export const search = [
  route({
    ...shared,
    path: '/api/v1/semantic-search/posts',
    summary: 'Search posts by words.',
    params: z.object({ query: text({ min: 0, max: 200 }), ...postFields }),
    document: operation('SearchPosts'),
    variables: ({ query, ...others }) => ({ query, hashtags: null, ...postVariables(others) }),
    arrays: [...POST_ARRAYS, 'searchResult'],
    paging: ['previous'],
  }),
  route({
    ...shared,
    path: '/api/v1/search/posts',
    summary: 'List the posts with at least one of some hashtags.',
    params: z.object({ hashtags: list(text({ max: 100 }), { min: 1, max: 20 }), ...postFields }),
    document: operation('SearchPosts'),
    variables: ({ hashtags, ...others }) => ({ query: '', hashtags, ...postVariables(others) }),
    arrays: [...POST_ARRAYS, 'searchResult'],
    paging: ['previous'],
  }),
  route({
    ...shared,
    path: '/api/v1/semantic-search/communities',
    summary: 'Search communities by words.',
    params: z.object({
      query: text({ min: 0, max: 200 }),
      filter: enumParam('CommunityFilter').default('ALL'),
      categoryIds: list(id(), { max: 20 }).optional(),
      tags: list(text({ max: 100 }), { max: 20 }).optional(),
      includeDiscoverablePrivateCommunity: bool()
        .default(false)
        .describe('Whether to find private communities that the viewer can request to join.'),
      options: pagingOptions(),
    }),
    document: operation('SearchCommunities'),
    variables: ({ query, filter, includeDiscoverablePrivateCommunity, categoryIds, tags, options }) => ({
      query,
      filter,
      includeDiscoverable: includeDiscoverablePrivateCommunity,
      categoryIds: categoryIds ?? null,
      tags: tags ?? null,
      ...connectionVariables(options),
    }),
    arrays: [...COMMUNITY_ARRAYS, 'searchResult'],
    paging: ['previous'],
  }),
];
