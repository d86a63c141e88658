import type { CallTable } from './calls.ts';

/** Calls of the routes of posts, comments, reactions, stories and polls that write. */
export const SOCIAL_CALLS: CallTable = {
  'POST /api/v4/posts': () => ({
    path: '/api/v4/posts',
    body: { targetType: 'community', targetId: 'gardeners', data: { text: 'New' } },
    budget: 16,
  }),
  'PUT /api/v4/posts/:postId': () => ({
    path: '/api/v4/posts/compost',
    body: { data: { text: 'Better' } },
    budget: 16,
  }),
  'DELETE /api/v4/posts/:postId': () => ({ path: '/api/v4/posts/spring-show', budget: 22 }),
  'POST /api/v3/posts/:postId/approve': () => ({
    as: 'frank',
    path: '/api/v3/posts/which-rootstock/approve',
    budget: 18,
  }),
  'POST /api/v3/posts/:postId/decline': ({ waitingPostId }) => ({
    as: 'frank',
    path: `/api/v3/posts/${waitingPostId}/decline`,
    budget: 18,
  }),
  'POST /api/v1/analytics/activities': () => ({
    path: '/api/v1/analytics/activities',
    body: { activities: [{ contentType: 'post', contentId: 'tomatoes', activityType: 'view' }] },
    budget: 8,
  }),
};
