import type { CallTable } from './calls.ts';

/** Calls of the REST writes of posts, comments, reactions, stories and polls. */
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
  'POST /api/v3/comments': () => ({
    path: '/api/v3/comments',
    body: { referenceType: 'post', referenceId: 'tomatoes', data: { text: 'New' } },
    budget: 16,
  }),
  'PUT /api/v3/comments/:commentId': () => ({
    path: '/api/v3/comments/tomatoes-carol',
    body: { data: { text: 'Better' } },
    budget: 16,
  }),
  'DELETE /api/v4/comments/:commentId': () => ({ path: '/api/v4/comments/dew-kim', budget: 18 }),
  'POST /api/v3/comments/:commentId/flag': () => ({ path: '/api/v3/comments/tomatoes-carol/flag', budget: 19 }),
  'DELETE /api/v3/comments/:commentId/unflag': () => ({ path: '/api/v3/comments/tomatoes-carol/unflag', budget: 21 }),
  'GET /api/v3/comments/:commentId/isflagbyme': () => ({
    path: '/api/v3/comments/tomatoes-carol/isflagbyme',
    budget: 5,
  }),
  'POST /api/v2/reactions': () => ({
    path: '/api/v2/reactions',
    body: { referenceType: 'post', referenceId: 'tomatoes', reactionName: 'new' },
    budget: 9,
  }),
  'DELETE /api/v2/reactions': () => ({
    path: '/api/v2/reactions',
    body: { referenceType: 'post', referenceId: 'tomatoes', reactionName: 'new' },
    budget: 9,
  }),
  'GET /api/v3/reactions': () => ({ path: '/api/v3/reactions?referenceType=post&referenceId=seedlings', budget: 8 }),
  'POST /api/v1/analytics/activities': () => ({
    path: '/api/v1/analytics/activities',
    body: { activities: [{ contentType: 'post', contentId: 'tomatoes', activityType: 'view' }] },
    budget: 8,
  }),
  'POST /api/v4/stories': () => ({
    path: '/api/v4/stories',
    body: { targetType: 'community', targetId: 'gardeners', dataType: 'text', data: { text: 'New' } },
    budget: 10,
  }),
  'DELETE /api/v4/stories/:storyId': () => ({ path: '/api/v4/stories/first-shoots', budget: 14 }),
  'POST /api/v3/polls': () => ({
    path: '/api/v3/polls',
    body: { question: 'New?', answers: [{ data: 'Yes' }, { data: 'No' }] },
    budget: 6,
  }),
  'GET /api/v3/polls/:pollId': () => ({ path: '/api/v3/polls/shared-bed', budget: 8 }),
  'PUT /api/v3/polls/:pollId': () => ({ path: '/api/v3/polls/shared-bed', body: { title: 'New' }, budget: 10 }),
  'POST /api/v3/polls/:pollId/votes': () => ({
    path: '/api/v3/polls/shared-bed/votes',
    body: { answerIds: ['shared-bed-peas'] },
    budget: 11,
  }),
  'DELETE /api/v3/polls/:pollId/votes': () => ({ path: '/api/v3/polls/shared-bed/votes', budget: 11 }),
  'DELETE /api/v3/polls/:pollId': () => ({ path: '/api/v3/polls/shared-bed', budget: 10 }),
};
