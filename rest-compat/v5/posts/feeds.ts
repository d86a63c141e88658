import { z } from 'zod';
import { enumParam } from '../../enum-param.ts';
import { GlobalFeedDocument, type PostSort, QueryPostsDocument } from '../../generated/documents.ts';
import { connectionVariables } from '../../paging.ts';
import { bool, boolOrBoth, id, list, pagingOptions, text } from '../../params.ts';
import { type Route, route } from '../../route.ts';
import { POST_ARRAYS } from '../../v3/posts/get-post.ts';

const dataTypes = list(text({ max: 100 }), { max: 20 }).optional();
const shared = { method: 'GET', section: 'legacy-facts §7', arrays: POST_ARRAYS, paging: ['previous'] } as const;

/** Version 5 is called for a feed ranked by interest; nothing here ranks, so both come newest first. */
const globalFeeds: Route[] = (['v4', 'v5'] as const).map((version) =>
  route({
    ...shared,
    path: `/api/${version}/me/global-feeds`,
    summary: "List the posts of the caller's communities and own feed, newest first.",
    params: z.object({ dataTypes, options: pagingOptions() }),
    document: GlobalFeedDocument,
    variables: ({ dataTypes, options }) => ({ dataTypes: dataTypes ?? null, ...connectionVariables(options) }),
  }),
);

export const feeds: Route[] = [
  ...globalFeeds,
  route({
    ...shared,
    path: '/api/v4/user-feeds/:userId',
    summary: "List the posts on a user's feed.",
    params: z.object({
      userId: id(),
      dataTypes,
      isDeleted: boolOrBoth().default(null),
      matchingOnlyParentPost: bool().default(true),
      sortBy: enumParam<PostSort>('PostSort').default('LAST_CREATED'),
      options: pagingOptions(),
    }),
    document: QueryPostsDocument,
    variables: ({ userId, sortBy, options, ...given }) => ({
      targetType: 'USER' as const,
      targetId: userId,
      sortBy,
      filter: {
        dataTypes: given.dataTypes ?? null,
        isDeleted: given.isDeleted,
        parentsOnly: given.matchingOnlyParentPost,
      },
      ...connectionVariables(options),
    }),
  }),
];
