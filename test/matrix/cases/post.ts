import type { PostRecord } from '../../../src/store/records/content.ts';
import { PLACE_IDS } from '../actors.ts';
import { createPost, markFlagged } from '../content.ts';
import type { Fixtures, RestRequest, Variables } from '../fixtures.ts';
import { emptyIn, isMissingFrom, type MatrixCase, mutationCase, type Rest } from '../matrix-case.ts';
import { createCommunityLike, createPin, createReviewedPost, createUserPost } from '../social-content.ts';

type CreateRecord = (fixtures: Fixtures) => Promise<PostRecord>;

const inPublic: CreateRecord = (fixtures) => createPost(fixtures, PLACE_IDS.community);
const inPrivate: CreateRecord = (fixtures) => createPost(fixtures, PLACE_IDS.privateCommunity);
const waiting: CreateRecord = (fixtures) => createReviewedPost(fixtures, PLACE_IDS.community);
const deleted: CreateRecord = (fixtures) => createPost(fixtures, PLACE_IDS.community, { isDeleted: true });
const onFeed: CreateRecord = (fixtures) => createUserPost(fixtures);
const select = 'post { postId }';
const isEmpty = (answer: unknown): boolean => (answer as unknown[]).length === 0;
const hasNoEdge = (answer: unknown): boolean => (answer as { edges: unknown[] }).edges.length === 0;

/** A mutation of one post. */
function ofPost(
  operation: string,
  situation: string,
  createRecord: CreateRecord,
  { input = {}, rest }: { input?: object; rest?: (postId: string, input: object) => RestRequest } = {},
): MatrixCase {
  return mutationCase(operation, situation, {
    select,
    prepare: async (fixtures) => {
      const { postId } = await createRecord(fixtures);
      if (operation.startsWith('clear')) await markFlagged(fixtures, 'posts', { postId });
      return { postId, ...input };
    },
    ...(rest && { rest: ({ input }) => rest((input as { postId: string }).postId, input as object) }),
  });
}

const post = (situation: string, createRecord: CreateRecord): MatrixCase => ({
  operation: 'post',
  situation,
  document: 'query ($postId: String!) { answer: post(postId: $postId) { postId } }',
  prepare: async (fixtures) => ({ postId: (await createRecord(fixtures)).postId }),
  rest: ({ postId }) => ({ method: 'GET', path: `/api/v3/posts/${postId}` }),
});

const viewers = (situation: string, createRecord: CreateRecord): MatrixCase => ({
  operation: 'postViewers',
  situation,
  document: 'query ($postId: String!) { answer: postViewers(postId: $postId) { edges { node { userId } } } }',
  prepare: async (fixtures) => ({ postId: (await createRecord(fixtures)).postId }),
  rest: ({ postId }) => ({ method: 'GET', path: `/api/v1/analytics/views/posts/${postId}/users` }),
});

const posts = (situation: string, createRecord: CreateRecord): MatrixCase => ({
  operation: 'posts',
  situation,
  document: `query ($targetType: FeedTargetType!, $targetId: String!) {
    answer: posts(targetType: $targetType, targetId: $targetId) { edges { node { postId } } }
  }`,
  async prepare(fixtures) {
    const { targetType, targetId } = await createRecord(fixtures);
    return { targetType: targetType.toUpperCase(), targetId };
  },
  isAbsent: hasNoEdge,
  isAbsentInRest: emptyIn('posts'),
  rest: [
    ...['v4', 'v5'].map(
      (version): Rest =>
        ({ targetType, targetId }) => ({
          method: 'GET',
          path: `/api/${version}/posts?targetType=${String(targetType).toLowerCase()}&targetId=${targetId}`,
        }),
    ),
    ...(createRecord === onFeed ? [userFeed] : []),
  ],
});

const userFeed: Rest = ({ targetId }) => ({ method: 'GET', path: `/api/v4/user-feeds/${targetId}` });

