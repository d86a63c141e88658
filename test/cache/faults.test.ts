import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../support/faulty-gateway.ts';
import { freePort } from '../support/free-port.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type GatewayProgram, gatewayProgram } from '../support/gateway-process.ts';
import type { SpawnedGateway } from '../support/spawn-gateway.ts';
import { createRandom, type Endpoint, type Random } from './gateways.ts';
import { CHECKED, RETURNED } from './pair.ts';
import { expectExplained, OPERATIONS, SEED } from './settings.ts';
import { type StreamProxy, startStreamProxy } from './stream-proxy.ts';

let database: Database;
/** Through which the gateway in this process reads its change streams, and the one in another process. */
let near: StreamProxy;
let far: StreamProxy;
let gateway: TestGateway;
let program: GatewayProgram;
let other: SpawnedGateway;
let endpoints: [Endpoint, Endpoint];

beforeAll(async () => {
  database = await openDatabase({ transactionLifetimeMs: 2_000 });
  const random = createRandom(SEED);
  const fraction = () => random.below(1_000) / 1_000;
  near = await startStreamProxy(database.target, fraction);
  far = await startStreamProxy(database.target, fraction);
  gateway = await startTestGateway({ ...CHECKED, MONGODB_URI: near.uri, LOG_LEVEL: 'silent' }, RETURNED);
  const { services, keys } = gateway;
  program = await gatewayProgram({
    ...gateway,
    keys,
    services: { ...services, config: { ...services.config, MONGODB_URI: far.uri } },
  });
  other = await program.start(await freePort());
  endpoints = [
    { name: 'near', url: gateway.url },
    { name: 'far', url: other.url },
  ];
});
afterAll(async () => {
  for (const proxy of [near, far]) proxy?.set('none');
  await other?.kill();
  await program?.remove();
  await gateway?.close();
  await near?.close();
  await far?.close();
  await database?.close();
});

/** Waits, at most until the clients are done. */
const wait = (ms: number, done: AbortSignal) => pause(ms, undefined, { signal: done }).catch(() => undefined);

const FAULTS: { [name: string]: (proxy: StreamProxy, random: Random, done: AbortSignal) => Promise<unknown> } = {
  async stalls(proxy, random, done) {
    proxy.set('stall');
    await wait(500 + random.below(3_000), done);
    proxy.set('none');
  },
  async delays(proxy, random, done) {
    proxy.set({ maxDelayMs: 5 + random.below(400) });
    await wait(500 + random.below(2_000), done);
    proxy.set('none');
  },
  async cuts(proxy) {
    return proxy.cut();
  },
  async kills(proxy) {
    const cursors = proxy.cursors();
    if (cursors.length > 0)
      await gateway.services.store.db.command({ killCursors: '$cmd.aggregate', cursors }).catch(() => undefined);
  },
};

test('change streams that stall, lag, break and are killed leave no stale answer', async () => {
  await expectExplained({
    gateway,
    endpoints,
    operations: OPERATIONS * 2,
    async meanwhile(random, done) {
      while (!done.aborted) {
        const fault = random.pick(Object.values(FAULTS));
        await fault(random.pick([near, far]), random, done);
        await wait(random.below(1_000), done);
      }
      for (const proxy of [near, far]) proxy.set('none');
    },
  });
  expect(near.replies + far.replies).toBeGreaterThan(0);
}, 3_600_000);

test('a gateway that is killed and started again answers with what is current', async () => {
  await expectExplained({
    gateway,
    endpoints,
    operations: OPERATIONS * 2,
    async meanwhile(random, done) {
      while (!done.aborted) {
        await wait(2_000 + random.below(3_000), done);
        if (done.aborted) return;
        const { port } = other;
        await other.kill();
        other = await program.start(port);
      }
    },
  });
}, 3_600_000);
