import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectConsistent } from '../support/consistency.ts';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';

/** `kim`, `leo` and `mia` do not follow each other at first; every test ends the follows it creates. */
let gateway: TestGateway;
const mutate = mutations(() => gateway);
const PEOPLE = ['kim', 'leo', 'mia'];

const call = (method: string, path: string, as: string) => gateway.rest(path, { method, as });
const follow = (as: string, userId: string) => call('POST', `/api/v4/me/following/${userId}`, as);
const unfollow = (as: string, userId: string) => call('DELETE', `/api/v4/me/following/${userId}`, as);
const setPrivacy = (userPrivacySetting: 'PUBLIC' | 'PRIVATE') =>
  mutate('admin', 'updateSocialSettings', { userPrivacySetting }, 'settings { social }');
const countsOf = async (as: string) => (await call('GET', '/api/v4/me/followInfo', as)).body.followCounts[0];
const post = async (as: string) => {
  const input = { targetType: 'USER', targetId: as, data: { text: 'Hi' } };
  return (await mutate(as, 'createPost', input, 'post { postId }')).post.postId as string;
};
const statusOfPost = async (as: string, postId: string) => (await call('GET', `/api/v3/posts/${postId}`, as)).status;
const feedOf = async (as: string) => {
  const { body } = await call('GET', '/api/v4/me/global-feeds', as);
  return (body.posts as Array<{ postId: string }>).map(({ postId }) => postId);
};

beforeAll(async () => {
  gateway = await openTestNetwork();
});
afterEach(async () => {
  await setPrivacy('PUBLIC');
  for (const as of PEOPLE) for (const other of PEOPLE) if (as !== other) await unfollow(as, other);
});
afterAll(async () => {
  await expectConsistent(gateway);
  await gateway.close();
});

describe('in a network with public profiles', () => {
  test('following needs no approval, counts once, and can be ended', async () => {
    for (const answer of [await follow('kim', 'leo'), await follow('kim', 'leo')]) {
      expect(answer.body.follows).toMatchObject([{ from: 'kim', to: 'leo', status: 'accepted' }]);
    }
    expect(await countsOf('kim')).toEqual({ userId: 'kim', followerCount: 0, followingCount: 1, pendingCount: 0 });
    expect(await countsOf('leo')).toEqual({ userId: 'leo', followerCount: 1, followingCount: 0, pendingCount: 0 });
    const { body } = await unfollow('kim', 'leo');
    expect(body.follows).toMatchObject([{ from: 'kim', to: 'leo', status: 'none' }]);
    expect(await countsOf('leo')).toMatchObject({ followerCount: 0 });
  });

  test('a user sees their relation to another with the counts of that user', async () => {
    await follow('mia', 'leo');
    const { body } = await call('GET', '/api/v5/users/leo/followInfo', 'kim');
    expect(body.follows).toMatchObject([{ from: 'kim', to: 'leo', status: 'none' }]);
    expect(body.followCounts).toMatchObject([{ userId: 'leo', followerCount: 1, pendingCount: null }]);
  });

  test('lists of a user without follows are empty, those of a user who does not exist are a 404', async () => {
    for (const list of ['followers', 'following']) {
      const { status, body } = await call('GET', `/api/v4/users/leo/${list}`, 'kim');
      expect([status, body.follows, body.paging], list).toEqual([200, [], {}]);
      const absent = await call('GET', `/api/v4/users/nobody/${list}`, 'kim');
      expect([absent.status, absent.body.code], list).toEqual([404, 400400]);
    }
  });

  test('lists have the newest follow first, in pages', async () => {
    await follow('leo', 'kim');
    await follow('mia', 'kim');
    const path = '/api/v4/users/kim/followers?status=accepted&isDeleted=false&options[limit]=1';
    const first = await call('GET', path, 'leo');
    expect(first.body.follows).toMatchObject([{ from: 'mia', to: 'kim', status: 'accepted' }]);
    expect(first.body.users.map(({ userId }: { userId: string }) => userId).sort()).toEqual(['kim', 'mia']);
    const next = await call(
      'GET',
      `${path.split('?')[0]}?status=accepted&options[token]=${first.body.paging.next}`,
      'leo',
    );
    expect(next.body.follows).toMatchObject([{ from: 'leo' }]);
    expect(next.body.paging.next).toBeUndefined();
    const { body } = await call('GET', '/api/v4/me/following', 'mia');
    expect(body.follows).toMatchObject([{ from: 'mia', to: 'kim' }]);
  });

  test('users cannot follow themselves', async () => {
    expect((await follow('kim', 'kim')).body.code).toBe(400301);
  });

  test('the global feed contains the posts of followed users', async () => {
    const postId = await post('leo');
    expect(await feedOf('kim')).not.toContain(postId);
    await follow('kim', 'leo');
    expect(await feedOf('kim')).toContain(postId);
    await mutate('admin', 'updateSocialSettings', { globalFeed: { showFollowingPost: false } }, 'settings { social }');
    expect(await feedOf('kim')).not.toContain(postId);
    await mutate('admin', 'updateSocialSettings', { globalFeed: { showFollowingPost: true } }, 'settings { social }');
  });
});

