import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type FaultyGateway, startFaultyGateway } from '../support/faulty-gateway.ts';
import type { TestGateway } from '../support/gateway.ts';

let faulty: FaultyGateway;
let gateway: TestGateway;
beforeAll(async () => {
  faulty = await startFaultyGateway({ DATABASE_POOL_SIZE: '3', DATABASE_TIMEOUT_MS: '20000' });
  gateway = faulty.gateway;
  await gateway.tokenOf('alice');
});
afterAll(() => faulty.close());

const READ = '/api/v3/posts/seedlings';

test('replaces broken connections without failed requests or lost places in the pool', async () => {
  for (let round = 0; round < 12; round += 1) {
    faulty.proxy.cut();
    const [read, flag] = await Promise.all([
      gateway.rest(READ),
      gateway.rest(`${READ}/flag`, { method: 'POST', body: { reason: 'Others' } }),
    ]);
    expect([read.status, flag.status]).toEqual([200, 200]);
  }
  // Each of the three places still takes commands.
  const { db } = gateway.services.store;
  await Promise.all(Array.from({ length: 30 }, () => db.command({ ping: 1 })));
}, 240_000);

test('is ready while its pool is exhausted and the database answers', async () => {
  const swallowed = faulty.proxy.swallow((name) => name === 'find');
  const { users } = gateway.services.store.collections;
  const reads = Array.from({ length: 6 }, () => users.findOne({ networkId: 'default', userId: 'alice' }));
  await expect.poll(swallowed, { timeout: 30_000 }).toBe(3);
  const readiness = async () => {
    const { status, body } = await gateway.rest('/readyz', { as: null });
    return [status, body];
  };
  // A heartbeat may be late on a busy machine. The reads keep their connections for longer than this.
  await expect.poll(readiness, { timeout: 12_000 }).toEqual([200, { status: 'ready' }]);
  faulty.proxy.swallow(() => false);
  faulty.proxy.cut();
  for (const read of reads) expect(await read).toMatchObject({ userId: 'alice' });
}, 240_000);

test('refuses requests beyond what the pool serves in time, and accepts later ones', async () => {
  // The times of a gateway of its own are in the same proportion as those of the others.
  const [timeoutMs, delayMs] = process.env.MONGODB_URI ? [20_000, 4_000] : [5_000, 1_000];
  const own = await startFaultyGateway({ DATABASE_POOL_SIZE: '3', DATABASE_TIMEOUT_MS: String(timeoutMs) });
  onTestFinished(() => own.close());
  await own.gateway.tokenOf('alice');
  own.proxy.set({ delayMs });
  const statuses = await Promise.all(
    // Each list is a separate command; loads by id would be batched.
    Array.from(
      { length: 24 },
      async (_, n) => (await own.gateway.rest(`/api/v3/users?options[limit]=${n + 1}`)).status,
    ),
  );
  own.proxy.set('none');
  expect(statuses).toContain(503);
  for (const status of statuses) expect([200, 503]).toContain(status);
  await expect.poll(async () => (await own.gateway.rest(READ)).status, { timeout: 60_000 }).toBe(200);
}, 240_000);
