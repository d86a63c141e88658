import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { ask, mutations, type Payload, successfulMutations } from '../support/mutate.ts';

/**
 * A network with private profiles: `leo` has a post with a poll, a comment and a reaction, and a story. `kim` follows
 * leo, `mia` has requested to.
 */
let gateway: TestGateway;
let postId: string;
let commentId: string;
let pollId: string;
let storyId: string;
let feedId: string;
const mutate = mutations(() => gateway);
const USER = { targetType: 'USER', targetId: 'leo' };

const succeed = successfulMutations(() => gateway);

beforeAll(async () => {
  gateway = await openTestNetwork();
  for (const as of ['kim', 'leo', 'mia']) await gateway.tokenOf(as);
  await succeed('admin', 'updateSocialSettings', { userPrivacySetting: 'PRIVATE' }, 'settings { social }');
  for (const as of ['kim', 'mia']) await succeed(as, 'followUser', { userId: 'leo' }, 'follow { status }');
  await succeed('leo', 'acceptFollower', { userId: 'kim' }, 'follow { status }');
  const question = { question: 'Okapi?', answers: [{ data: 'Yes' }, { data: 'No' }] };
  ({ pollId } = (await succeed('leo', 'createPoll', question, 'poll { pollId }')).poll);
  const post = { ...USER, dataType: 'poll', data: { text: 'Okapi census #okapi', pollId }, tags: ['okapi'] };
  const created = await succeed('leo', 'createPost', post, 'post { postId feed { feedId } }');
  ({ postId } = created.post);
  ({ feedId } = created.post.feed);
  const comment = { referenceId: postId, data: { text: 'Two so far' } };
  ({ commentId } = (await succeed('kim', 'createComment', comment, 'comment { commentId }')).comment);
  await succeed(
    'kim',
    'addReaction',
    { referenceType: 'POST', referenceId: postId, reactionName: 'like' },
    '__typename',
  );
  const story = { ...USER, dataType: 'TEXT', data: { text: 'Okapi seen' } };
  ({ storyId } = (await succeed('leo', 'createStory', story, 'story { storyId }')).story);
});
afterAll(() => gateway.close());

const rest = (as: string, path: string) => gateway.rest(path, { as });
const has = (body: Payload, array: string, id: string, value: string) =>
  (body[array] as Payload[]).some((record) => record[id] === value);

/** Paths of lists, with the array and the id of the record that they contain. */
const LISTS: Array<[path: () => string, array: string, id: string, value: () => string]> = [
  [() => '/api/v4/me/global-feeds', 'posts', 'postId', () => postId],
  [
    () => '/api/v4/user-feeds/leo?includePostedFeed[]=user&includePostedFeed[]=community',
    'posts',
    'postId',
    () => postId,
  ],
  [() => '/api/v5/posts?targetType=user&targetId=leo', 'posts', 'postId', () => postId],
  [() => `/api/v3/posts/list?postIds[]=${postId}`, 'posts', 'postId', () => postId],
  [() => '/api/v1/semantic-search/posts?query=okapi', 'posts', 'postId', () => postId],
  [() => '/api/v1/search/posts?hashtags[]=okapi', 'posts', 'postId', () => postId],
  [() => `/api/v3/comments/list?commentIds[]=${commentId}`, 'comments', 'commentId', () => commentId],
  [
    () => '/api/v4/stories-by-targets?targets[0][targetType]=user&targets[0][targetId]=leo',
    'stories',
    'storyId',
    () => storyId,
  ],
  [() => '/api/v4/users/leo/followers?status=accepted', 'follows', 'from', () => 'kim'],
];

describe('lists contain records of a private profile for its user, followers and moderators only', () => {
  test.each(LISTS)('%s', async (path, array, id, value) => {
    const shown: Array<[string, boolean]> = [];
    for (const as of ['leo', 'kim', 'admin', 'mia', 'erin']) {
      const { status, body } = await rest(as, path());
      expect(status, as).toBe(200);
      shown.push([as, has(body, array, id, value())]);
    }
    // The global feed contains posts of followed users and one's own.
    const admin = path() !== '/api/v4/me/global-feeds';
    expect(Object.fromEntries(shown)).toEqual({ leo: true, kim: true, admin, mia: false, erin: false });
  });

  test('also the feed of the whole network', async () => {
    const shown = async (as: string) =>
      has((await rest(as, '/api/v3/content-feeds?options[limit]=100')).body.data, 'posts', 'postId', postId);
    expect([await shown('kim'), await shown('mia')]).toEqual([true, false]);
  });
});

