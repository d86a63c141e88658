import type { CallTable } from '../calls.ts';
import { AUDIT } from './audit.ts';

/** Writes of posts, comments, stories and polls on the sample network, in this order. Each includes the read of the session. */
export const SOCIAL_WRITES: Array<[query: string, budget: number, as: string]> = [
  [
    'mutation { createPost(input: { targetType: COMMUNITY, targetId: "gardeners", data: { text: "Hello #you" }, attachments: [{ type: IMAGE, fileId: "tomatoes-red" }] }) { ... on CreatePostPayload { post { postId } } } }',
    11,
    'bob',
  ],
  [
    'mutation { updatePost(input: { postId: "tomatoes", data: { text: "Hello" } }) { ... on UpdatePostPayload { post { postId } } } }',
    8,
    'bob',
  ],
  [
    'mutation { updatePost(input: { postId: "tomatoes", attachments: [{ type: FILE, fileId: "tomatoes-red" }] }) { __typename } }',
    15,
    'bob',
  ],
  ['mutation { recordViews(input: { postIds: ["pruning"], storyIds: ["morning-dew"] }) { __typename } }', 16, 'carol'],
  ['mutation { approvePost(input: { postId: "which-rootstock" }) { __typename } }', 11 + AUDIT, 'frank'],
  ['mutation { declinePost(input: { postId: "which-rootstock" }) { __typename } }', 9, 'frank'],
  ['mutation { clearPostFlags(input: { postId: "miracle-fertiliser" }) { __typename } }', 11, 'alice'],
  ['mutation { recordViews(input: { postIds: ["tomatoes", "compost"] }) { __typename } }', 8, 'bob'],
  [
    'mutation { createComment(input: { referenceId: "tomatoes", data: { text: "Hello" }, mentionees: [{ userIds: ["alice"] }] }) { ... on CreateCommentPayload { comment { commentId } } } }',
    14,
    'bob',
  ],
  [
    'mutation { updateComment(input: { commentId: "tomatoes-carol", data: { text: "Hi" } }) { __typename } }',
    8,
    'carol',
  ],
  ['mutation { flagComment(input: { commentId: "tomatoes-carol" }) { __typename } }', 12, 'bob'],
  ['mutation { unflagComment(input: { commentId: "tomatoes-carol" }) { __typename } }', 14, 'bob'],
  ['mutation { flagComment(input: { commentId: "tomatoes-carol", reason: OTHERS }) { __typename } }', 12, 'bob'],
  ['mutation { clearCommentFlags(input: { commentId: "tomatoes-carol" }) { __typename } }', 13 + AUDIT, 'alice'],
  ['mutation { deleteComment(input: { commentId: "tomatoes-carol" }) { __typename } }', 10, 'carol'],
  [
    'mutation { addReaction(input: { clientMutationId: "new", referenceType: POST, referenceId: "seedlings", reactionName: "new" }) { __typename } }',
    11,
    'bob',
  ],
  [
    'mutation { removeReaction(input: { referenceType: POST, referenceId: "seedlings", reactionName: "new" }) { __typename } }',
    9,
    'bob',
  ],
  ['{ isCommentFlagged(commentId: "dew-kim") }', 5, 'alice'],
  [
    '{ reactions(referenceType: POST, referenceId: "seedlings", first: 20) { edges { node { reactionName user { displayName avatar { fileUrl } } } } } }',
    7,
    'alice',
  ],
  [
    '{ post(postId: "seedlings") { viewerCanEdit viewerCanDelete viewerCanModerate comments(first: 20) { edges { node { viewerCanEdit viewerCanDelete viewerCanModerate } } } } }',
    5,
    'alice',
  ],
  [
    'mutation { createStory(input: { targetType: COMMUNITY, targetId: "gardeners", dataType: TEXT, data: { text: "Hello" } }) { ... on CreateStoryPayload { story { storyId } } } }',
    8,
    'alice',
  ],
  [
    'mutation { markStorySeen(input: { storyId: "morning-dew" }) { ... on MarkStorySeenPayload { story { isSeenByViewer } } } }',
    12,
    'bob',
  ],
  ['mutation { flagStory(input: { storyId: "morning-dew" }) { __typename } }', 9, 'bob'],
  ['mutation { unflagStory(input: { storyId: "morning-dew" }) { __typename } }', 9, 'bob'],
  ['mutation { flagStory(input: { storyId: "morning-dew", reason: OTHERS }) { __typename } }', 9, 'bob'],
  ['mutation { clearStoryFlags(input: { storyId: "morning-dew" }) { __typename } }', 8 + AUDIT, 'alice'],
  ['mutation { deleteStory(input: { storyId: "morning-dew" }) { __typename } }', 10, 'alice'],
  [
    'mutation { createPoll(input: { question: "Which?", answers: [{ data: "A" }, { data: "B" }] }) { ... on CreatePollPayload { poll { pollId } } } }',
    4,
    'bob',
  ],
  [
    'mutation { votePoll(input: { pollId: "shared-bed", answerIds: ["shared-bed-peas"] }) { ... on VotePollPayload { poll { isVoted } } } }',
    10,
    'kim',
  ],
  [
    'mutation { changePollVote(input: { pollId: "shared-bed", answerIds: ["shared-bed-peas"] }) { __typename } }',
    12,
    'kim',
  ],
  ['mutation { unvotePoll(input: { pollId: "shared-bed" }) { __typename } }', 9, 'kim'],
  ['mutation { updatePoll(input: { pollId: "shared-bed", title: "New" }) { __typename } }', 6, 'alice'],
  ['mutation { closePoll(input: { pollId: "shared-bed" }) { __typename } }', 6, 'alice'],
  ['mutation { deletePoll(input: { pollId: "shared-bed" }) { __typename } }', 6, 'alice'],
  ['mutation { deletePost(input: { postId: "tomatoes" }) { __typename } }', 14, 'bob'],
];

