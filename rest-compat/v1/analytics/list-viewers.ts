import { z } from 'zod';
import { PostViewersDocument, StoryViewersDocument } from '../../generated/documents.ts';
import { connectionVariables } from '../../paging.ts';
import { id, int, text } from '../../params.ts';
import { type Route, route } from '../../route.ts';

const shared = {
  method: 'GET',
  section: 'legacy-facts §7',
  arrays: ['users', 'files'],
  paging: ['previous'],
} as const;

const page = { limit: int({ min: 1, max: 100 }).optional(), token: text({ max: 1_000 }).optional() };

/** Who saw a post or story, the newest viewer first. */
export const viewers: Route[] = [
  route({
    ...shared,
    path: '/api/v1/analytics/views/posts/:postId/users',
    summary: 'Who saw a post; for its author and moderators.',
    params: z.object({ postId: id(), ...page }),
    document: PostViewersDocument,
    variables: ({ postId, limit, token }) => ({ postId, ...connectionVariables({ limit, token }) }),
  }),
  route({
    ...shared,
    path: '/api/v1/analytics/views/stories/:storyId/users',
    summary: 'Who saw a story; for its creator and those who manage stories there.',
    params: z.object({ storyId: id(), ...page }),
    document: StoryViewersDocument,
    variables: ({ storyId, limit, token }) => ({ storyId, ...connectionVariables({ limit, token }) }),
  }),
];
