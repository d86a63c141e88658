import { afterAll, beforeAll, expect, test } from 'vitest';
import { UnavailableError } from '../../src/database-errors.ts';
import type { LockKey } from '../../src/store/key-lock.ts';
import type { Store } from '../../src/store/store.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
let store: Store;
beforeAll(async () => {
  gateway = await startTestGateway({ DATABASE_TIMEOUT_MS: process.env.MONGODB_URI ? '8000' : '3000' });
  store = gateway.services.store;
  await gateway.tokenOf('carol');
});
afterAll(() => gateway.close());

test('rejects a write that waits too long for a record, and does not apply it later', async () => {
  const { queue, release } = holdLock('post default compost');
  const path = '/api/v3/posts/compost/flag';
  const answer = await gateway.rest(path, { as: 'carol', method: 'POST', body: { reason: 'Others' } });
  expect(answer).toMatchObject({ status: 503, body: { message: 'Too many requests wait for the database.' } });
  release();
  await queue;
  // Later waiters in the same queue have run by then.
  await store.transaction(async () => undefined, { key: 'post default compost' });
  expect(
    await store.collections.flags.countDocuments({ networkId: 'default', referenceId: 'compost', userId: 'carol' }),
  ).toBe(0);
});

/** Holds the lock until released. */
function holdLock(key: LockKey): { queue: Promise<unknown>; release: () => void } {
  let release = () => {};
  const held = new Promise<void>((released) => {
    release = released;
  });
  return { queue: store.transaction(() => held, { key }), release };
}

test('rejects a write that waits too long for a record, and serves the rest of the queue', async () => {
  const order: number[] = [];
  const take = (number: number) => store.transaction(async () => void order.push(number), { key: 'slow' });
  const { queue, release } = holdLock('slow');
  await expect(take(1)).rejects.toThrow(UnavailableError);
  release();
  await queue;
  await take(2);
  expect(order).toEqual([2]);
});

test('transactions that share keys run concurrently, and exclude those that lock one of the keys', async () => {
  const sharing = new Map<string, number>();
  const exclusive = new Set<string>();
  let ended = 0;
  let mostSharing = 0;
  const change = (key: string, by: number) => sharing.set(key, (sharing.get(key) ?? 0) + by);
  const run = (own: string, ...shared: string[]) =>
    store.transaction(
      async (session) => {
        expect(sharing.get(own) ?? 0).toBe(0);
        for (const key of [own, ...shared]) expect(exclusive).not.toContain(key);
        exclusive.add(own);
        for (const key of shared) change(key, 1);
        mostSharing = Math.max(mostSharing, ...sharing.values());
        await store.collections.users.findOne({ networkId: 'default', userId: 'alice' }, { session });
        for (const key of shared) change(key, -1);
        exclusive.delete(own);
        ended += 1;
      },
      { key: shared.length > 0 ? { exclusive: own, shared } : own },
    );
  await Promise.all([
    ...[run('x', 'a', 'b'), run('y', 'b', 'a', 'b'), run('z', 'a')],
    ...[run('a'), run('x', 'a'), run('c', 'a'), run('b', 'c'), run('a', 'c'), run('d', 'a'), run('b')],
  ]);
  expect(ended).toBe(10);
  expect(mostSharing).toBeGreaterThan(1);
});

test('a transaction that locks a key is not overtaken by later ones that share it', async () => {
  const order: string[] = [];
  const { queue, release } = holdLock({ exclusive: 'first', shared: ['a'] });
  const add = (name: string) => async () => void order.push(name);
  const waiting = [
    store.transaction(add('exclusive'), { key: 'a' }),
    store.transaction(add('shared'), { key: { exclusive: 'second', shared: ['a'] } }),
  ];
  release();
  await Promise.all([queue, ...waiting]);
  expect(order).toEqual(['exclusive', 'shared']);
});
