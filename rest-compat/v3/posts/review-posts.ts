import { z } from 'zod';
import { mutation } from '../../documents.ts';
import { id } from '../../params.ts';
import { POST } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { POST_ARRAYS } from '../../side-arrays.ts';

const shared = {
  method: 'POST',
  reference: 'review-posts',
  params: z.object({ postId: id() }),
  variables: (input: { postId: string }) => ({ input }),
  arrays: POST_ARRAYS,
} as const;

export const reviewPosts = [
  route({
    ...shared,
    path: '/api/v3/posts/:postId/approve',
    summary: 'Publish a post that awaits review.',
    document: mutation('approvePost', POST),
  }),
  route({
    ...shared,
    path: '/api/v3/posts/:postId/decline',
    summary: 'Decline a post that awaits review.',
    document: mutation('declinePost', POST),
  }),
];
