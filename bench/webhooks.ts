import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ObjectId } from 'mongodb';
import { openStore, type Store } from '../src/store/store.ts';
import { newSecret } from '../src/webhooks/sign.ts';
import { BUILT, GATEWAY } from './build.ts';
import { NETWORK_ID, postId } from './data.ts';
import { type Server, startServer } from './http/servers.ts';
import { untilIdle } from './process.ts';
import { type Latencies, latenciesOf } from './stats.ts';

export type WebhookServer = 'gateway' | 'fire and forget';

export interface WebhookResult extends Latencies {
  server: WebhookServer;
  endpoints: number;
  /** Deliveries per second while enough are pending. */
  deliveriesPerSecond: number;
  /** The rate relative to the program that stores nothing. */
  ofForgetting: number;
  /** Events per second during the measurement of the latencies, from the write of the event to the receiver. */
  rate: number;
  /** Whether every endpoint received every event. */
  isComplete: boolean;
}

export interface WebhookScale {
  /** Events written in a burst; each is delivered to every endpoint. */
  burst: number;
  rate: number;
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

/** Ten receivers that answer immediately: the gateway, which stores every step, compared with a program that stores none. */
export async function measureWebhooks(uri: string, scale: WebhookScale): Promise<WebhookResult[]> {
  const store = await openStore({ uri });
  const receiver = await startReceiver();
  try {
    await addEndpoints(store, receiver.url);
    const stock = await measure('fire and forget', { uri, store, receiver, scale });
    const own = await measure('gateway', { uri, store, receiver, scale });
    for (const result of [own, stock]) result.ofForgetting = result.deliveriesPerSecond / stock.deliveriesPerSecond;
    return [own, stock];
  } finally {
    await store.collections.webhookEndpoints.deleteMany({ networkId: NETWORK_ID });
    receiver.close();
    await store.close();
  }
}

/** The aims that the gateway does not meet. */
export function faultsOfWebhooks(results: readonly WebhookResult[]): string[] {
  return results.flatMap(({ server, endpoints, deliveriesPerSecond, rate, p99, isComplete }) => {
    if (server !== 'gateway') return [];
    return [
      ...(isComplete ? [] : ['webhooks: not every endpoint received every event']),
      ...(deliveriesPerSecond >= MIN_DELIVERIES_PER_SECOND
        ? []
        : [`webhooks: ${Math.round(deliveriesPerSecond)} deliveries/s, not ${MIN_DELIVERIES_PER_SECOND}`]),
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

interface MeasureOptions {
  uri: string;
  store: Store;
  receiver: Receiver;
  scale: WebhookScale;
}

async function measure(name: WebhookServer, { uri, store, receiver, scale }: MeasureOptions): Promise<WebhookResult> {
  const server = await START[name](uri);
  try {
    // Before the first delivery, processes acquire their leases and documents are compiled.
    if (!(await waitForDeliveries(receiver, await writeEvents(store, 1))))
      throw new Error(`${name} did not deliver the first event`);
    await untilIdle(server);
    const startedAt = performance.now();
    const burst = await writeEvents(store, scale.burst);
    const isComplete = await waitForDeliveries(receiver, burst);
    const deliveriesPerSecond = (count(receiver, burst) * 1_000) / (performance.now() - startedAt);
    // The outcomes of the burst are still being stored.
    await untilIdle(server);
    const steady = await atSteadyRate(store, receiver, scale);
    return {
      server: name,
      endpoints: ENDPOINTS,
      deliveriesPerSecond,
      ofForgetting: 1,
      rate: scale.rate,
      ...steady,
      isComplete: isComplete && steady.isComplete,
    };
  } finally {
    await server.stop();
  }
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