const byIds = (situation: string, createRecord: CreateRecord): MatrixCase => ({
  operation: 'postsByIds',
  situation,
  document: 'query ($postIds: [String!]!) { answer: postsByIds(postIds: $postIds) { postId } }',
  prepare: async (fixtures) => ({ postIds: [(await createRecord(fixtures)).postId] }),
  isAbsent: isEmpty,
  isAbsentInRest: emptyIn('posts'),
  rest: ({ postIds }) => ({ method: 'GET', path: `/api/v3/posts/list?postIds=${postIds}` }),
});

/** The new post is the only one of its kind. */
const feedCase = (
  operation: 'contentFeed' | 'globalFeed',
  situation: string,
  createRecord: CreateRecord,
): MatrixCase => ({
  operation,
  situation,
  document: `query ($dataTypes: [String!]) { answer: ${operation}(dataTypes: $dataTypes) { edges { node { postId } } } }`,
  async prepare(fixtures) {
    const dataType = `my.${fixtures.uniqueId('kind')}`;
    const { postId } = await createRecord(fixtures);
    await fixtures.gateway.services.store.collections.posts.updateOne(
      { networkId: 'default', postId },
      { $set: { dataType, createdAt: new Date() } },
    );
    return { dataTypes: [dataType], postId };
  },
  isAbsent: hasNoEdge,
  // Content feeds have a wrapper and no filter for data types.
  isAbsentInRest: (body, variables, fixtures) =>
    isMissingFrom('posts', 'postId')(body.data ?? body, variables, fixtures),
  rest: (operation === 'contentFeed' ? ['/api/v3/content-feeds'] : GLOBAL_FEEDS).map((path) => () => ({
    method: 'GET',
    path,
  })),
});

const GLOBAL_FEEDS = ['/api/v4/me/global-feeds', '/api/v5/me/global-feeds'];

const isFlagged = (situation: string, createRecord: CreateRecord): MatrixCase => ({
  operation: 'isPostFlagged',
  situation,
  document: 'query ($postId: String!) { answer: isPostFlagged(postId: $postId) }',
  prepare: async (fixtures) => ({ postId: (await createRecord(fixtures)).postId }),
  rest: ({ postId }) => ({ method: 'GET', path: `/api/v3/posts/${postId}/isflagbyme` }),
});

const creation = (
  situation: string,
  targetOf: (fixtures: Fixtures, actor: string) => Variables | Promise<Variables>,
): MatrixCase =>
  mutationCase('createPost', situation, {
    select,
    prepare: async (fixtures, actor) => ({ ...(await targetOf(fixtures, actor)), data: { text: 'Hello' } }),
    rest({ input }) {
      const { targetType, ...body } = input as Variables;
      return { method: 'POST', path: '/api/v4/posts', body: { ...body, targetType: String(targetType).toLowerCase() } };
    },
  });

const update = {
  input: { data: { text: 'Better' } },
  rest: (postId: string, input: object): RestRequest => ({
    method: 'PUT',
    path: `/api/v4/posts/${postId}`,
    body: input,
  }),
};
const deletion = (input = {}) => ({
  input,
  rest: (postId: string, body: object): RestRequest => ({ method: 'DELETE', path: `/api/v4/posts/${postId}`, body }),
});
const v3 = (verb: string, method: 'POST' | 'DELETE' = 'POST') => ({
  rest: (postId: string): RestRequest => ({ method, path: `/api/v3/posts/${postId}/${verb}` }),
});

const pin = (operation: 'pinPost' | 'unpinPost', situation: string, createRecord: CreateRecord): MatrixCase =>
  mutationCase(operation, situation, {
    select: 'pinTarget { targetId }',
    async prepare(fixtures) {
      const record = await createRecord(fixtures);
      if (operation === 'unpinPost') await createPin(fixtures, record);
      return { communityId: record.targetId, placement: 'DEFAULT', postId: record.postId };
    },
    rest({ input }) {
      const { communityId, postId } = input as Variables;
      const path = `/api/v1/pinned-posts/communities/${communityId}/default/${postId}`;
      return { method: operation === 'pinPost' ? 'POST' : 'DELETE', path };
    },
  });

