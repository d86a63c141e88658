import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ObjectId } from 'mongodb';
import { openStore, type Store } from '../src/store/store.ts';
import { newSecret } from '../src/webhooks/sign.ts';
import { BUILT, GATEWAY } from './build.ts';
import { NETWORK_ID, postId } from './data.ts';
import { fill } from './http/reads.ts';
import { type Server, startServer } from './http/servers.ts';
import { usageOf, usedBetween } from './http/usage.ts';
import { type Program, runningPids, untilIdle } from './process.ts';
import { inRounds, type Quartiles, quartilesOf, type Round, ratiosOf } from './rounds.ts';
import { type Latencies, latenciesOf } from './stats.ts';
import { startStore } from './store/servers.ts';

export type WebhookServer = 'gateway' | 'fire and forget';

export interface WebhookResult {
  server: WebhookServer;
  endpoints: number;
  /** Deliveries per second while enough are pending. */
  deliveriesPerSecond: Quartiles;
  /** The rate relative to the program that stores nothing, in the same round. */
  ofForgetting: Quartiles;
  /** Processor time of the server and of its store per delivery of a burst, in microseconds. */
  serverUs: number;
  storeUs: number;
  /** Events per second during the measurement of the lag. */
  rate: number;
  /** Milliseconds from the write of the event to the receiver, as medians of the rounds. */
  p50: number;
  p99: number;
  /** Whether every endpoint received every event. */
  isComplete: boolean;
  /** Processors that programs other than the bench used meanwhile. */
  otherLoad: number;
}

export interface WebhookScale {
  /** Events delivered before the measurement, so that the programs are compiled. */
  warmUp: number;
  /** Events written in a burst; each is delivered to every endpoint. */
  burst: number;
  rate: number;
  rounds: number;
  /** Duration of the measurement of the lag, each round. */
  millisecondsSteady: number;
}

const ENDPOINTS = 10;
/** Aims of the gateway. */
const MIN_DELIVERIES_PER_SECOND = 1_500;
const MAX_LAG_MS = 100;
const DELIVERY_TIMEOUT_MS = 60_000;

const START: { readonly [Name in WebhookServer]: (uri: string) => Promise<Server> } = {
  gateway: (uri) => startServer(GATEWAY, { uri, ready: '/readyz', env: { WEBHOOK_ALLOW_PRIVATE: 'true' } }),
  'fire and forget': (uri) => startServer(`${BUILT}stock-webhooks.js`, { uri, ready: '/' }),
};

/** One server with its own store and receivers, so that a server that is not measured has nothing to do. */
interface Setup {
  name: WebhookServer;
  server: Server;
  program: Program;
  store: Store;
  receiver: Receiver;
}

interface Figures extends Latencies {
  deliveriesPerSecond: number;
  serverUs: number;
  storeUs: number;
  isComplete: boolean;
  otherLoad: number;
}

