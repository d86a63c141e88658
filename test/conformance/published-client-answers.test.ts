import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { mutate } from '../support/mutate.ts';

/** Forms of answers and paths that published clients rely on: `docs/interface.md#published-clients`. */
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const read = async (path: string, as = 'alice') => {
  const { status, body } = await gateway.rest(path, { as });
  expect([path, status]).toEqual([path, 200]);
  return body;
};

test('a role is read as a bare array', async () => {
  expect(await read('/api/v3/roles/member')).toMatchObject([{ roleId: 'member' }]);
});

test('deleting a poll or a story reports success beside the record', async () => {
  const question = { question: 'Which?', answers: [{ data: 'A' }, { data: 'B' }] };
  const { polls } = (await gateway.rest('/api/v3/polls', { method: 'POST', body: question })).body;
  const story = { targetType: 'user', targetId: 'alice', dataType: 'text', data: { text: 'Hello' } };
  const { stories } = (await gateway.rest('/api/v4/stories', { method: 'POST', body: story })).body;
  const remove = async (path: string) => (await gateway.rest(path, { method: 'DELETE' })).body;
  expect(await remove(`/api/v3/polls/${polls[0].pollId}`)).toMatchObject({
    success: true,
    polls: [{ isDeleted: true }],
  });
  expect(await remove(`/api/v4/stories/${stories[0].storyId}`)).toMatchObject({
    success: true,
    stories: [{ storyId: stories[0].storyId }],
  });
});

test('whether the caller flagged a user is read at any spelling of the path and of the answer', async () => {
  for (const [isFlagged, method] of [
    [true, 'POST'],
    [false, 'DELETE'],
  ] as const) {
    expect((await gateway.rest('/api/v4/me/flags/heidi', { method })).status).toBe(200);
    for (const path of ['isFlagByMe', 'isflagbyme', 'isFlagByME/']) {
      const answer = await read(`/api/v3/users/heidi/${path}`);
      expect(answer).toEqual({ result: isFlagged, isFlagByMe: isFlagged });
    }
  }
});

test('paths match without regard to case, and ids in them with regard to it', async () => {
  expect((await read('/API/V3/Users/alice')).users[0].userId).toBe('alice');
  expect((await gateway.rest('/api/v3/users/Alice')).status).toBe(404);
});

test('the payload of an access token names its user by both ids', async () => {
  const { users } = await read('/api/v3/users/alice');
  expect(decodeJwt(await gateway.tokenOf('alice')).user).toEqual({ userId: users[0]._id, publicUserId: 'alice' });
});

describe('the feed of a user', () => {
  let written: string[];
  beforeAll(async () => {
    const post = async (targetType: string, targetId: string) => {
      const input = { targetType, targetId, data: { text: `In ${targetId}` } };
      return (await mutate(gateway, 'createPost', input, { select: 'post { postId }', as: 'carol' })).post.postId;
    };
    written = [await post('USER', 'carol'), await post('COMMUNITY', 'gardeners'), await post('USER', 'carol')];
  });

  const feed = async (query: string, as = 'alice') =>
    (await read(`/api/v4/user-feeds/carol?options[limit]=100&${query}`, as)).posts as Array<{
      postId: string;
      targetType: string;
      postedUserId: string;
      createdAt: string;
    }>;
  const newest = (posts: Array<{ postId: string }>) =>
    posts.map(({ postId }) => postId).filter((postId) => written.includes(postId));

  test('contains the posts on their profile, those in communities, or both in one order', async () => {
    const [first, second, third] = written as [string, string, string];
    expect(newest(await feed(''))).toEqual([third, first]);
    expect(newest(await feed('includePostedFeed[]=user'))).toEqual([third, first]);
    expect(newest(await feed('includePostedFeed[]=community'))).toEqual([second]);
    const both = 'includePostedFeed[]=user&includePostedFeed[]=community';
    expect(newest(await feed(both))).toEqual([third, second, first]);
    expect(newest(await feed(`${both}&sortBy=firstCreated`))).toEqual([first, second, third]);
    expect(newest(await feed(`${both}&dataTypes[]=image`))).toEqual([]);
    const posts = await feed(both);
    expect(posts.every((post) => post.targetType === 'user' || post.postedUserId === 'carol')).toBe(true);
    expect(posts.map((post) => post.createdAt)).toEqual(
      posts
        .map((post) => post.createdAt)
        .sort()
        .reverse(),
    );
  });

  test('leaves out posts in communities whose posts the caller does not see', async () => {
    const community = { displayName: 'Closed', isPublic: false, userIds: ['carol'] };
    const { communities } = (await gateway.rest('/api/v3/communities', { method: 'POST', body: community })).body;
    const input = { targetType: 'COMMUNITY', targetId: communities[0].communityId, data: { text: 'Inside' } };
    const { post } = await mutate(gateway, 'createPost', input, { select: 'post { postId }', as: 'carol' });
    const sees = async (as: string) =>
      (await feed('includePostedFeed[]=community', as)).some(({ postId }) => postId === post.postId);
    expect([await sees('alice'), await sees('carol'), await sees('dave')]).toEqual([true, true, false]);
  });

  test('continues over pages that take from both sources', async () => {
    const both = 'includePostedFeed[]=user&includePostedFeed[]=community';
    const all = (await feed(both)).map(({ postId }) => postId);
    const seen: string[] = [];
    let query = `${both}&options[limit]=2`;
    for (;;) {
      const { posts, paging } = await read(`/api/v4/user-feeds/carol?${query}`);
      seen.push(...posts.map(({ postId }: { postId: string }) => postId));
      if (!paging.next) break;
      query = `options[token]=${encodeURIComponent(paging.next)}`;
    }
    expect(seen).toEqual(all);
  });
});