/** Calls of the REST writes of posts, comments, reactions, stories and polls. */
export const SOCIAL_CALLS: CallTable = {
  'GET /api/v1/semantic-search/posts': () => ({ path: '/api/v1/semantic-search/posts?query=the', budget: 22 }),
  'GET /api/v1/search/posts': () => ({ path: '/api/v1/search/posts?hashtags[]=seedlings', budget: 22 }),
  'GET /api/v1/semantic-search/communities': () => ({
    path: '/api/v1/semantic-search/communities?query=garden',
    budget: 12,
  }),
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
  'POST /api/v1/reactions/live': () => ({
    path: '/api/v1/reactions/live',
    body: {
      roomId: 'potting-bench',
      reactions: [{ reactionName: 'clap', referencePublicId: 'potting', referenceType: 'post' }],
    },
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
  'PUT /api/v3/polls/:pollId/votes': () => ({
    path: '/api/v3/polls/shared-bed/votes',
    body: { answerIds: ['shared-bed-peas'] },
    budget: 14,
  }),
  'DELETE /api/v3/polls/:pollId/votes': () => ({ path: '/api/v3/polls/shared-bed/votes', budget: 11 }),
  'POST /api/v3/video-streaming': () => ({
    path: '/api/v3/video-streaming',
    body: { title: 'Live', description: '', channelEnabled: false },
    budget: 9,
  }),
  'GET /api/v3/video-streaming': () => ({ path: '/api/v3/video-streaming', budget: 20 }),
  'GET /api/v3/video-streaming/:streamId': () => ({ path: '/api/v3/video-streaming/greenhouse-tour', budget: 12 }),
  'PUT /api/v3/video-streaming/:streamId': () => ({
    path: '/api/v3/video-streaming/greenhouse-tour',
    body: { title: 'Tour' },
    budget: 10,
  }),
  'DELETE /api/v3/video-streaming/:streamId/streaming-url': () => ({
    path: '/api/v3/video-streaming/greenhouse-tour/streaming-url',
    budget: 10,
  }),
  'DELETE /api/v3/video-streaming/:streamId': () => ({ path: '/api/v3/video-streaming/greenhouse-tour', budget: 12 }),
  'POST /api/v3/user-event/video-streaming': () => ({
    path: '/api/v3/user-event/video-streaming',
    body: { signature: 'x', nonceStr: 'y', timestamp: 1, streams: [{ streamId: 'greenhouse-tour', watchTime: 5 }] },
    budget: 2,
  }),
  'DELETE /api/v3/polls/:pollId': () => ({ path: '/api/v3/polls/shared-bed', budget: 10 }),
};
