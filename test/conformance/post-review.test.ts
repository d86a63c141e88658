import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectConsistent } from '../support/consistency.ts';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { ask, mutate } from '../support/mutate.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestNetwork();
});
afterAll(async () => {
  await expectConsistent(gateway);
  await gateway.close();
});

/** `orchard-keepers` reviews posts; frank is a moderator there, grace is a member. */
const post = async (as: string) => {
  const input = { targetType: 'COMMUNITY', targetId: 'orchard-keepers', data: { text: 'Graft' } };
  const select = 'post { postId feedType feed { feedType postCount } }';
  return (await mutate(gateway, 'createPost', input, { select, as })).post;
};
const seen = async (postId: string, as: string) =>
  (await ask(gateway, `{ post(postId: "${postId}") { feedType viewerCanModerate } }`, { as })).post;
const review = (operation: string, postId: string, as = 'frank') =>
  mutate(
    gateway,
    operation,
    { postId },
    { select: 'post { feedType feed { feedType } community { postsCount } }', as },
  );

test('the post of a member is visible to its author and moderators only until it is approved', async () => {
  const { postId, feedType } = await post('grace');
  expect(feedType).toBe('REVIEWING');
  expect(await seen(postId, 'grace')).toEqual({ feedType: 'REVIEWING', viewerCanModerate: false });
  expect(await seen(postId, 'frank')).toEqual({ feedType: 'REVIEWING', viewerCanModerate: true });
  expect(await review('approvePost', postId, 'grace')).toMatchObject({ code: 'PERMISSION_DENIED' });
  expect(await review('approvePost', postId, 'erin')).toMatchObject({ code: 'NOT_FOUND' });
  const { post: published } = await review('approvePost', postId);
  expect(published).toMatchObject({ feedType: 'PUBLISHED', feed: { feedType: 'PUBLISHED' } });
  expect(await review('approvePost', postId)).toMatchObject({ code: 'BAD_REQUEST' });
});

test('the post of a moderator is published immediately', async () => {
  expect((await post('frank')).feedType).toBe('PUBLISHED');
});

test('a declined post remains visible to its author and moderators', async () => {
  const { postId } = await post('grace');
  const declined = await gateway.rest(`/api/v3/posts/${postId}/decline`, { as: 'frank', method: 'POST' });
  expect([declined.status, declined.body.posts[0].feedType]).toEqual([200, 'declined']);
  expect((await seen(postId, 'grace')).feedType).toBe('DECLINED');
  const { body } = await gateway.rest(`/api/v3/posts/${postId}/approve`, { as: 'frank', method: 'POST' });
  expect(body.code).toBe(400000);
});

test('an author edits a post in review only where the network allows it', async () => {
  const { networks } = gateway.services.store.collections;
  const setting = 'settings.social.isAllowEditPostWhenReviewingEnabled';
  const { postId } = await post('grace');
  const update = (as: string) =>
    mutate(gateway, 'updatePost', { postId, data: { text: 'Better' } }, { select: 'post { data { text } }', as });
  await networks.updateOne({ networkId: gateway.networkId }, { $set: { [setting]: false } });
  expect(await update('grace')).toMatchObject({ code: 'FORBIDDEN' });
  expect((await update('frank')).post.data.text).toBe('Better');
  await networks.updateOne({ networkId: gateway.networkId }, { $set: { [setting]: true } });
  expect((await update('grace')).post.data.text).toBe('Better');
});

test('clearing flags removes every flag and mark, and users may flag again', async () => {
  const flag = (as: string) => mutate(gateway, 'flagPost', { postId: 'compost' }, { select: 'post { flagCount }', as });
  await flag('bob');
  expect((await flag('carol')).post.flagCount).toBe(2);
  const clear = (as: string) =>
    mutate(
      gateway,
      'clearPostFlags',
      { postId: 'compost' },
      { select: 'post { flagCount hashFlag { bits } isFlaggedByViewer }', as },
    );
  expect(await clear('bob')).toMatchObject({ code: 'PERMISSION_DENIED' });
  expect((await clear('alice')).post).toEqual({ flagCount: 0, hashFlag: null, isFlaggedByViewer: false });
  expect((await clear('alice')).post.flagCount).toBe(0);
  expect((await flag('bob')).post.flagCount).toBe(1);
  await clear('alice');
});
