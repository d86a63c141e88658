import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type BuiltProgram, buildGateway } from '../support/build-program.ts';
import { createEndpoint } from '../support/create-endpoint.ts';
import { type Fault, type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { type Database, openDatabase } from '../support/faulty-gateway.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type SpawnedGateway, spawnGateway } from '../support/spawn-gateway.ts';
import { OK, type Received, type Receiver, startReceiver } from '../webhooks/receiver.ts';

const DATABASE_TIMEOUT_MS = 10_000;
/** Leases of deliveries that an ended process held. */
const LEASE_MS = 60_000;

let program: BuiltProgram;
let database: Database;
/** In front of the database of the processes, and of the gateway that creates the network. */
let faulty: FaultProxy;
let direct: FaultProxy;
let network: TestGateway;
let receiver: Receiver;
let gateway: SpawnedGateway | undefined;
beforeAll(async () => {
  program = await buildGateway();
  database = await openDatabase();
  faulty = await startFaultProxy(database.target);
  direct = await startFaultProxy(database.target);
  network = await startTestGateway({ MONGODB_URI: direct.uri });
  receiver = await startReceiver();
}, 120_000);
afterAll(async () => {
  await gateway?.kill();
  await receiver.close();
  await network.close();
  await faulty.close();
  await direct.close();
  await database.close();
  await program.remove();
});

async function start(): Promise<SpawnedGateway> {
  const { config, store } = network.services;
  gateway = await spawnGateway({
    file: join(program.folder, 'main.js'),
    env: {
      ...network.keys,
      MONGODB_URI: faulty.uri.replace('/?', `/${store.db.databaseName}?`),
      DATA_DIR: config.DATA_DIR,
      DATABASE_TIMEOUT_MS: String(DATABASE_TIMEOUT_MS),
      NODE_ENV: 'test',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
      WEBHOOK_ALLOW_PRIVATE: 'true',
    },
  });
  return gateway;
}

async function createPost({ url }: SpawnedGateway): Promise<void> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await network.tokenOf('alice')}` },
    body: JSON.stringify({
      query: `mutation { createPost(input: { targetType: COMMUNITY, targetId: "gardeners", data: { text: "last" } }) {
        ... on CreatePostPayload { post { postId } } } }`,
    }),
  });
  expect(await response.json()).toMatchObject({ data: { createPost: { post: { postId: expect.any(String) } } } });
}

/** Whether a new connection is accepted. */
const accepts = ({ port }: SpawnedGateway): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** What is the same in each request of a delivery. */
const requestOf = ({ headers, body }: Received): string => `${headers['webhook-id']} ${body}`;

/** Sends SIGTERM while a receiver hangs and after the database has become slow. */
async function expectEndInTime(ending: SpawnedGateway, fault: Fault): Promise<void> {
  receiver.answer(() => undefined);
  await createPost(ending);
  await vi.waitUntil(() => receiver.received.length > 0, { timeout: 30_000 });
  faulty.set(fault);
  const signalledAt = performance.now();
  ending.child.kill('SIGTERM');
  while (await accepts(ending)) await pause(50);
  expect(performance.now() - signalledAt).toBeLessThan(5_000);
  expect(await ending.ended).toEqual([0, null]);
  // DATABASE_TIMEOUT_MS and six seconds, see docs/guides/run-in-production.md#shutdown; a busy machine takes longer.
  expect(performance.now() - signalledAt).toBeLessThan(DATABASE_TIMEOUT_MS + 9_000);
  faulty.set('none');
}

test('a gateway accepts no connection after SIGTERM and ends in time while database and receivers hang', async () => {
  const gateway = await start();
  const token = await network.tokenOf('admin');
  await createEndpoint({ url: gateway.url, token, receiver, event: 'v3.post.didCreate' });
  await expectEndInTime(gateway, 'hang');
}, 120_000);

test(
  'a delivery whose result a slow database does not store before the end is sent again after the next start',
  async () => {
    receiver.received.length = 0;
    await expectEndInTime(await start(), { delayMs: 6_000 });
    receiver.answer(OK);
    const sent = new Set(receiver.received.splice(0).map(requestOf));
    const after = await start();
    const isSentAgain = () => [...sent].every((request) => receiver.received.map(requestOf).includes(request));
    await vi.waitUntil(isSentAgain, { timeout: LEASE_MS + 60_000, interval: 100 });
    after.child.kill('SIGTERM');
    expect(await after.ended).toEqual([0, null]);
  },
  LEASE_MS + 180_000,
);
