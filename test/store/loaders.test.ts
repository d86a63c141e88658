import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertSampleNetwork } from '../../src/sample/insert.ts';
import { createLoaders } from '../../src/store/loaders.ts';
import { openTestStore, type TestStore } from '../support/store.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
  await insertSampleNetwork({ collections: store.collections, networkId: 'default' });
});
afterAll(() => store.close());

const loaders = () => createLoaders(store.store.batchers, 'default', null);

test('fetches pictures even if all users they depend on are cached', async () => {
  const load = loaders();
  const alice = await load.users.load('alice');
  const [again, avatar] = await Promise.all([load.users.load('alice'), load.files.load(alice!.avatarFileId!)]);
  expect(again).toBe(alice);
  expect(avatar?.fileId).toBe(alice!.avatarFileId);
});

test('reads a record once per request, which sees the same version throughout', async () => {
  const load = loaders();
  const before = await load.posts.load('seedlings');
  await store.collections.posts.updateOne({ networkId: 'default', postId: 'seedlings' }, { $inc: { impression: 1 } });
  expect(await load.posts.load('seedlings')).toBe(before);
  expect((await loaders().posts.load('seedlings'))!.impression).toBe(before!.impression + 1);
});

test('a request sees writes acknowledged before it began, even while others read the same records', async () => {
  for (let round = 0; round < 20; round += 1) {
    const others = Array.from({ length: 5 }, () => loaders().posts.load('tomatoes'));
    await store.collections.posts.updateOne({ networkId: 'default', postId: 'tomatoes' }, { $set: { reach: round } });
    expect((await loaders().posts.load('tomatoes'))!.reach).toBe(round);
    await Promise.all(others);
  }
});
