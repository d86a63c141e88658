import { z } from 'zod';
import { enumParam } from '../../enum-param.ts';
import { ContentFeedsDocument, type PostSort } from '../../generated/documents.ts';
import { connectionVariables } from '../../paging.ts';
import { boolOrBoth, pagingOptions } from '../../params.ts';
import { route } from '../../route.ts';

export const contentFeeds = route({
  method: 'GET',
  path: '/api/v3/content-feeds',
  section: 'interface §4.3',
  summary: 'List the posts of the whole network that the caller sees.',
  params: z.object({
    sortBy: enumParam<PostSort>('PostSort').default('LAST_CREATED'),
    hasFlag: boolOrBoth().default(null),
    isDeleted: boolOrBoth().default(null),
    options: pagingOptions(),
  }),
  document: ContentFeedsDocument,
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
  // This one answer is wrapped (interface §4.3).
  wrap: (data) => ({ status: 'success', data }),
});
