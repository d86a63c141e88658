import type { PostRecord } from '../../../src/store/records/content.ts';
import { emptyIn, lacksIn, mutationScene, type Rest, type Scene } from '../scene.ts';
import { communityLike, pinOf, postOnFeed, reviewedPost } from '../social-things.ts';
import { STAGE } from '../stage.ts';
import { postIn } from '../things.ts';
import type { RestRequest, Variables, World } from '../world.ts';

type Made = (world: World) => Promise<PostRecord>;

const inPublic: Made = (world) => postIn(world, STAGE.community);
const inPrivate: Made = (world) => postIn(world, STAGE.privateCommunity);
const waiting: Made = (world) => reviewedPost(world, STAGE.community);
const deleted: Made = (world) => postIn(world, STAGE.community, { isDeleted: true });
const onFeed: Made = (world) => postOnFeed(world);
const select = 'post { postId }';
const isEmpty = (answer: unknown): boolean => (answer as unknown[]).length === 0;
const hasNoEdge = (answer: unknown): boolean => (answer as { edges: unknown[] }).edges.length === 0;

/** A mutation of one post. */
function ofPost(
  operation: string,
  situation: string,
  made: Made,
  { input = {}, rest }: { input?: object; rest?: (postId: string, input: object) => RestRequest } = {},
): Scene {
  return mutationScene(operation, situation, {
    select,
    prepare: async (world) => ({ postId: (await made(world)).postId, ...input }),
    ...(rest && { rest: ({ input }) => rest((input as { postId: string }).postId, input as object) }),
  });
}

const post = (situation: string, made: Made): Scene => ({
  operation: 'post',
  situation,
  document: 'query ($postId: String!) { answer: post(postId: $postId) { postId } }',
  prepare: async (world) => ({ postId: (await made(world)).postId }),
  rest: ({ postId }) => ({ method: 'GET', path: `/api/v3/posts/${postId}` }),
});

const viewers = (situation: string, made: Made): Scene => ({
  operation: 'postViewers',
  situation,
  document: 'query ($postId: String!) { answer: postViewers(postId: $postId) { edges { node { userId } } } }',
  prepare: async (world) => ({ postId: (await made(world)).postId }),
  rest: ({ postId }) => ({ method: 'GET', path: `/api/v1/analytics/views/posts/${postId}/users` }),
});

const posts = (situation: string, made: Made): Scene => ({
  operation: 'posts',
  situation,
  document: `query ($targetType: FeedTargetType!, $targetId: String!) {
    answer: posts(targetType: $targetType, targetId: $targetId) { edges { node { postId } } }
  }`,
  async prepare(world) {
    const { targetType, targetId } = await made(world);
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
    ...(made === onFeed ? [userFeed] : []),
  ],
});

const userFeed: Rest = ({ targetId }) => ({ method: 'GET', path: `/api/v4/user-feeds/${targetId}` });

const byIds = (situation: string, made: Made): Scene => ({
  operation: 'postsByIds',
  situation,
  document: 'query ($postIds: [String!]!) { answer: postsByIds(postIds: $postIds) { postId } }',
  prepare: async (world) => ({ postIds: [(await made(world)).postId] }),
  isAbsent: isEmpty,
  isAbsentInRest: emptyIn('posts'),
  rest: ({ postIds }) => ({ method: 'GET', path: `/api/v3/posts/list?postIds=${postIds}` }),
});

/** The only post of its kind is the one just made. */
const feedScene = (operation: 'contentFeed' | 'globalFeed', situation: string, made: Made): Scene => ({
  operation,
  situation,
  document: `query ($dataTypes: [String!]) { answer: ${operation}(dataTypes: $dataTypes) { edges { node { postId } } } }`,
  async prepare(world) {
    const dataType = `my.${world.fresh('kind')}`;
    const { postId } = await made(world);
    await world.gateway.services.store.collections.posts.updateOne(
      { networkId: 'default', postId },
      { $set: { dataType, createdAt: new Date() } },
    );
    return { dataTypes: [dataType], postId };
  },
  isAbsent: hasNoEdge,
  // Content feeds are wrapped (interface §4.3), and not filtered by data types.
  isAbsentInRest: (body, variables, world) => lacksIn('posts', 'postId')(body.data ?? body, variables, world),
  rest: (operation === 'contentFeed' ? ['/api/v3/content-feeds'] : GLOBAL_FEEDS).map((path) => () => ({
    method: 'GET',
    path,
  })),
});