export const POST_CASES: MatrixCase[] = [
  post('in a public community', inPublic),
  post('in a private community', inPrivate),
  post('that waits for review', waiting),
  post('that is deleted', deleted),
  post('on a user’s feed', onFeed),
  viewers('of `author` in a public community', inPublic),
  viewers('of `author` in a private community', inPrivate),
  viewers('of `author` on their feed', onFeed),
  { ...posts('of a public community', inPublic) },
  { ...posts('of a private community', inPrivate) },
  { ...posts('of a user', onFeed) },
  byIds('one in a public community', inPublic),
  byIds('one in a private community', inPrivate),
  feedCase('contentFeed', 'a post in a public community', inPublic),
  feedCase('contentFeed', 'a post in a private community', inPrivate),
  feedCase('globalFeed', 'a post in a public community', inPublic),
  feedCase('globalFeed', 'a post in a private community', inPrivate),
  feedCase('globalFeed', 'a post on the feed of `author`', onFeed),
  isFlagged('a post in a public community', inPublic),
  isFlagged('a post in a private community', inPrivate),
  creation('in a public community', () => ({ targetType: 'COMMUNITY', targetId: PLACE_IDS.community })),
  creation('in a private community', () => ({ targetType: 'COMMUNITY', targetId: PLACE_IDS.privateCommunity })),
  creation('where only moderators post', async (fixtures) => ({
    targetType: 'COMMUNITY',
    targetId: await createCommunityLike(fixtures, { onlyAdminCanPost: true }),
  })),
  creation('on one’s own feed', (_, actor) => ({ targetType: 'USER', targetId: actor })),
  creation('on another user’s feed', () => ({ targetType: 'USER', targetId: 'bystander' })),
  ofPost('updatePost', 'of `author` in a public community', inPublic, update),
  ofPost('updatePost', 'of `author` in a private community', inPrivate, update),
  ofPost('updatePost', 'of `author` on their feed', onFeed, update),
  ofPost('deletePost', 'of `author` in a public community', inPublic, deletion()),
  ofPost('deletePost', 'of `author` in a private community', inPrivate, deletion()),
  ofPost('deletePost', 'of `author` on their feed', onFeed, deletion()),
  ofPost('deletePost', 'permanently', inPublic, deletion({ permanent: true })),
  ofPost('approvePost', 'of `author`, waiting for review', waiting, v3('approve')),
  ofPost('declinePost', 'of `author`, waiting for review', waiting, v3('decline')),
  ofPost('flagPost', 'in a public community', inPublic, v3('flag')),
  ofPost('flagPost', 'in a private community', inPrivate, v3('flag')),
  ofPost('unflagPost', 'in a public community', inPublic, v3('unflag', 'DELETE')),
  ofPost('unflagPost', 'in a private community', inPrivate, v3('unflag', 'DELETE')),
  ofPost('clearPostFlags', 'in a public community', inPublic),
  ofPost('clearPostFlags', 'in a private community', inPrivate),
  ofPost('clearPostFlags', 'on a user’s feed', onFeed),
  pin('pinPost', 'in a public community', inPublic),
  pin('pinPost', 'in a private community', inPrivate),
  pin('unpinPost', 'in a public community', inPublic),
  pin('unpinPost', 'in a private community', inPrivate),
  {
    operation: 'networkPins',
    situation: 'a post in a private community',
    document: '{ answer: networkPins { edges { node { referenceId } } } }',
    async prepare(fixtures) {
      const { pins } = fixtures.gateway.services.store.collections;
      await pins.deleteMany({ networkId: 'default', targetType: 'network', targetId: 'default' });
      await createPin(fixtures, await inPrivate(fixtures), 'network');
      return {};
    },
    isAbsent: hasNoEdge,
    isAbsentInRest: emptyIn('pins'),
    rest: () => ({ method: 'GET', path: '/api/v1/pinned-posts/global' }),
  },
];
