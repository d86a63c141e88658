import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { checkAnswer } from '../support/interface.ts';

const ARRAYS = [
  'pinTargets',
  'pins',
  'posts',
  'postChildren',
  'comments',
  'users',
  'files',
  'communities',
  'communityUsers',
  'categories',
  'feeds',
  'videoStreamings',
  'polls',
];

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestNetwork();
});
afterAll(() => gateway.close());

const path = (...parts: string[]) => `/api/v1/pinned-posts/communities/${parts.map(encodeURIComponent).join('/')}`;
const pin = (place: string, postId: string, as = 'alice', method = 'POST') =>
  gateway.rest(path(...place.split('/'), postId), { as, method });
const pinned = async (where: string, as = 'bob') => {
  const { status, body } = await gateway.rest(path(...where.split('/')), { as });
  expect(status).toBe(200);
  checkAnswer(body, { arrays: ARRAYS });
  return body.pins.map((one: { placement: string; referenceId: string }) => `${one.placement}/${one.referenceId}`);
};

test('returns a pin with every array, field and resolvable reference', async () => {
  const before = Date.now();
  const { status, body } = await pin('gardeners/announcement', 'crop-poll');
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(ARRAYS);
  checkAnswer(body, { arrays: ARRAYS });
  expect(body.pins).toMatchObject([
    { referenceId: 'crop-poll', referenceType: 'post', placement: 'announcement', pinnedByPublicId: 'alice' },
  ]);
  expect(body.users).toContainEqual(
    expect.objectContaining({ userId: 'alice', userInternalId: body.pins[0].pinnedBy }),
  );
  expect(body.posts).toMatchObject([{ postId: 'crop-poll' }]);
  expect(body.polls).toMatchObject([{ pollId: 'shared-bed' }]);
  expect(body.pinTargets).toMatchObject([{ targetId: 'gardeners', targetType: 'community' }]);
  expect(Date.parse(body.pinTargets[0].lastPinsUpdatedAt)).toBeGreaterThanOrEqual(before);
});

test('lists pins of all placements or of one, newest first; sortBy accepts that order only', async () => {
  expect(await pinned('gardeners')).toEqual([
    'announcement/crop-poll',
    'default/compost',
    'default/tomatoes',
    'announcement/seedlings',
  ]);
  expect(await pinned('gardeners/default')).toEqual(['default/compost', 'default/tomatoes']);
  expect(await pinned('harvest-fair')).toEqual([]);
  expect((await gateway.rest(`${path('gardeners')}?sortBy=lastPinned`)).status).toBe(200);
  expect((await gateway.rest(`${path('gardeners')}?sortBy=other`)).status).toBe(422);
  expect((await gateway.rest('/api/v1/pinned-posts/global')).body.pins).toEqual([]);
  expect(await gateway.rest(path('orchard-keepers'), { as: 'erin' })).toMatchObject({
    status: 404,
    body: { code: 400400 },
  });
  expect(await gateway.rest(path('gardeners'), { as: 'dave' })).toMatchObject({ status: 200, body: { pins: [] } });
});

test('a second pin of a post in the same placement is 400/400000; in another placement it succeeds', async () => {
  expect(await pin('gardeners/default', 'compost')).toMatchObject({ status: 400, body: { code: 400000 } });
  expect((await pin('gardeners/announcement', 'compost')).status).toBe(200);
});

test('only published parent posts of the community that are not deleted can be pinned', async () => {
  for (const postId of ['salt-on-slugs', 'tomatoes-1']) {
    expect(await pin('gardeners/default', postId), postId).toMatchObject({ status: 400, body: { code: 400000 } });
  }
  expect(await pin('orchard-keepers/default', 'which-rootstock', 'frank')).toMatchObject({
    status: 400,
    body: { code: 400000 },
  });
  for (const postId of ['no-such-post', 'grafting', 'i-was-wrong']) {
    expect(await pin('gardeners/default', postId), postId).toMatchObject({ status: 404, body: { code: 400400 } });
  }
});

test('requires PIN_COMMUNITY_POST in the community; invisible communities are not found', async () => {
  for (const as of ['bob', 'erin'])
    expect(await pin('gardeners/default', 'potting', as)).toMatchObject({ status: 403, body: { code: 400300 } });
  expect(await pin('orchard-keepers/default', 'grafting', 'grace')).toMatchObject({ status: 403 });
  const absent = await pin('no-such-community/default', 'grafting');
  for (const [where, as] of [
    ['orchard-keepers/default', 'alice'],
    ['gardeners/default', 'dave'],
    ['potato-club/default', 'ivan'],
  ] as const) {
    const refused = await pin(where, 'grafting', as);
    expect([refused.status, refused.body], where).toEqual([absent.status, absent.body]);
  }
  expect(absent.status).toBe(404);
  expect((await pin('orchard-keepers/announcement', 'grafting', 'admin')).status).toBe(200);
});

test('accepts the placements default and announcement and enforces the bounds of ids', async () => {
  for (const placement of ['global', 'top', 'DEFAULT', '__proto__', '$ne']) {
    expect(await pin(`gardeners/${placement}`, 'potting'), placement).toMatchObject({
      status: 422,
      body: { code: 500000 },
    });
  }
  expect(
    (await gateway.rest(`${path('gardeners', 'default', 'potting')}?postId=another`, { method: 'POST' })).status,
  ).toBe(422);
  expect((await pin('gardeners/default', 'x'.repeat(901))).status).toBeGreaterThanOrEqual(404);
});

test('a pin is hidden with its post and removed by users who may pin', async () => {
  const { posts } = gateway.services.store.collections;
  const post = { networkId: gateway.networkId, postId: 'compost' };
  await posts.updateOne(post, { $set: { isDeleted: true } });
  expect(await pinned('gardeners/default', 'alice')).toEqual(['default/tomatoes']);
  await posts.updateOne(post, { $set: { isDeleted: false } });
  expect(await pin('gardeners/default', 'compost', 'bob', 'DELETE')).toMatchObject({ status: 403 });
  expect((await pin('gardeners/default', 'compost', 'alice', 'DELETE')).status).toBe(200);
  expect(await pin('gardeners/default', 'compost', 'alice', 'DELETE')).toMatchObject({ status: 404 });
  expect(await pinned('gardeners/default')).toEqual(['default/tomatoes']);
});

test('concurrent pins: one per post, at most 50 per placement', async () => {
  const { posts, pins } = gateway.services.store.collections;
  const model = (await posts.findOne({ networkId: gateway.networkId, postId: 'seedlings' }))!;
  const extra = Array.from({ length: 51 }, (_, index) => {
    const { _id, ...fields } = model;
    return { ...fields, postId: `bulk-${index}`, feedType: 'published' as const };
  });
  await posts.insertMany(extra as never);
  await pins.deleteMany({
    networkId: gateway.networkId,
    targetType: 'community',
    targetId: 'gardeners',
    placement: 'announcement',
  });
  const same = await Promise.all(Array.from({ length: 8 }, () => pin('gardeners/announcement', 'bulk-0')));
  expect(same.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400, 400, 400]);
  for (let index = 1; index < 48; index += 1)
    expect((await pin('gardeners/announcement', `bulk-${index}`)).status).toBe(200);
  const last = await Promise.all([48, 49, 50].map((index) => pin('gardeners/announcement', `bulk-${index}`)));
  expect(last.map(({ status }) => status).sort()).toEqual([200, 200, 400]);
  expect(await pinned('gardeners/announcement', 'alice')).toHaveLength(50);
});