describe('in a network with private profiles', () => {
  test('clients read that follows need approval', async () => {
    await setPrivacy('PRIVATE');
    const { body } = await call('GET', '/api/v3/network-settings/social', 'kim');
    expect(body.socialNetworkSetting).toMatchObject({ isFollowWithRequestEnabled: true });
  });

  test('a follow waits for approval, and the other user accepts or declines it', async () => {
    await setPrivacy('PRIVATE');
    expect((await follow('kim', 'leo')).body.follows).toMatchObject([{ status: 'pending' }]);
    expect(await countsOf('leo')).toMatchObject({ followerCount: 0, pendingCount: 1 });
    const pending = await call('GET', '/api/v4/me/followers?status=pending', 'leo');
    expect(pending.body.follows).toMatchObject([{ from: 'kim', to: 'leo', status: 'pending' }]);
    const declined = await call('DELETE', '/api/v4/me/followers/kim', 'leo');
    expect(declined.body.follows).toMatchObject([{ from: 'kim', to: 'leo', status: 'none' }]);
    expect(await countsOf('leo')).toMatchObject({ followerCount: 0, pendingCount: 0 });
    await follow('kim', 'leo');
    const accepted = await call('POST', '/api/v4/me/followers/kim', 'leo');
    expect(accepted.body.follows).toMatchObject([{ from: 'kim', to: 'leo', status: 'accepted' }]);
    expect(await countsOf('leo')).toMatchObject({ followerCount: 1, pendingCount: 0 });
    expect(await countsOf('kim')).toMatchObject({ followingCount: 1 });
  });

  test('there is no request to accept without one', async () => {
    await setPrivacy('PRIVATE');
    expect((await call('POST', '/api/v4/me/followers/kim', 'leo')).status).toBe(404);
  });

  test('only accepted followers and moderators read the feed and the lists of a user', async () => {
    const postId = await post('leo');
    await follow('mia', 'leo');
    await setPrivacy('PRIVATE');
    expect(await Promise.all(['kim', 'mia', 'leo', 'admin'].map((as) => statusOfPost(as, postId)))).toEqual([
      404, 200, 200, 200,
    ]);
    const list = async (as: string) => (await call('GET', '/api/v4/users/leo/followers', as)).body.follows.length;
    expect([await list('kim'), await list('mia')]).toEqual([0, 1]);
    await follow('kim', 'leo');
    expect(await statusOfPost('kim', postId)).toBe(404);
    const comment = { referenceId: postId, data: { text: 'Hi' } };
    expect(await mutate('kim', 'createComment', comment, 'comment { commentId }')).toMatchObject({ code: 'NOT_FOUND' });
    await call('POST', '/api/v4/me/followers/kim', 'leo');
    expect(await statusOfPost('kim', postId)).toBe(200);
  });
});

