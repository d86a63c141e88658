import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { OperationError } from '../../src/errors.ts';
import { createAdmission } from '../../src/limits/admission.ts';
import { OPERATION_LIMITS } from '../../src/limits/limits.ts';
import { createReadBudget, type ReadBudget } from '../../src/limits/read-budget.ts';
import { insertSampleNetwork } from '../../src/sample/insert.ts';
import type { Batcher } from '../../src/store/batcher.ts';
import type { Find } from '../../src/store/find.ts';
import { createLoadSchedule } from '../../src/store/load-schedule.ts';
import { createLoader } from '../../src/store/loader.ts';
import { createBatchers, createLoaders } from '../../src/store/loaders.ts';
import type { RecordCache } from '../../src/store/record-cache/record-cache.ts';
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

const record = { postId: 'one' };

/** A loader of one lookup whose reads wait for `finish`. */
function lookup({ isFresh = true, budget = createReadBudget() }: { isFresh?: boolean; budget?: ReadBudget } = {}) {
  const reads: Array<{
    keys: readonly string[];
    finish(values: Array<object | null>): void;
    fail(error: Error): void;
  }> = [];
  const batcher: Batcher<string, object> = {
    keyOf: (key) => key,
    peek: (_, key) => (key === 'cached' ? record : undefined),
    load: () => Promise.reject(new Error('unused')),
    loadMany: (_, keys) => new Promise((resolve, reject) => reads.push({ keys, finish: resolve, fail: reject })),
  };
  const records = { isFresh: () => isFresh, whenFresh: async () => false } as RecordCache;
  const schedule = createLoadSchedule();
  const loader = createLoader({
    name: 'posts',
    batcher,
    networkId: 'default',
    schedule,
    budget,
    records,
    rank: 0,
    now: () => new Date(),
  });
  return { loader, reads, budget };
}

test('returns a record of a fresh cache without a promise', () => {
  const { loader, reads } = lookup();
  expect(loader.load('cached')).toBe(record);
  expect(loader.load('cached')).toBe(record);
  expect(reads).toEqual([]);
});

test('reads a cached record if the cache may lack a change', async () => {
  const { loader, reads } = lookup({ isFresh: false });
  const loading = loader.load('cached');
  await vi.waitFor(() => expect(reads).toHaveLength(1));
  const current = {};
  reads[0]!.finish([current]);
  expect(await loading).toBe(current);
  expect(loader.load('cached')).toBe(current);
});

test('reads the keys of one turn together, each once', async () => {
  const { loader, reads } = lookup();
  const loading = [loader.load('a'), loader.load('b'), loader.load('a')];
  await vi.waitFor(() => expect(reads).toHaveLength(1));
  expect(reads[0]!.keys).toEqual(['a', 'b']);
  const [a, b] = [{}, {}];
  reads[0]!.finish([a, b]);
  expect(await Promise.all(loading)).toEqual([a, b, a]);
  expect(reads).toHaveLength(1);
});

test('reads a record again that was cleared while it was being read', async () => {
  const { loader, reads } = lookup();
  const before = loader.load('a');
  await vi.waitFor(() => expect(reads).toHaveLength(1));
  loader.clear('a');
  const old = { version: 1 };
  reads[0]!.finish([old]);
  expect(await before).toBe(old);
  const after = loader.load('a');
  await vi.waitFor(() => expect(reads).toHaveLength(2));
  reads[1]!.finish([null]);
  expect(await after).toBeNull();
});

test('rejects the keys of a failed read, also without a listener, and reads them again', async () => {
  const { loader, reads } = lookup();
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  const awaited = loader.load('a');
  loader.load('b');
  await vi.waitFor(() => expect(reads).toHaveLength(1));
  reads[0]!.fail(new Error('lost'));
  await expect(awaited).rejects.toThrow('lost');
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
  const again = [loader.load('a'), loader.load('b')];
  await vi.waitFor(() => expect(reads).toHaveLength(2));
  const [a, b] = [{}, {}];
  reads[1]!.finish([a, b]);
  expect(await Promise.all(again)).toEqual([a, b]);
});

test('a cleared read that fails later leaves the value that was primed meanwhile', async () => {
  const { loader, reads } = lookup();
  const before = loader.load('a');
  await vi.waitFor(() => expect(reads).toHaveLength(1));
  const written = { version: 2 };
  loader.prime('a', { version: 1 }).clear('a').prime('a', written);
  reads[0]!.fail(new Error('lost'));
  await expect(before).rejects.toThrow('lost');
  expect(loader.load('a')).toBe(written);
});

test('rejects instead of throwing when a cached record exceeds the budget', async () => {
  const budget: ReadBudget = {
    ...createReadBudget(),
    charge() {
      throw new OperationError('TOO_LARGE');
    },
  };
  const loading = lookup({ budget }).loader.load('cached');
  expect(loading).toBeInstanceOf(Promise);
  await expect(loading).rejects.toMatchObject({ errorName: 'TOO_LARGE' });
});

test('takes a cached record only when the request holds the slot that it has to wait for', async () => {
  const budget = createReadBudget();
  const slot = createAdmission({ slots: 1, maxWaitMs: 1_000 })();
  budget.slot = slot;
  budget.charge(OPERATION_LIMITS.expensiveBytes + 1);
  const loading = lookup({ budget }).loader.load('cached');
  expect(loading).toBeInstanceOf(Promise);
  expect(slot.isHeld).toBe(false);
  expect(await loading).toBe(record);
  expect(slot.isHeld).toBe(true);
});

test('does not cache a category that was read before a change and arrived after it', async () => {
  const arrivals: Array<() => void> = [];
  let name = 'old';
  const find: Find = async () => {
    const found = [{ categoryId: 'one', name }];
    await new Promise<void>((arrive) => arrivals.push(arrive));
    return found as never;
  };
  const { categories } = createBatchers(find, store.store.roleCache);
  const arrived = (count: number) => vi.waitUntil(() => arrivals.length === count);
  const reading = categories.load('default', 'one');
  await arrived(1);
  name = 'new';
  categories.invalidate('default', 'one');
  arrivals[0]!();
  expect(await reading).toMatchObject({ name: 'old' });
  const again = categories.load('default', 'one');
  await arrived(2);
  arrivals[1]!();
  expect(await again).toMatchObject({ name: 'new' });
  expect(categories.peek!('default', 'one')).toMatchObject({ name: 'new' });
});
