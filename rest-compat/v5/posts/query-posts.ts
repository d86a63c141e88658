import { z } from 'zod';
import { operation } from '../../documents.ts';
import { enumParam } from '../../enum-param.ts';
import { connectionVariables } from '../../paging.ts';
import { bool, boolOrBoth, id, list, pagingOptions, text } from '../../params.ts';
import { route } from '../../route.ts';
import { POST_ARRAYS } from '../../side-arrays.ts';

const shared = { method: 'GET', reference: 'query-posts', arrays: POST_ARRAYS, paging: ['previous'] } as const;

const dataTypes = list(text({ max: 100 }), { max: 20 }).optional();
const sortBy = enumParam('PostSort').default('LAST_CREATED');

export const queryPosts = (['v4', 'v5'] as const).map((version) =>
  route({
    ...shared,
    path: `/api/${version}/posts`,
    summary: 'List the posts of a community or on the feed of a user.',
    params: z.object({
      targetType: enumParam('FeedTargetType'),
      targetId: id(),
      feedType: enumParam('FeedType').default('PUBLISHED'),
      dataTypes,
      tags: list(text({ max: 24 }), { max: 5 }).optional(),
      hasFlag: boolOrBoth().default(null),
      isDeleted: boolOrBoth().default(null),
      matchingOnlyParentPost: bool().default(true),
      sortBy,
      options: pagingOptions(),
    }),
    document: operation('QueryPosts'),
    variables: ({ targetType, targetId, feedType, matchingOnlyParentPost, sortBy, options, ...params }) => ({
      targetType,
      targetId,
      sources: null,
      sortBy,
      filter: {
        feedType,
        dataTypes: params.dataTypes ?? null,
        tags: params.tags ?? null,
        hasFlag: params.hasFlag,
        isDeleted: params.isDeleted,
        parentsOnly: matchingOnlyParentPost,
      },
      ...connectionVariables(options),
    }),
  }),
);

/** Clients expect version 5 to rank posts by interest. The gateway does not rank: both versions return the newest first. */
const globalFeeds = (['v4', 'v5'] as const).map((version) =>
  route({
    ...shared,
    path: `/api/${version}/me/global-feeds`,
    summary: 'List the published posts of the communities of the viewer and on the feed of the viewer, newest first.',
    params: z.object({ dataTypes, options: pagingOptions() }),
    document: operation('GlobalFeed'),
    variables: ({ dataTypes, options }) => ({ dataTypes: dataTypes ?? null, ...connectionVariables(options) }),
  }),
);

export const queryFeeds = [
  ...globalFeeds,
  route({
    ...shared,
    path: '/api/v4/user-feeds/:userId',
    summary: 'List the posts on the feed of a user, and those that the user wrote in communities.',
    params: z.object({
      userId: id(),
      includePostedFeed: list(enumParam('FeedTargetType'), { max: 2 })
        .optional()
        .describe('`user` (default): posts on the feed of the user. `community`: their posts in communities.'),
      dataTypes,
      isDeleted: boolOrBoth().default(null),
      matchingOnlyParentPost: bool().default(true),
      sortBy,
      options: pagingOptions(),
    }),
    document: operation('QueryPosts'),
    variables: ({ userId, includePostedFeed, dataTypes, isDeleted, matchingOnlyParentPost, sortBy, options }) => ({
      targetType: 'USER' as const,
      targetId: userId,
      sources: includePostedFeed ?? null,
      sortBy,
      filter: { dataTypes: dataTypes ?? null, isDeleted, parentsOnly: matchingOnlyParentPost },
      ...connectionVariables(options),
    }),
  }),
];
