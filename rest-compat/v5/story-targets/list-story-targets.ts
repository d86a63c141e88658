import { z } from 'zod';
import { enumParam } from '../../enum-param.ts';
import { GlobalStoryTargetsDocument, type StorySeenState } from '../../generated/documents.ts';
import { connectionVariables } from '../../paging.ts';
import { int, text } from '../../params.ts';
import { route } from '../../route.ts';

export const globalStoryTargets = route({
  method: 'GET',
  path: '/api/v5/me/global-story-targets',
  section: 'interface §4.8',
  summary: "The caller's story targets: communities with live stories.",
  params: z.object({
    seenState: enumParam<StorySeenState>('StorySeenState').default('UNSEEN'),
    limit: int({ min: 1, max: 100 }).optional(),
    token: text({ max: 900 }).optional(),
  }),
  document: GlobalStoryTargetsDocument,
  variables: ({ seenState, limit, token }) => ({ seenState, ...connectionVariables({ limit, token }) }),
  arrays: ['storyTargets', 'files', 'users', 'communities', 'communityUsers', 'categories'],
  paging: ['previous'],
});
