import { z } from 'zod';
import { ApproveRestPostDocument, DeclineRestPostDocument } from '../../generated/documents.ts';
import { id } from '../../params.ts';
import { type Route, route } from '../../route.ts';
import { POST_ARRAYS } from './get-post.ts';

const shared = {
  method: 'POST',
  section: 'legacy-facts §7',
  params: z.object({ postId: id() }),
  arrays: POST_ARRAYS,
} as const;

export const reviewPost: Route[] = [
  route({
    ...shared,
    path: '/api/v3/posts/:postId/approve',
    summary: 'Publish a post that waits for review.',
    document: ApproveRestPostDocument,
    variables: ({ postId }) => ({ postId }),
  }),
  route({
    ...shared,
    path: '/api/v3/posts/:postId/decline',
    summary: 'Decline a post that waits for review.',
    document: DeclineRestPostDocument,
    variables: ({ postId }) => ({ postId }),
  }),
];