const RECORDS: Array<[name: string, path: () => string]> = [
  ['the post', () => `/api/v3/posts/${postId}`],
  ['its comment', () => `/api/v3/comments/${commentId}`],
  ['its comments', () => `/api/v3/comments?referenceType=post&referenceId=${postId}`],
  ['its reactions', () => `/api/v3/reactions?referenceType=post&referenceId=${postId}`],
  ['its poll', () => `/api/v3/polls/${pollId}`],
  ['the story', () => `/api/v4/stories/${storyId}`],
];

test.each(RECORDS)('%s of a private profile is absent for users who do not follow it', async (_, path) => {
  const statuses = await Promise.all(
    ['leo', 'kim', 'admin', 'mia', 'erin'].map(async (as) => (await rest(as, path())).status),
  );
  expect(statuses).toEqual([200, 200, 200, 404, 404]);
});

test('relations lead to no hidden record of a private profile', async () => {
  const query = `query ($postId: String!, $feedId: String!) {
    post(postId: $postId) { postId }
    feed(feedId: $feedId) { postCount }
    user(userId: "leo") {
      userId
      followCounts { followerCount }
      posts(first: 10) { edges { node { postId } } }
      followers(first: 10) { edges { node { fromUserId } } }
    }
  }`;
  const read = (as: string) => ask(gateway, query, { as, variables: { postId, feedId } });
  expect(await read('kim')).toMatchObject({
    post: { postId },
    feed: { postCount: expect.any(Number) },
    user: { posts: { edges: [{ node: { postId } }] }, followers: { edges: [{ node: { fromUserId: 'kim' } }] } },
  });
  expect(await read('mia')).toEqual({
    post: null,
    feed: null,
    user: {
      userId: 'leo',
      followCounts: { followerCount: 1 },
      posts: { edges: [] },
      followers: { edges: [] },
    },
  });
});

test('writes on a hidden post are refused as if it did not exist', async () => {
  const absent = { code: 'NOT_FOUND' };
  const reaction = { referenceType: 'POST', referenceId: postId, reactionName: 'like' };
  expect(
    await mutate('mia', 'createComment', { referenceId: postId, data: { text: 'x' } }, '__typename'),
  ).toMatchObject(absent);
  expect(await mutate('mia', 'addReaction', reaction, '__typename')).toMatchObject(absent);
  expect(await mutate('mia', 'flagPost', { postId }, '__typename')).toMatchObject(absent);
  expect(await mutate('mia', 'votePoll', { pollId, answerIds: ['x'] }, '__typename')).toMatchObject(absent);
  const share = { targetType: 'USER', targetId: 'mia', sharedPostId: postId, data: { text: 'x' } };
  expect(await mutate('mia', 'createPost', share, '__typename')).toMatchObject(absent);
});

test('a post of a private profile cannot be shared by its followers', async () => {
  const share = { targetType: 'USER', targetId: 'kim', sharedPostId: postId, data: { text: 'x' } };
  expect(await mutate('kim', 'createPost', share, '__typename')).toMatchObject({ code: 'FORBIDDEN' });
});

test('the profile itself stays visible, so that others can request to follow it', async () => {
  const { body } = await rest('erin', '/api/v3/users/leo');
  expect(body.users).toMatchObject([{ userId: 'leo', displayName: expect.any(String) }]);
});

test('what a user posts in a community follows the rules of the community', async () => {
  const community = await succeed('leo', 'createCommunity', { displayName: 'Okapi club' }, 'community { communityId }');
  const post = { targetType: 'COMMUNITY', targetId: community.community.communityId, data: { text: 'Hello' } };
  const open = await succeed('leo', 'createPost', post, 'post { postId }');
  expect((await rest('mia', `/api/v3/posts/${open.post.postId}`)).status).toBe(200);
});
