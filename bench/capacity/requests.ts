import { COMMUNITIES, communityId, feedId, POSTS_EACH, postId, VIEWERS } from '../data.ts';
import { OPERATIONS, type Operation } from './model.ts';

export interface Request {
  method: 'GET' | 'POST';
  path: string;
  authorization: string;
  body?: string;
}

/** A screen of a feed. */
const PAGE = `query Page($communityId: String!) { community(communityId: $communityId) { displayName posts(first: 20) {
  edges { node { postId data { title text } createdAt reactionsCount commentsCount myReactions
    author { userId displayName avatar { fileUrl } }
    latestComments { commentId data author { userId displayName avatar { fileUrl } } } } }
  pageInfo { hasNextPage } } } }`;

const SELECTIONS = {
  createPost: 'post { postId }',
  addReaction: 'reaction { reactionId }',
  sendMessage: 'chatMessage { messageId }',
  markRead: 'userFeedMarkers { readToSegment unreadCount }',
} as const;

/** More than a run sends of any operation. */
const REQUESTS_PER_RUN = 1_000_000;
const POSTS = COMMUNITIES * POSTS_EACH;

/** Inputs of writes. None is repeated: each has another user and target, or a higher position than the one before. */
const INPUTS: { readonly [Name in keyof typeof SELECTIONS]: (count: number) => object } = {
  createPost: (count) => ({
    targetType: 'COMMUNITY',
    targetId: communityId(count),
    data: { text: `The ${count}th of many posts.` },
  }),
  addReaction: (count) => ({
    referenceType: 'POST',
    referenceId: postId(count % POSTS),
    // After this many requests a viewer and a post occur together again.
    reactionName: `capacity-${Math.floor(count / (2 * POSTS))}`,
  }),
  sendMessage: (count) => ({ messageFeedId: feedId(count, 'talk'), data: { text: `The ${count}th message.` } }),
  markRead: (count) => ({
    messageFeedId: feedId(count, 'read'),
    readToSegment: Math.floor(count / (COMMUNITIES * VIEWERS)) + 1,
  }),
};

/**
 * Requests of each operation, by viewers in turn.
 * @param run its number, so that no write of another run is repeated
 */
export function createRequests(tokens: readonly string[], run = 0): Record<Operation, () => Request> {
  const graphql = (query: string, variables: object, authorization: string): Request => ({
    method: 'POST',
    path: '/graphql',
    authorization,
    body: JSON.stringify({ query, variables }),
  });
  const request = (operation: Operation, count: number): Request => {
    const authorization = `Bearer ${tokens[count % VIEWERS]!}`;
    if (operation === 'readPost') {
      // Steps that share no factor with the number of posts visit all of them.
      return { method: 'GET', path: `/api/v3/posts/${postId((count * 7) % POSTS)}`, authorization };
    }
    if (operation === 'readPage') return graphql(PAGE, { communityId: communityId(count) }, authorization);
    const type = `${operation.charAt(0).toUpperCase()}${operation.slice(1)}`;
    const query = `mutation ($input: ${type}Input!) { ${operation}(input: $input) { __typename ... on ${type}Payload { ${SELECTIONS[operation]} } ... on OperationError { code message } } }`;
    return graphql(query, { input: INPUTS[operation](count) }, authorization);
  };
  const entries = OPERATIONS.map((operation) => {
    let count = run * REQUESTS_PER_RUN;
    return [operation, () => request(operation, count++)];
  });
  return Object.fromEntries(entries) as Record<Operation, () => Request>;
}

/** A cycle of operations in which each occurs as often as its share of `shares` requires, in a mixed order. */
export function cycleOf(shares: Record<Operation, number>, length: number): Operation[] {
  const total = OPERATIONS.reduce((sum, operation) => sum + shares[operation], 0);
  const due = Object.fromEntries(OPERATIONS.map((operation) => [operation, 0])) as Record<Operation, number>;
  return Array.from({ length }, () => {
    for (const operation of OPERATIONS) due[operation] += shares[operation] / total;
    const next = OPERATIONS.reduce((most, operation) => (due[operation] > due[most] ? operation : most));
    due[next] -= 1;
    return next;
  });
}
