import { afterAll, beforeAll, expect, test } from 'vitest';
import { FLAG_REASONS } from '../../src/domain/flag/flag-reason.ts';
import { mayHaveFlagged } from '../../src/domain/flag/hash-flag.ts';
import { expectConsistent } from '../support/consistency.ts';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { checkAnswer } from '../support/interface.ts';
import { POST_ARRAYS } from '../support/side-arrays.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestNetwork();
});
afterAll(() => gateway.close());

const flag = (postId: string, as: string, body?: unknown) =>
  gateway.rest(`/api/v3/posts/${postId}/flag`, { as, method: 'POST', body });
const unflag = (postId: string, as: string) => gateway.rest(`/api/v3/posts/${postId}/unflag`, { as, method: 'DELETE' });
const isFlagged = async (postId: string, as: string) =>
  (await gateway.rest(`/api/v3/posts/${postId}/isflagbyme`, { as })).body.result;
const post = async (postId: string) =>
  (await gateway.services.store.collections.posts.findOne({ networkId: gateway.networkId, postId }))!;
const flagOf = (postId: string, userId: string) =>
  gateway.services.store.collections.flags.findOne({
    networkId: gateway.networkId,
    referenceType: 'post',
    referenceId: postId,
    userId,
  });

test('returns the flagged post with every array, field and resolvable reference', async () => {
  const { status, body } = await flag('greenhouse', 'bob', { reason: 'Others', detail: 'too bright' });
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(POST_ARRAYS);
  checkAnswer(body, { arrays: POST_ARRAYS });
  expect(body.posts).toMatchObject([{ postId: 'greenhouse', flagCount: 1 }]);
  expect(body.communities).toMatchObject([{ communityId: 'gardeners', hasFlaggedPost: true }]);
  expect(mayHaveFlagged(body.posts[0].hashFlag, 'bob')).toBe(true);
  expect(await flagOf('greenhouse', 'bob')).toMatchObject({ reason: 'Others', detail: 'too bright' });
});

test('a repeated flag changes the reason and is counted once', async () => {
  await flag('potting', 'carol', { reason: 'Spam or scams' });
  const { body } = await flag('potting', 'carol', { reason: 'Harassment or bullying', detail: '' });
  expect(body.posts[0].flagCount).toBe(1);
  expect(await flagOf('potting', 'carol')).toMatchObject({ reason: 'Harassment or bullying', detail: '' });
});

test('accepts every reason, none, and a form post without a body', async () => {
  for (const reason of FLAG_REASONS) expect((await flag('compost', 'kim', { reason, detail: 'x' })).status).toBe(200);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const bodyless = await gateway.rest('/api/v3/posts/compost/flag', { as: 'mia', method: 'POST', headers });
  expect(bodyless.status).toBe(200);
  expect(await flagOf('compost', 'mia')).toMatchObject({ reason: 'Others', detail: '' });
  expect((await post('compost')).flagCount).toBe(2);
});

test('rejects unknown reasons, long details and wrong types', async () => {
  expect((await flag('compost', 'kim', { reason: 'Others', detail: 'x'.repeat(300) })).status).toBe(200);
  const bad = [
    { detail: 'x'.repeat(301) },
    { reason: 'Boring' },
    { reason: '' },
    { reason: { $ne: null } },
    { reason: ['Others'] },
    { detail: 7 },
    { detail: { $gt: '' } },
    { postId: 'another' },
  ];
  for (const body of bad) {
    const { status, body: answer } = await flag('compost', 'kim', body);
    expect([status, answer.code, Array.isArray(answer.data.detail)], JSON.stringify(body)).toEqual([422, 500000, true]);
  }
  expect((await flag('compost', 'kim', '[]')).status).toBe(422);
  expect((await flag('a'.repeat(901), 'kim')).status).toBeGreaterThanOrEqual(404);
});

test('unreadable posts cannot be flagged and look absent', async () => {
  const absent = await flag('no-such-post', 'erin');
  expect(absent).toMatchObject({ status: 404, body: { code: 400400 } });
  for (const [postId, as] of [
    ['grafting', 'erin'],
    ['seedlings', 'dave'],
    ['salt-on-slugs', 'bob'],
    ['which-rootstock', 'carol'],
  ] as const) {
    const refused = await flag(postId, as);
    expect([refused.status, refused.body], postId).toEqual([absent.status, absent.body]);
    expect(await flagOf(postId, as)).toBeNull();
    expect(await gateway.rest(`/api/v3/posts/${postId}/isflagbyme`, { as })).toMatchObject({
      status: 404,
      body: absent.body,
    });
    expect((await unflag(postId, as)).status).toBe(404);
  }
});

test('a flagged child marks its parent; withdrawing the last flag removes every mark', async () => {
  await flag('spring-show-1', 'bob');
  expect(await post('spring-show')).toMatchObject({ hasFlaggedChildren: true, flagCount: 0 });
  expect(await isFlagged('spring-show-1', 'bob')).toBe(true);
  expect(await isFlagged('spring-show-1', 'carol')).toBe(false);
  const { status, body } = await unflag('spring-show-1', 'bob');
  expect(status).toBe(200);
  checkAnswer(body, { arrays: POST_ARRAYS });
  expect(body.posts).toMatchObject([{ flagCount: 0, hashFlag: null }]);
  expect(await post('spring-show')).toMatchObject({ hasFlaggedChildren: false });
  expect(await isFlagged('spring-show-1', 'bob')).toBe(false);
  // Other posts of the community are still flagged.
  const { communities } = gateway.services.store.collections;
  expect(await communities.findOne({ networkId: gateway.networkId, communityId: 'gardeners' })).toMatchObject({
    hasFlaggedPost: true,
  });
  await flag('grafting', 'grace');
  expect(await communities.findOne({ networkId: gateway.networkId, communityId: 'orchard-keepers' })).toMatchObject({
    hasFlaggedPost: true,
  });
  await unflag('grafting', 'grace');
  expect(await communities.findOne({ networkId: gateway.networkId, communityId: 'orchard-keepers' })).toMatchObject({
    hasFlaggedPost: false,
  });
  expect((await unflag('grafting', 'grace')).body.posts).toMatchObject([{ flagCount: 0 }]);
});

test('concurrent flags are counted exactly, one per user', async () => {
  const users = ['alice', 'bob', 'carol', 'frank', 'grace', 'heidi', 'judy', 'kim', 'leo', 'mia'];
  await Promise.all(users.map((as) => gateway.tokenOf(as)));
  const calls = users.flatMap((as) => [flag('crop-poll', as), flag('crop-poll', as), flag('crop-poll', as)]);
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(calls.map(() => 200));
  const flagged = await post('crop-poll');
  expect(flagged.flagCount).toBe(users.length);
  for (const userId of users) expect(mayHaveFlagged(flagged.hashFlag, userId)).toBe(true);
  await Promise.all(users.map((as) => unflag('crop-poll', as)));
  expect(await post('crop-poll')).toMatchObject({ flagCount: 0, hashFlag: null });
  await expectConsistent(gateway);
});
