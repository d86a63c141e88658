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

test('story targets come with every array, field and link of interface §4.8', async () => {
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

test('seenState: unseen unless told; seen are those of which every live story was seen', async () => {
  expect(await targets('carol', 'seenState=all')).toEqual(['harvest-fair', 'orchard-keepers', 'gardeners']);
  expect(await targets('carol', 'seenState=seen')).toEqual(['orchard-keepers', 'gardeners']);
  expect(await targets('carol', 'seenState=unseen')).toEqual(['harvest-fair']);
  expect(await targets('carol')).toEqual(['harvest-fair']);
  // Bob saw one of the two stories that are live.
  expect(await targets('bob', 'seenState=seen')).toEqual([]);
  expect(await targets('bob')).toEqual(['harvest-fair', 'gardeners']);
});

test("lastStorySeenExpiresAt is each viewer's own", async () => {
  const seenBy = async (as: string) => {
    const { body } = await gateway.rest(`${PATH}?seenState=all`, { as });
    return body.storyTargets.find((target: { targetId: string }) => target.targetId === 'gardeners')
      .lastStorySeenExpiresAt;
  };
  expect(await seenBy('erin')).toBeNull();
  expect(await seenBy('bob')).not.toEqual(await seenBy('carol'));
});

test('communities whose inside is not to be seen are left out: private ones, and those that banned the caller', async () => {
  expect(await targets('erin', 'seenState=all')).toEqual(['harvest-fair', 'gardeners']);
  expect(await targets('dave', 'seenState=all')).toEqual(['harvest-fair']);
});

test('pages lead forward and back; the page keeps its filter', async () => {
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

test('parameters beyond their bounds or of a wrong type are refused', async () => {
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

test('an expired story counts no longer, without any sweep', async () => {
  const { storyTargets, stories } = gateway.services.store.collections;
  const target = { networkId: gateway.networkId, targetType: 'community', targetId: 'harvest-fair' } as const;
  const past = new Date(Date.now() - 1_000);
  await stories.updateOne({ ...target, storyId: 'save-the-date' }, { $set: { expiresAt: past } });
  await storyTargets.updateOne(target, { $set: { lastStoryExpiresAt: past } });
  expect(await targets('carol', 'seenState=all')).toEqual(['orchard-keepers', 'gardeners']);
});