const GLOBAL_FEEDS = ['/api/v4/me/global-feeds', '/api/v5/me/global-feeds'];

const isFlagged = (situation: string, made: Made): Scene => ({
  operation: 'isPostFlagged',
  situation,
  document: 'query ($postId: String!) { answer: isPostFlagged(postId: $postId) }',
  prepare: async (world) => ({ postId: (await made(world)).postId }),
  rest: ({ postId }) => ({ method: 'GET', path: `/api/v3/posts/${postId}/isflagbyme` }),
});

const creation = (
  situation: string,
  targetOf: (world: World, actor: string) => Variables | Promise<Variables>,
): Scene =>
  mutationScene('createPost', situation, {
    select,
    prepare: async (world, actor) => ({ ...(await targetOf(world, actor)), data: { text: 'Hello' } }),
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

const pin = (operation: 'pinPost' | 'unpinPost', situation: string, made: Made): Scene =>
  mutationScene(operation, situation, {
    select: 'pinTarget { targetId }',
    async prepare(world) {
      const record = await made(world);
      if (operation === 'unpinPost') await pinOf(world, record);
      return { communityId: record.targetId, placement: 'DEFAULT', postId: record.postId };
    },
    rest({ input }) {
      const { communityId, postId } = input as Variables;
      const path = `/api/v1/pinned-posts/communities/${communityId}/default/${postId}`;
      return { method: operation === 'pinPost' ? 'POST' : 'DELETE', path };
    },
  });

export const POST_SCENES: Scene[] = [
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
  feedScene('contentFeed', 'a post in a public community', inPublic),
  feedScene('contentFeed', 'a post in a private community', inPrivate),
  feedScene('globalFeed', 'a post in a public community', inPublic),
  feedScene('globalFeed', 'a post in a private community', inPrivate),
  feedScene('globalFeed', 'a post on the feed of `author`', onFeed),
  isFlagged('a post in a public community', inPublic),
  isFlagged('a post in a private community', inPrivate),
  creation('in a public community', () => ({ targetType: 'COMMUNITY', targetId: STAGE.community })),
  creation('in a private community', () => ({ targetType: 'COMMUNITY', targetId: STAGE.privateCommunity })),
  creation('where only moderators post', async (world) => ({
    targetType: 'COMMUNITY',
    targetId: await communityLike(world, { onlyAdminCanPost: true }),
  })),
  creation('on one’s own feed', (_, actor) => ({ targetType: 'USER', targetId: actor })),
  creation('on somebody else’s feed', () => ({ targetType: 'USER', targetId: 'bystander' })),
  ofPost('updatePost', 'of `author` in a public community', inPublic, update),
  ofPost('updatePost', 'of `author` in a private community', inPrivate, update),
  ofPost('updatePost', 'of `author` on their feed', onFeed, update),
  ofPost('deletePost', 'of `author` in a public community', inPublic, deletion()),
  ofPost('deletePost', 'of `author` in a private community', inPrivate, deletion()),
  ofPost('deletePost', 'of `author` on their feed', onFeed, deletion()),
  ofPost('deletePost', 'for good', inPublic, deletion({ permanent: true })),
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
    async prepare(world) {
      const { pins } = world.gateway.services.store.collections;
      await pins.deleteMany({ networkId: 'default', targetType: 'network', targetId: 'default' });
      await pinOf(world, await inPrivate(world), 'network');
      return {};
    },
    isAbsent: hasNoEdge,
    isAbsentInRest: emptyIn('pins'),
    rest: () => ({ method: 'GET', path: '/api/v1/pinned-posts/global' }),
  },
];
