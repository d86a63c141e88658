import { forMutation } from '../../operation-params.ts';
import { POST } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { POST_ARRAYS } from '../../side-arrays.ts';

const shared = { method: 'POST', reference: 'review-posts', arrays: POST_ARRAYS } as const;

export const reviewPosts = [
  route({
    ...shared,
    ...forMutation('approvePost', POST),
    path: '/api/v3/posts/:postId/approve',
    summary: 'Publish a post in review.',
  }),
  route({
    ...shared,
    ...forMutation('declinePost', POST),
    path: '/api/v3/posts/:postId/decline',
    summary: 'Decline a post in review.',
  }),
];
