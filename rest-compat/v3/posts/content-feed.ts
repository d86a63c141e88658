import { z } from 'zod';
import { operation } from '../../documents.ts';
import { enumParam } from '../../enum-param.ts';
import { connectionVariables } from '../../paging.ts';
import { boolOrBoth, pagingOptions } from '../../params.ts';
import { route } from '../../route.ts';

export const contentFeed = route({
  method: 'GET',
  path: '/api/v3/content-feeds',
  reference: 'content-feed',
  summary: 'List the published posts of the network that the viewer can see.',
  params: z.object({
    sortBy: enumParam('PostSort').default('LAST_CREATED'),
    hasFlag: boolOrBoth().default(null),
    isDeleted: boolOrBoth().default(null),
    options: pagingOptions(),
  }),
  document: operation('ContentFeeds'),
  variables: ({ sortBy, hasFlag, isDeleted, options }) => ({
    sortBy,
    hasFlag,
    isDeleted,
    ...connectionVariables(options),
  }),
  arrays: [
    'posts',
    'postChildren',
    'comments',
    'users',
    'files',
    'communities',
    'categories',
    'communityUsers',
    'feeds',
    'videoStreamings',
    'polls',
  ],
  paging: ['previous'],
  // Only this answer has an envelope: `docs/interface.md#content-feed`.
  wrap: (data) => ({ status: 'success', data }),
});
