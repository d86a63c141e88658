import { z } from 'zod';
import { enumParam } from '../../enum-param.ts';
import {
  GetStoryDocument,
  QueryStoriesDocument,
  StoriesByTargetsDocument,
  StoryTargetsDocument,
  type StoryTargetType,
} from '../../generated/documents.ts';
import { connectionVariables } from '../../paging.ts';
import { id, int, list, text } from '../../params.ts';
import { type Route, route } from '../../route.ts';

/** The arrays that the event `story.deleted` has too (interface §6.1). */
const shared = {
  method: 'GET',
  section: 'legacy-facts §7',
  arrays: ['stories', 'comments', 'files', 'users', 'communities', 'communityUsers', 'categories'],
} as const;

const targets = list(z.object({ targetType: enumParam<StoryTargetType>('StoryTargetType'), targetId: id() }), {
  min: 1,
  max: 10,
});

export const stories: Route[] = [
  route({
    ...shared,
    path: '/api/v4/stories-by-targets',
    summary: 'Get the live stories of several communities and users.',
    params: z.object({
      targets,
      options: z
        .object({ sortBy: z.enum(['createdAt']).optional(), orderBy: z.enum(['asc', 'desc']).default('desc') })
        .default({ orderBy: 'desc' }),
    }),
    document: StoriesByTargetsDocument,
    variables: ({ targets, options }) => ({ targets, oldestFirst: options.orderBy === 'asc' }),
  }),
  route({
    method: 'GET',
    section: 'legacy-facts §7',
    path: '/api/v4/stories/seen',
    summary: 'Get several story targets, with what the caller saw of them.',
    params: z.object({ targets }),
    document: StoryTargetsDocument,
    variables: ({ targets }) => ({ targets }),
    arrays: ['storyTargets', 'files', 'users', 'communities', 'communityUsers', 'categories'],
  }),
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
