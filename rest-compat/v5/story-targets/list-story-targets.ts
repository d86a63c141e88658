import { z } from 'zod';
import { operation } from '../../documents.ts';
import { enumParam } from '../../enum-param.ts';
import { connectionVariables } from '../../paging.ts';
import { int, text } from '../../params.ts';
import { route } from '../../route.ts';
import { STORY_TARGET_ARRAYS } from '../../side-arrays.ts';

export const listStoryTargets = route({
  method: 'GET',
  path: '/api/v5/me/global-story-targets',
  reference: 'global-story-targets',
  summary: 'List the communities with unexpired stories that the viewer can see.',
  params: z.object({
    seenState: enumParam('StorySeenState').default('UNSEEN'),
    limit: int({ min: 1, max: 100 }).optional(),
    token: text({ max: 900 }).optional(),
  }),
  document: operation('GlobalStoryTargets'),
  variables: ({ seenState, limit, token }) => ({ seenState, ...connectionVariables({ limit, token }) }),
  arrays: STORY_TARGET_ARRAYS,
  paging: ['previous'],
});
