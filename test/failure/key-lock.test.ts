import { afterAll, beforeAll, expect, test } from 'vitest';
import { UnavailableError } from '../../src/database-errors.ts';
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
function holdLock(key: string): { queue: Promise<unknown>; release: () => void } {
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

test('transactions with several common keys run one after another, whatever the order of the keys', async () => {
  const running = new Set<string>();
  let ended = 0;
  const run = (...key: string[]) =>
    store.transaction(
      async (session) => {
        for (const one of key) expect(running).not.toContain(one);
        for (const one of key) running.add(one);
        await store.collections.users.findOne({ networkId: 'default', userId: 'alice' }, { session });
        for (const one of key) running.delete(one);
        ended += 1;
      },
      { key },
    );
  await Promise.all([run('a', 'b', 'c'), run('c', 'b', 'a'), run('b', 'a', 'b'), run('c'), run('d', 'c'), run('a')]);
  expect(ended).toBe(6);
});
