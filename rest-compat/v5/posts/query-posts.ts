import { z } from 'zod';
import { enumParam } from '../../enum-param.ts';
import { type FeedTargetType, type FeedType, type PostSort, QueryPostsDocument } from '../../generated/documents.ts';
import { connectionVariables } from '../../paging.ts';
import { bool, boolOrBoth, id, list, pagingOptions, text } from '../../params.ts';
import { type Route, route } from '../../route.ts';
import { POST_ARRAYS } from '../../v3/posts/get-post.ts';

const params = z.object({
  targetType: enumParam<FeedTargetType>('FeedTargetType'),
  targetId: id(),
  feedType: enumParam<FeedType>('FeedType').default('PUBLISHED'),
  dataTypes: list(text({ max: 100 }), { max: 20 }).optional(),
  tags: list(text({ max: 24 }), { max: 5 }).optional(),
  hasFlag: boolOrBoth().default(null),
  isDeleted: boolOrBoth().default(null),
  matchingOnlyParentPost: bool().default(true),
  sortBy: enumParam<PostSort>('PostSort').default('LAST_CREATED'),
  options: pagingOptions(),
});

/** The same call on both versions that published clients use (legacy-facts §7). */
export const queryPosts: Route[] = (['v4', 'v5'] as const).map((version) =>
  route({
    method: 'GET',
    path: `/api/${version}/posts`,
    section: 'legacy-facts §7',
    summary: 'List the posts of a community or user.',
    params,
    document: QueryPostsDocument,
    variables: ({ targetType, targetId, sortBy, options, ...given }) => ({
      targetType,
      targetId,
      sortBy,
      filter: {
        feedType: given.feedType,
        dataTypes: given.dataTypes ?? null,
        tags: given.tags ?? null,
        hasFlag: given.hasFlag,
        isDeleted: given.isDeleted,
        parentsOnly: given.matchingOnlyParentPost,
      },
      ...connectionVariables(options),
    }),
    arrays: POST_ARRAYS,
    paging: ['previous'],
  }),
);
