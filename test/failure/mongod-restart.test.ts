import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findInconsistencies } from '../support/consistency.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type OwnMongod, startOwnMongod } from '../support/own-mongod.ts';

let mongod: OwnMongod;
let gateway: TestGateway;
const POSTS = ['seedlings', 'tomatoes', 'grafting', 'compost'];

beforeAll(async () => {
  mongod = await startOwnMongod();
  gateway = await startTestGateway({ MONGODB_URI: mongod.uri, DATABASE_TIMEOUT_MS: '10000', LOG_LEVEL: 'silent' });
  for (const user of ['alice', 'carol']) await gateway.tokenOf(user);
});
afterAll(async () => {
  await gateway.close();
  await mongod.close();
});

const readiness = async () => (await fetch(`${gateway.url}/readyz`)).status;

/** Flags, unflags and reads while the server fails, then expects the acknowledged state of every flag. */
async function expectSurvived(failure: () => Promise<unknown>): Promise<void> {
  let isOver = false;
  let changes = 0;
  const statuses = new Set<number>();
  const acknowledged = new Map<string, boolean | undefined>();
  const working = Promise.all(
    POSTS.map(async (postId) => {
      for (let isOn = true; !isOver; isOn = !isOn) {
        const path = `/api/v3/posts/${postId}/${isOn ? 'flag' : 'unflag'}`;
        const { status } = await gateway.rest(path, { as: 'carol', method: isOn ? 'POST' : 'DELETE' });
        statuses.add(status);
        acknowledged.set(postId, status === 200 ? isOn : undefined);
        if (status === 200) changes += 1;
        statuses.add((await gateway.rest(`/api/v3/posts/${postId}`, { as: 'carol' })).status);
      }
    }),
  );
  const untilChanged = async () => {
    const enough = changes + 2 * POSTS.length;
    await expect.poll(() => changes, { timeout: 60_000 }).toBeGreaterThanOrEqual(enough);
  };
  await untilChanged();
  await failure();
  await expect.poll(readiness, { timeout: 120_000, interval: 250 }).toBe(200);
  await expect
    .poll(async () => (await gateway.rest('/api/v3/posts/seedlings')).status, { timeout: 60_000, interval: 250 })
    .toBe(200);
  await untilChanged();
  isOver = true;
  await working;

  for (const status of statuses) expect([200, 503]).toContain(status);
  expect(statuses).toContain(200);
  const { collections, db } = gateway.services.store;
  for (const [referenceId, isOn] of acknowledged) {
    const flag = { networkId: 'default', referenceType: 'post' as const, referenceId, userId: 'carol' };
    const count = await collections.flags.countDocuments(flag);
    if (isOn !== undefined) expect([referenceId, count]).toEqual([referenceId, isOn ? 1 : 0]);
  }
  expect(await findInconsistencies(db)).toEqual([]);
}

test('survives a primary that steps down under load', async () => {
  await expectSurvived(async () => {
    const client = await MongoClient.connect(mongod.uri);
    const stepDown = { replSetStepDown: 5, secondaryCatchUpPeriodSecs: 1, force: true };
    await client
      .db('admin')
      .command(stepDown)
      .catch(() => undefined);
    await client.close();
  });
});

test('survives a server that is killed and restarted under load', async () => {
  await expectSurvived(async () => {
    await mongod.kill();
    await expect.poll(readiness, { timeout: 30_000, interval: 250 }).toBe(503);
    await mongod.start();
  });
});

test('finds a server again that was removed from its set for maintenance', async () => {
  await mongod.kill();
  await mongod.start('standalone');
  await expect.poll(readiness, { timeout: 60_000, interval: 250 }).toBe(503);
  // Long enough for the driver to check the server and remove it from its topology.
  await new Promise((later) => setTimeout(later, 8_000));
  expect(await readiness()).toBe(503);
  await mongod.kill();
  await mongod.start();
  await expect.poll(readiness, { timeout: 120_000, interval: 250 }).toBe(200);
  const { status } = await gateway.rest('/api/v3/posts/seedlings/flag', { as: 'carol', method: 'POST' });
  expect(status).toBe(200);
});
