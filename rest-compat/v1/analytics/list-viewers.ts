import { z } from 'zod';
import { operation } from '../../documents.ts';
import { connectionVariables } from '../../paging.ts';
import { id, pageFields } from '../../params.ts';
import { route } from '../../route.ts';
import { USER_ARRAYS } from '../../side-arrays.ts';

const shared = { method: 'GET', reference: 'views', arrays: USER_ARRAYS, paging: ['previous'] } as const;

export const listViewers = [
  route({
    ...shared,
    path: '/api/v1/analytics/views/posts/:postId/users',
    summary: 'List the users who viewed a post, newest view first; for its author and moderators.',
    params: z.object({ postId: id(), ...pageFields() }),
    document: operation('PostViewers'),
    variables: ({ postId, limit, token }) => ({ postId, ...connectionVariables({ limit, token }) }),
  }),
  route({
    ...shared,
    path: '/api/v1/analytics/views/stories/:storyId/users',
    summary:
      'List the users who viewed a story, newest view first; for its creator and users who manage stories there.',
    params: z.object({ storyId: id(), ...pageFields() }),
    document: operation('StoryViewers'),
    variables: ({ storyId, limit, token }) => ({ storyId, ...connectionVariables({ limit, token }) }),
  }),
];
