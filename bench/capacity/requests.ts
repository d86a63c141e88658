import { communityId, feedId, memberOf, postId, type RecordSet } from '../data.ts';
import { zipf } from '../http/zipf.ts';
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

/** A write into a community by one of its members. None is repeated: each has another target or a higher position. */
interface Write {
  community: number;
  /** Which of the four viewers who are members. */
  place: number;
  input: object;
}

function createWrites(set: RecordSet): { readonly [Name in keyof typeof SELECTIONS]: (count: number) => Write } {
  const posts = set.communities * set.postsEach;
  const popular = zipf('communities', set.communities);
  return {
    createPost: (count) => ({
      community: popular(count),
      place: count,
      input: {
        targetType: 'COMMUNITY',
        targetId: communityId(popular(count), set),
        data: { text: `The ${count}th of many posts.` },
      },
    }),
    addReaction: (count) => {
      // Steps that share no factor with the number of posts visit all of them.
      const post = (count * 7) % posts;
      return {
        community: Math.floor(post / set.postsEach),
        place: Math.floor(count / posts),
        input: {
          referenceType: 'POST',
          referenceId: postId(post, set),
          // After this many requests a viewer and a post occur together again.
          reactionName: `capacity-${Math.floor(count / (4 * posts))}`,
        },
      };
    },
    sendMessage: (count) => ({
      community: popular(count),
      place: count,
      input: { messageFeedId: feedId(popular(count), 'talk', set), data: { text: `The ${count}th message.` } },
    }),
    markRead: (count) => ({
      community: count,
      place: Math.floor(count / set.communities),
      input: {
        messageFeedId: feedId(count, 'read', set),
        readToSegment: Math.floor(count / (4 * set.communities)) + 1,
      },
    }),
  };
}

/**
 * Requests of each operation, by members of the communities in turn. Posts and communities that are read follow Zipf's law,
 * and so do those of new posts and messages; reactions and positions are spread evenly, so that none is repeated.
 *
 * @param tokens one for each viewer
 * @param run its number, so that no write of another run is repeated
 */
export function createRequests(tokens: readonly string[], set: RecordSet, run = 0): Record<Operation, () => Request> {
  const authorization = (community: number, place: number) =>
    `Bearer ${tokens[memberOf(community % set.communities, place)]!}`;
  const graphql = (query: string, variables: object, by: string): Request => ({
    method: 'POST',
    path: '/graphql',
    authorization: by,
    body: JSON.stringify({ query, variables }),
  });
  const popularPost = zipf('posts', set.communities * set.postsEach);
  const popularCommunity = zipf('pages', set.communities);
  const writes = createWrites(set);
  const request = (operation: Operation, count: number): Request => {
    if (operation === 'readPost') {
      const post = popularPost(count);
      const by = authorization(Math.floor(post / set.postsEach), count);
      return { method: 'GET', path: `/api/v3/posts/${postId(post, set)}`, authorization: by };
    }
    if (operation === 'readPage') {
      const community = popularCommunity(count);
      return graphql(PAGE, { communityId: communityId(community, set) }, authorization(community, count));
    }
    const type = `${operation.charAt(0).toUpperCase()}${operation.slice(1)}`;
    const query = `mutation ($input: ${type}Input!) { ${operation}(input: $input) { __typename ... on ${type}Payload { ${SELECTIONS[operation]} } ... on OperationError { code message } } }`;
    const { community, place, input } = writes[operation](count);
    return graphql(query, { input }, authorization(community, place));
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
