import { z } from 'zod';
import { enumParam } from '../enum-param.ts';
import { GetStoryDocument, QueryStoriesDocument, type StoryTargetType } from '../generated/documents.ts';
import { connectionVariables } from '../paging.ts';
import { id, int, text } from '../params.ts';
import { type Route, route } from '../route.ts';

/** The arrays that the event `story.deleted` has too (interface §6.1). */
const shared = {
  method: 'GET',
  section: 'legacy-facts §7',
  arrays: ['stories', 'comments', 'files', 'users', 'communities', 'communityUsers', 'categories'],
} as const;

export const stories: Route[] = [
  route({
    ...shared,
    path: '/api/v4/stories',
    summary: 'Query the live stories of a community or user.',
    params: z.object({
      targetType: enumParam<StoryTargetType>('StoryTargetType'),
      targetId: id(),
      options: z
        .object({
          sortBy: z.enum(['createdAt']).optional(),
          orderBy: z.enum(['asc', 'desc']).default('desc'),
          limit: int({ min: 1, max: 100 }).optional(),
          token: text({ max: 1_000 }).optional(),
        })
        .default({ orderBy: 'desc' }),
    }),
    document: QueryStoriesDocument,
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
    document: GetStoryDocument,
    variables: ({ storyId }) => ({ storyId }),
    required: 'Story',
  }),
];
