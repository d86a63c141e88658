import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { checkAnswer } from '../support/interface.ts';

const ARRAYS = ['storyTargets', 'files', 'users', 'communities', 'communityUsers', 'categories'];
const PATH = '/api/v5/me/global-story-targets';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestNetwork();
});
afterAll(() => gateway.close());

async function targets(as: string, query = ''): Promise<string[]> {
  const { status, body } = await gateway.rest(`${PATH}?${query}`, { as });
  expect(status).toBe(200);
  checkAnswer(body, { arrays: ARRAYS });
  return body.storyTargets.map((target: { targetId: string }) => target.targetId);
}

test('returns story targets with every array, field and resolvable reference', async () => {
  const { status, body } = await gateway.rest(`${PATH}?seenState=all`, { as: 'carol' });
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual([...ARRAYS, 'paging']);
  for (const array of ARRAYS) expect(body[array], array).not.toHaveLength(0);
  checkAnswer(body, { arrays: ARRAYS });
  expect(body.storyTargets.map((target: { targetUpdatedAt: string }) => target.targetUpdatedAt)).toEqual(
    body.storyTargets
      .map((target: { targetUpdatedAt: string }) => target.targetUpdatedAt)
      .sort()
      .reverse(),
  );
});

test('seenState is unseen by default; a target is seen when all its unexpired stories were seen', async () => {
  expect(await targets('carol', 'seenState=all')).toEqual(['harvest-fair', 'orchard-keepers', 'gardeners']);
  expect(await targets('carol', 'seenState=seen')).toEqual(['orchard-keepers', 'gardeners']);
  expect(await targets('carol', 'seenState=unseen')).toEqual(['harvest-fair']);
  expect(await targets('carol')).toEqual(['harvest-fair']);
  // Bob has seen one of the two active stories.
  expect(await targets('bob', 'seenState=seen')).toEqual([]);
  expect(await targets('bob')).toEqual(['harvest-fair', 'gardeners']);
});

test('lastStorySeenExpiresAt is specific to the viewer', async () => {
  const seenBy = async (as: string) => {
    const { body } = await gateway.rest(`${PATH}?seenState=all`, { as });
    return body.storyTargets.find((target: { targetId: string }) => target.targetId === 'gardeners')
      .lastStorySeenExpiresAt;
  };
  expect(await seenBy('erin')).toBeNull();
  expect(await seenBy('bob')).not.toEqual(await seenBy('carol'));
});

test('omits private communities and those that banned the caller', async () => {
  expect(await targets('erin', 'seenState=all')).toEqual(['harvest-fair', 'gardeners']);
  expect(await targets('dave', 'seenState=all')).toEqual(['harvest-fair']);
});

test('pages in both directions keep the filter', async () => {
  const first = await gateway.rest(`${PATH}?seenState=all&limit=1`, { as: 'carol' });
  expect(first.body.storyTargets).toMatchObject([{ targetId: 'harvest-fair' }]);
  expect(first.body.paging.previous).toBeUndefined();
  const next = `token=${encodeURIComponent(first.body.paging.next)}`;
  const second = await gateway.rest(`${PATH}?seenState=all&limit=1&${next}`, { as: 'carol' });
  expect(second.body.storyTargets).toMatchObject([{ targetId: 'orchard-keepers' }]);
  expect(await targets('carol', `seenState=all&token=${encodeURIComponent(second.body.paging.previous)}`)).toEqual([
    'harvest-fair',
  ]);
  expect(await targets('carol', `seenState=all&limit=2&${next}`)).toEqual(['orchard-keepers']);
  const whole = await gateway.rest(`${PATH}?seenState=all&limit=100`, { as: 'carol' });
  expect(whole.body.paging).toEqual({});
});

test('rejects parameters out of bounds or of a wrong type', async () => {
  for (const query of [
    'seenState=some',
    'seenState[$ne]=all',
    'limit=0',
    'limit=101',
    'limit=ten',
    'limit[$gt]=1',
    'limit=1.5',
    `token=${'x'.repeat(901)}`,
    'token[$ne]=x',
    'token=',
  ]) {
    const answer = await gateway.rest(`${PATH}?${query}`);
    expect([answer.status, answer.body.code], query).toEqual([422, 500000]);
  }
  for (const token of ['nonsense', 'x'.repeat(900)]) {
    expect((await gateway.rest(`${PATH}?token=${token}`)).status).toBe(400);
  }
  expect((await gateway.rest(PATH, { as: null })).status).toBe(401);
});

test('ignores expired stories without any cleanup', async () => {
  const { storyTargets, stories } = gateway.services.store.collections;
  const target = { networkId: gateway.networkId, targetType: 'community', targetId: 'harvest-fair' } as const;
  const past = new Date(Date.now() - 1_000);
  await stories.updateOne({ ...target, storyId: 'save-the-date' }, { $set: { expiresAt: past } });
  await storyTargets.updateOne(target, { $set: { lastStoryExpiresAt: past } });
  expect(await targets('carol', 'seenState=all')).toEqual(['orchard-keepers', 'gardeners']);
});
