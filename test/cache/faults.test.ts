import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type GatewayProgram, gatewayProgram } from '../support/gateway-process.ts';
import type { SpawnedGateway } from '../support/spawn-gateway.ts';
import type { Endpoint } from './gateways.ts';
import { CHECKED, RETURNED, waitPatiently } from './pair.ts';
import { expectExplained, OPERATIONS } from './settings.ts';
import { type FaultyStreams, startFaultyStreams, wait } from './stream-faults.ts';

/** Through which the gateway in this process reads its change streams, and the one in another process. */
let streams: FaultyStreams;
let gateway: TestGateway;
let program: GatewayProgram;
let other: SpawnedGateway;
let endpoints: [Endpoint, Endpoint];
/** The other gateway waits as in production. */
let waitBriefly: () => void;

beforeAll(async () => {
  waitBriefly = waitPatiently();
  streams = await startFaultyStreams();
  gateway = await startTestGateway({ ...CHECKED, MONGODB_URI: streams.near.uri, LOG_LEVEL: 'silent' }, RETURNED);
  const { services, keys } = gateway;
  program = await gatewayProgram({
    ...gateway,
    keys,
    services: { ...services, config: { ...services.config, MONGODB_URI: streams.far.uri } },
  });
  other = await program.start(await freePort());
  endpoints = [
    { name: 'near', url: gateway.url },
    { name: 'far', url: other.url },
  ];
});
afterAll(async () => {
  waitBriefly();
  streams?.end();
  await other?.kill();
  await program?.remove();
  await gateway?.close();
  await streams?.close();
});

test('change streams that stall, lag, break and are killed leave no stale answer', async () => {
  await expectExplained({
    gateway,
    endpoints,
    operations: OPERATIONS * 2,
    meanwhile: (random, done) => streams.inject(gateway.services.store.db, random, done),
  });
  if (process.env.CACHE_VERBOSE) console.log(streams.counts);
  const { near, far } = streams;
  expect(near.replies).toBeGreaterThan(0);
  expect(far.replies).toBeGreaterThan(0);
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
