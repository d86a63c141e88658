import { COMMUNITIES, communityId, POSTS_EACH, postId } from '../data.ts';

/** Ways to execute an operation. `rest-plan` answers one REST route only. */
export const EXECUTORS = ['plan', 'graphql-js', 'graphql-jit', 'grafast', 'grafast-plans', 'rest-plan'] as const;
export type ExecutorName = (typeof EXECUTORS)[number];

/**
 * Where loaders have their records from. `memory`: they return values. `waiting`: they return promises of records in memory,
 * which one turn of the event loop settles together. `store`: they read the database.
 */
export const LOADERS = ['memory', 'waiting', 'store'] as const;
export type LoaderKind = (typeof LOADERS)[number];

export interface Work {
  /** The GraphQL document; null: the REST route `GET /api/v3/posts/:postId`. */
  document: string | null;
  variables: (place: number) => { [name: string]: string };
}

const PAGE = `
query Page($communityId: String!) {
  posts(targetType: COMMUNITY, targetId: $communityId, first: 20) {
    edges {
      node {
        postId
        data { title text }
        createdAt
        commentsCount
        reactionsCount
        author { userId displayName avatar { fileUrl } }
      }
    }
    pageInfo { hasNextPage }
  }
}`;

const SMALL = '{ viewer { displayName } }';

export const REST_POST = 'REST post with ten comments';

/** Every 240th request is for the same post, every tenth for the same page. */
export const WORKS: { readonly [name: string]: Work } = {
  [REST_POST]: { document: null, variables: (place) => ({ postId: postId(place % (COMMUNITIES * POSTS_EACH)) }) },
  'page of 20 posts with authors': { document: PAGE, variables: (place) => ({ communityId: communityId(place) }) },
  'small query': { document: SMALL, variables: () => ({}) },
};

export const executorsOf = (work: string): readonly ExecutorName[] =>
  work === REST_POST ? EXECUTORS : EXECUTORS.filter((name) => name !== 'rest-plan');