describe('blocks', () => {
  test('end the follows of both, are listed, and prevent new ones', async () => {
    await follow('kim', 'leo');
    await follow('leo', 'kim');
    const { body } = await call('POST', '/api/v4/me/user-blocks/leo', 'kim');
    expect(body.follows).toMatchObject([{ from: 'kim', to: 'leo', status: 'blocked' }]);
    expect(body.followCounts).toMatchObject([{ userId: 'leo', followerCount: 0, followingCount: 0 }]);
    expect((await follow('leo', 'kim')).body.code).toBe(400300);
    expect((await follow('kim', 'leo')).body.code).toBe(400300);
    const listed = await call('GET', '/api/v4/me/user-blocks', 'kim');
    expect(listed.body.follows).toMatchObject([{ from: 'kim', to: 'leo', status: 'blocked' }]);
    expect(listed.body.paging).toEqual({ total: 1 });
    const following = await call('GET', '/api/v4/me/following?status=blocked', 'kim');
    expect(following.body.follows).toMatchObject([{ from: 'kim', to: 'leo', status: 'blocked' }]);
    const unblocked = await call('DELETE', '/api/v4/me/user-blocks/leo', 'kim');
    expect(unblocked.body.follows).toMatchObject([{ from: 'kim', to: 'leo', status: 'none' }]);
  });
});

test('users whom the viewer blocked are in no list of follows, for the viewer only', async () => {
  await follow('leo', 'mia');
  await follow('mia', 'leo');
  await call('POST', '/api/v4/me/user-blocks/leo', 'kim');
  const listed = async (as: string, list: string) =>
    (await call('GET', `/api/v4/users/mia/${list}`, as)).body.follows.length;
  for (const list of ['followers', 'following']) {
    expect([await listed('kim', list), await listed('mia', list), await listed('admin', list)]).toEqual([0, 1, 1]);
  }
  await call('DELETE', '/api/v4/me/user-blocks/leo', 'kim');
  expect(await listed('kim', 'followers')).toBe(1);
});

test('a follow and a block at the same time leave no follow', async () => {
  for (let round = 0; round < 5; round += 1) {
    await Promise.all([follow('leo', 'kim'), call('POST', '/api/v4/me/user-blocks/leo', 'kim')]);
    expect(await countsOf('kim')).toMatchObject({ followerCount: 0 });
    await call('DELETE', '/api/v4/me/user-blocks/leo', 'kim');
  }
});

test('many users who follow one at the same time are counted exactly', async () => {
  const fans = ['alice', 'bob', 'carol', 'erin', 'leo', 'mia'];
  for (const as of fans) await gateway.tokenOf(as);
  const before = (await countsOf('kim')).followerCount;
  await Promise.all([...fans, ...fans].map((as) => follow(as, 'kim')));
  expect((await countsOf('kim')).followerCount).toBe(before + fans.length);
  await Promise.all(fans.map((as) => unfollow(as, 'kim')));
  expect((await countsOf('kim')).followerCount).toBe(before);
});

test('a banned user cannot follow, and keeps their follows after the ban', async () => {
  await gateway.tokenOf('mia');
  await follow('mia', 'kim');
  await mutate('admin', 'banUser', { userId: 'mia' }, 'user { userId }');
  expect((await follow('mia', 'leo')).status).toBe(401);
  await mutate('admin', 'unbanUser', { userId: 'mia' }, 'user { userId }');
  expect((await call('GET', '/api/v4/users/kim/followers', 'leo')).body.follows).toMatchObject([{ from: 'mia' }]);
  await call('DELETE', '/api/v4/me/followers/mia', 'kim');
});

test('the follows of a deleted account end', async () => {
  await gateway.tokenOf('newcomer');
  await follow('newcomer', 'kim');
  await follow('leo', 'newcomer');
  await mutate('newcomer', 'deleteUser', {}, 'user { userId }');
  expect(await countsOf('kim')).toMatchObject({ followerCount: 0 });
  expect(await countsOf('leo')).toMatchObject({ followingCount: 0 });
  expect((await call('GET', '/api/v4/me/following', 'leo')).body.follows).toEqual([]);
});
