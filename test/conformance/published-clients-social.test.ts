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

test('changes of members of a community also contain the membership of the caller', async () => {
  const body = { displayName: 'Hives', isPublic: true };
  const { communities } = (await gateway.rest('/api/v3/communities', { method: 'POST', body })).body;
  const path = `/api/v3/communities/${communities[0].communityId}/users`;
  for (const [method, suffix, communityMembership] of [
    ['POST', '', 'member'],
    ['DELETE', '', 'none'],
    ['PUT', '/ban', 'banned'],
    ['PUT', '/unban', 'none'],
  ] as const) {
    const answer = (await gateway.rest(path + suffix, { method, body: { userIds: ['bob'] } })).body;
    expect(answer.communityUsers, method + suffix).toMatchObject([
      { userId: 'bob', communityMembership },
      { userId: 'alice', communityMembership: 'member' },
    ]);
    expect(answer.communities).toMatchObject([{ displayName: 'Hives', isJoined: true }]);
  }
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

describe('video streams over REST', () => {
  const path = '/api/v3/video-streaming';
  const arrays = ['videoStreamings', 'videoStreamingChildren', 'videoStreamModerations', 'users', 'files'];
  const send = async (method: string, at: string, body?: object, as = 'bob') => {
    const answer = await gateway.rest(at, { as, method, body });
    expect([at, answer.status, answer.body.message]).toEqual([at, 200, undefined]);
    return answer.body;
  };
  const create = async (fields: object = {}) =>
    (await send('POST', path, { title: 'Pond', description: '', ...fields })).videoStreamings[0];
  const idsOf = (body: { videoStreamings: Array<{ streamId: string }> }) =>
    body.videoStreamings.map(({ streamId }) => streamId);

  test('are created, read, changed, ended and deleted with every array', async () => {
    const created = await create({ channelEnabled: true, metadata: { a: 1 }, resolution: 'SD' });
    expect(created).toMatchObject({ title: 'Pond', status: 'idle', isParent: true, resolution: 'SD', userId: 'bob' });
    const at = `${path}/${created.streamId}`;
    const got = await send('GET', at);
    expect(Object.keys(got)).toEqual(arrays);
    expect(got.users).toContainEqual(expect.objectContaining({ userId: 'bob' }));
    expect((await send('PUT', at, { title: 'Lake' })).videoStreamings[0].title).toBe('Lake');
    expect((await send('DELETE', `${at}/streaming-url`)).videoStreamings[0]).toMatchObject({
      status: 'ended',
      isLive: false,
    });
    expect((await gateway.rest(at, { as: 'carol' })).status).toBe(404);
    expect(await send('DELETE', at)).toMatchObject({ success: true });
    expect((await send('GET', at)).videoStreamings[0].isDeleted).toBe(true);
  });

  test('list their children with their parent', async () => {
    const parent = await create();
    const child = await create({ parentStreamId: parent.streamId });
    expect(child).toMatchObject({ parentStreamId: parent.streamId, isParent: false });
    const { videoStreamings, videoStreamingChildren } = await send('GET', `${path}/${parent.streamId}`);
    expect(videoStreamings[0].childStreamIds).toEqual([child.streamId]);
    expect(videoStreamingChildren).toMatchObject([{ streamId: child.streamId }]);
    const under = (parentStreamId: string, as = 'bob') =>
      gateway.rest(path, { as, method: 'POST', body: { title: 'More', parentStreamId } });
    expect((await under(child.streamId)).status).toBe(400);
    expect((await under(parent.streamId, 'carol')).status).toBe(404);
  });

  test('in a place that the caller does not see are not shown as children of a visible one', async () => {
    const postIn = async (target: object, streamId: string) => {
      const body = { ...target, dataType: 'liveStream', data: { text: 'Live', streamId } };
      expect((await gateway.rest('/api/v4/posts', { as: 'bob', method: 'POST', body })).status).toBe(200);
    };
    const parent = await create();
    const [shown, hidden] = [
      await create({ parentStreamId: parent.streamId }),
      await create({ parentStreamId: parent.streamId }),
    ];
    await postIn({ targetType: 'user', targetId: 'bob' }, parent.streamId);
    const closed = { displayName: 'Closed', isPublic: false };
    const { communities } = await send('POST', '/api/v3/communities', closed);
    await postIn({ targetType: 'community', targetId: communities[0].communityId }, hidden.streamId);
    const childrenFor = async (as: string) => {
      const { videoStreamingChildren } = await send('GET', `${path}/${parent.streamId}`, undefined, as);
      return (videoStreamingChildren as Array<{ streamId: string }>).map(({ streamId }) => streamId);
    };
    expect(await childrenFor('bob')).toEqual([shown.streamId, hidden.streamId]);
    expect(await childrenFor('carol')).toEqual([shown.streamId]);
  });

  test('are listed by state, user and deletion, in both orders and over pages', async () => {
    const [first, second, third] = [await create(), await create(), await create()];
    await send('DELETE', `${path}/${second.streamId}`);
    await send('DELETE', `${path}/${third.streamId}/streaming-url`);
    const own = [first.streamId, second.streamId, third.streamId];
    const list = async (query: string, as = 'bob') => {
      const listed = idsOf(await send('GET', `${path}?userPublicIds[]=bob&options[limit]=100&${query}`, undefined, as));
      return listed.filter((one) => own.includes(one));
    };
    expect(await list('isDeleted=false')).toEqual([third.streamId, first.streamId]);
    const { results, paging, ...arrays } = await send('GET', `${path}?userPublicIds[]=bob&options[limit]=100`);
    expect(results).toEqual(arrays);
    expect(paging).toEqual({});
    expect(await list('sortBy=firstCreated')).toEqual(own);
    expect(await list('statuses[]=ended&isDeleted=false')).toEqual([third.streamId]);
    expect(await list('isLive=true')).toEqual([]);
    expect(await list('isDeleted=true')).toEqual([second.streamId]);
    expect(await list('', 'carol')).toEqual([]);
    const page = await send('GET', `${path}?userPublicIds[]=bob&options[limit]=1`);
    const next = await send('GET', `${path}?options[token]=${encodeURIComponent(page.paging.next)}`);
    expect([...idsOf(page), ...idsOf(next)]).toEqual([third.streamId, second.streamId]);
  });

  test('accept watch times', async () => {
    const body = { signature: 'x', nonceStr: 'y', timestamp: 1, streams: [{ streamId: 'any', watchTime: 3 }] };
    expect(await send('POST', '/api/v3/user-event/video-streaming', body)).toEqual({ success: true });
  });
});

test('a token is checked with its user', async () => {
  expect((await read('/api/v3/sessions', 'bob')).users).toMatchObject([{ userId: 'bob' }]);
  expect((await gateway.rest('/api/v3/sessions', { as: null })).status).toBe(401);
});

describe('push devices', () => {
  const headers = () => ({ 'x-api-key': gateway.keys.API_KEY });
  const send = (method: string, body: object, given: Record<string, string> = headers()) =>
    gateway.rest('/v1/notification', { as: null, method, body, headers: given });
  const signIn = (userId: string, deviceId: string) =>
    gateway.rest('/api/v5/sessions', { as: null, method: 'POST', body: { userId, deviceId }, headers: headers() });
  const stored = (deviceId: string) =>
    gateway.services.store.collections.pushDevices
      .find({ networkId: gateway.networkId, deviceId }, { projection: { _id: 0, userId: 1, platform: 1, token: 1 } })
      .toArray();

  test('are registered once each, for a user who is signed in there, and removed', async () => {
    const device = { userId: 'leo', deviceId: 'phone', platform: 'ios', token: 'one' };
    expect((await send('POST', device)).status).toBe(401);
    await signIn('leo', 'phone');
    expect((await send('POST', device, {})).status).toBe(401);
    expect((await send('POST', { ...device, platform: 'fridge' })).status).toBe(422);
    expect((await send('POST', { ...device, userId: 'alice' })).status).toBe(401);
    const registered = await send('POST', device);
    expect([registered.status, registered.body]).toEqual([200, { status: 'success' }]);
    await send('POST', { ...device, token: 'two' });
    expect(await stored('phone')).toEqual([{ userId: 'leo', platform: 'ios', token: 'two' }]);
    await signIn('grace', 'phone');
    expect((await send('POST', device)).status).toBe(401);
    expect((await send('POST', { ...device, userId: 'grace' })).status).toBe(200);
    expect(await stored('phone')).toMatchObject([{ userId: 'grace' }]);
    expect((await send('DELETE', { deviceId: 'phone' })).body).toEqual({ status: 'success' });
    expect((await send('DELETE', { deviceId: 'phone' })).body).toEqual({ status: 'success' });
    expect(await stored('phone')).toEqual([]);
  });

  test('are removed when another user signs in on the device, and when the user signs out', async () => {
    const { accessToken } = (await signIn('leo', 'console')).body;
    const device = { userId: 'leo', deviceId: 'console', platform: 'ios', token: 'one' };
    await send('POST', device);
    const signOut = () =>
      gateway.rest('/api/v4/sessions', {
        as: null,
        method: 'DELETE',
        headers: { authorization: `Bearer ${accessToken}` },
      });
    expect((await signOut()).status).toBe(200);
    expect(await stored('console')).toEqual([]);
    await signIn('leo', 'console');
    await send('POST', device);
    await signIn('leo', 'console');
    expect(await stored('console')).toHaveLength(1);
    await signIn('grace', 'console');
    expect(await stored('console')).toEqual([]);
  });

  test('are removed by the token of the device when a client sends no usable id', async () => {
    const { accessToken } = (await signIn('leo', 'watch')).body;
    const authorization = `Bearer ${accessToken}`;
    for (const body of [{}, { deviceId: {} }]) {
      await send('POST', { userId: 'leo', deviceId: 'watch', platform: 'ios', token: 'one' });
      expect((await send('DELETE', body)).status).toBe(422);
      expect(await stored('watch')).toHaveLength(1);
      expect((await send('DELETE', body, { ...headers(), authorization })).status).toBe(200);
      expect(await stored('watch')).toEqual([]);
    }
  });

  test('of a deleted account are removed', async () => {
    const { accessToken } = (await signIn('short-lived', 'tablet')).body;
    await send('POST', { userId: 'short-lived', deviceId: 'tablet', platform: 'android', token: 'one' });
    expect(await stored('tablet')).toHaveLength(1);
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
      body: JSON.stringify({ query: 'mutation { deleteUser(input: {}) { __typename } }' }),
    });
    expect((await response.json()).data.deleteUser.__typename).toBe('DeleteUserPayload');
    expect(await stored('tablet')).toEqual([]);
  });
});