/** Ten receivers that answer immediately: the gateway, which stores every step, compared with a program that stores none. */
export async function measureWebhooks(scale: WebhookScale): Promise<WebhookResult[]> {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-bench-'));
  const closers: Array<() => unknown> = [() => rm(folder, { recursive: true, force: true })];
  try {
    const setups: Setup[] = [];
    for (const name of ['gateway', 'fire and forget'] as const)
      setups.push(
        await setUp(name, { folder: join(folder, name.replaceAll(' ', '-')), warmUp: scale.warmUp, closers }),
      );
    const rounds = await inRounds(setups, scale.rounds, (setup) => deliver(setup, scale));
    const [, stock] = setups;
    return setups.map((setup) => resultOf(setup, { stock: stock!, rounds, scale }));
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

interface SettingUp {
  folder: string;
  warmUp: number;
  /** Receives what closes each part, in the order in which they are created. */
  closers: Array<() => unknown>;
}

async function setUp(name: WebhookServer, { folder, warmUp, closers }: SettingUp): Promise<Setup> {
  await mkdir(folder);
  const program = await startStore(folder);
  closers.push(() => program.stop());
  await fill(program.uri, { fill: 0 });
  const store = await openStore({ uri: program.uri });
  closers.push(() => store.close());
  const receiver = await startReceiver();
  closers.push(() => receiver.close());
  await addEndpoints(store, receiver.url);
  const server = await START[name](program.uri);
  closers.push(() => server.stop());
  // Before the first delivery, processes acquire their leases.
  if (!(await waitForDeliveries(receiver, await writeEvents(store, warmUp))))
    throw new Error(`${name} did not deliver the first events`);
  return { name, server, program, store, receiver };
}

async function deliver({ server, program, store, receiver }: Setup, scale: WebhookScale): Promise<Figures> {
  await untilIdle(server);
  const counted = [server.pid, program.pid];
  const bench = runningPids().filter((pid) => !counted.includes(pid));
  const measured = { servers: [server.pid], store: program.pid, client: process.pid, bench };
  const before = usageOf(measured);
  const startedAt = performance.now();
  const burst = await writeEvents(store, scale.burst);
  const isComplete = await waitForDeliveries(receiver, burst);
  const delivered = count(receiver, burst);
  const deliveriesPerSecond = (delivered * 1_000) / (performance.now() - startedAt);
  // The outcomes of the burst are still being stored.
  await untilIdle(server);
  const used = usedBetween(before, usageOf(measured));
  const otherLoad = used.others / (performance.now() - startedAt);
  const steady = await atSteadyRate(store, receiver, scale);
  receiver.received.clear();
  return {
    deliveriesPerSecond,
    serverUs: (used.server * 1_000) / delivered,
    storeUs: (used.store * 1_000) / delivered,
    otherLoad,
    ...steady,
    isComplete: isComplete && steady.isComplete,
  };
}

interface Rounds {
  stock: Setup;
  rounds: ReadonlyArray<Round<Setup, Figures>>;
  scale: WebhookScale;
}

function resultOf(setup: Setup, { stock, rounds, scale }: Rounds): WebhookResult {
  const over = (pick: (figures: Figures) => number) => quartilesOf(rounds.map((round) => pick(round.get(setup)!)));
  const rateOf = (figures: Figures) => figures.deliveriesPerSecond;
  return {
    server: setup.name,
    endpoints: ENDPOINTS,
    deliveriesPerSecond: over(rateOf),
    ofForgetting: quartilesOf(ratiosOf(rounds, { of: setup, to: stock, by: rateOf })),
    serverUs: over(({ serverUs }) => serverUs).median,
    storeUs: over(({ storeUs }) => storeUs).median,
    rate: scale.rate,
    p50: over(({ p50 }) => p50).median,
    p99: over(({ p99 }) => p99).median,
    isComplete: rounds.every((round) => round.get(setup)!.isComplete),
    otherLoad: over((figures) => figures.otherLoad).median,
  };
}

/** The aims that the gateway does not meet. */
export function faultsOfWebhooks(results: readonly WebhookResult[]): string[] {
  return results.flatMap(({ server, endpoints, deliveriesPerSecond: { median }, rate, p99, isComplete }) => {
    if (server !== 'gateway') return [];
    return [
      ...(isComplete ? [] : ['webhooks: not every endpoint received every event']),
      ...(median >= MIN_DELIVERIES_PER_SECOND
        ? []
        : [`webhooks: ${Math.round(median)} deliveries/s, not ${MIN_DELIVERIES_PER_SECOND}`]),
      ...(p99 <= MAX_LAG_MS
        ? []
        : [`webhooks: p99 of ${Math.round(p99)} ms at ${rate * endpoints} deliveries/s, not ${MAX_LAG_MS}`]),
    ];
  });
}

interface Receiver {
  url: string;
  /** By event id: arrival times of its deliveries, as `performance.now()`. */
  received: Map<string, number[]>;
  close(): void;
}

async function startReceiver(): Promise<Receiver> {
  const received: Receiver['received'] = new Map();
  const server = createServer((request, response) => {
    const now = performance.now();
    const id = String(request.headers['webhook-id']).match(/[0-9a-f]{24}/)?.[0] ?? '';
    received.set(id, [...(received.get(id) ?? []), now]);
    request.resume().once('end', () => response.end('{}'));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function addEndpoints(store: Store, url: string): Promise<void> {
  const now = new Date();
  const endpoints = Array.from({ length: ENDPOINTS }, (_, index) => {
    const _id = new ObjectId();
    return {
      _id,
      networkId: NETWORK_ID,
      endpointId: _id.toHexString(),
      url: `${url}/${index}`,
      secrets: [{ key: newSecret(), createdAt: now, endsAt: null }],
      events: ['v3.post.didCreate'],
      method: 'POST' as const,
      accessToken: null,
      payload: 'documented' as const,
      selection: null,
      enabled: true,
      disabledReason: null,
      disabledAt: null,
      failingSince: null,
      queued: 0,
      heldUntil: null,
      createdAt: now,
      updatedAt: now,
    };
  });
  await store.collections.webhookEndpoints.insertMany(endpoints);
}

/** @returns the time of the write by event id */
async function writeEvents(store: Store, count: number): Promise<Map<string, number>> {
  const now = new Date();
  const events = Array.from({ length: count }, (_, index) => {
    const _id = new ObjectId();
    return {
      _id,
      eventId: _id.toHexString(),
      commitId: _id.toHexString(),
      networkId: NETWORK_ID,
      type: 'post.created',
      path: `${NETWORK_ID}/post`,
      data: { postId: postId(index) },
      actorId: null,
      senderId: 'bench',
      createdAt: now,
      updatedAt: now,
      expiresAt: new Date(now.getTime() + 3_600_000),
    };
  });
  const startedAt = performance.now();
  await store.collections.events.insertMany(events);
  return new Map(events.map(({ eventId }) => [eventId, startedAt]));
}

/** Waits until every endpoint has received the events. @returns false after the timeout */
async function waitForDeliveries(receiver: Receiver, events: ReadonlyMap<string, number>): Promise<boolean> {
  const end = performance.now() + DELIVERY_TIMEOUT_MS;
  while (performance.now() < end) {
    if (count(receiver, events) >= events.size * ENDPOINTS) return true;
    await new Promise((later) => setTimeout(later, 5));
  }
  return false;
}

function count({ received }: Receiver, events: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const id of events.keys()) sum += received.get(id)?.length ?? 0;
  return sum;
}

async function atSteadyRate(
  store: Store,
  receiver: Receiver,
  { rate, millisecondsSteady }: WebhookScale,
): Promise<Latencies & { isComplete: boolean }> {
  const written = new Map<string, number>();
  const startedAt = performance.now();
  while (performance.now() - startedAt < millisecondsSteady) {
    for (const [id, time] of await writeEvents(store, 1)) written.set(id, time);
    await new Promise((later) => setTimeout(later, (written.size * 1_000) / rate - (performance.now() - startedAt)));
  }
  const isComplete = await waitForDeliveries(receiver, written);
  const lags = [...written].flatMap(([id, time]) =>
    (receiver.received.get(id) ?? []).map((arrivedAt) => arrivedAt - time),
  );
  return { ...latenciesOf(lags), isComplete };
}
