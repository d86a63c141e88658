import { z } from 'zod';
import { operation } from '../../documents.ts';
import { enumParam } from '../../enum-param.ts';
import { connectionVariables } from '../../paging.ts';
import { id, list, pageFields } from '../../params.ts';
import { route } from '../../route.ts';
import { STORY_ARRAYS, STORY_TARGET_ARRAYS } from '../../side-arrays.ts';

const shared = { method: 'GET', reference: 'query-stories', arrays: STORY_ARRAYS } as const;

const targets = list(z.object({ targetType: enumParam('StoryTargetType'), targetId: id() }), {
  min: 1,
  max: 10,
});

export const readStories = [
  route({
    ...shared,
    path: '/api/v4/stories-by-targets',
    summary: 'List the unexpired stories of several communities and users.',
    params: z.object({
      targets,
      options: z
        .object({ sortBy: z.enum(['createdAt']).optional(), orderBy: z.enum(['asc', 'desc']).default('desc') })
        .default({ orderBy: 'desc' })
        .describe('Sort order by creation time: `orderBy` is `desc` (newest first, default) or `asc`.'),
    }),
    document: operation('StoriesByTargets'),
    variables: ({ targets, options }) => ({ targets, oldestFirst: options.orderBy === 'asc' }),
  }),
  route({
    ...shared,
    path: '/api/v4/stories/seen',
    summary: 'List story targets with the expiry times of their stories and of those that the viewer has seen.',
    params: z.object({ targets }),
    document: operation('StoryTargets'),
    variables: ({ targets }) => ({ targets }),
    arrays: STORY_TARGET_ARRAYS,
  }),
  route({
    ...shared,
    path: '/api/v4/stories',
    summary: 'List the unexpired stories of a community or user.',
    params: z.object({
      targetType: enumParam('StoryTargetType'),
      targetId: id(),
      options: z
        .object({
          sortBy: z.enum(['createdAt']).optional(),
          orderBy: z.enum(['asc', 'desc']).default('desc'),
          ...pageFields(),
        })
        .default({ orderBy: 'desc' })
        .describe(
          'Page: `limit` is the number of stories, 1 to 100, by default 10; `token` is a token from `paging` for another page; `orderBy` is `desc` (newest first, default) or `asc`, by creation time.',
        ),
    }),
    document: operation('QueryStories'),
    variables: ({ targetType, targetId, options }) => ({
      targetType,
      targetId,
      oldestFirst: options.orderBy === 'asc',
      ...connectionVariables(options),
    }),
    paging: ['previous'],
  }),
  route({
    ...shared,
    path: '/api/v4/stories/:storyId',
    summary: 'Get one story.',
    params: z.object({ storyId: id() }),
    document: operation('GetStory'),
    variables: ({ storyId }) => ({ storyId }),
    required: 'Story',
  }),
];
