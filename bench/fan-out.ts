import { ObjectId } from 'mongodb';
import { openStore, type Store } from '../src/store/store.ts';
import { BUILT } from './build.ts';
import { NETWORK_ID, postId } from './data.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { type Server, startGateway, startServer } from './http-servers.ts';
import { residentMb, untilIdle } from './process.ts';
import { SECRETS } from './settings.ts';
import { type Latencies, latenciesOf } from './stats.ts';

export type FanOutServer = 'gateway' | 'graphql-ws' | 'graphql-ws, plain loaders';

export interface FanOutResult extends Latencies {
  server: FanOutServer;
  sockets: number;
  /** Messages delivered per second at the maximum rate. */
  messagesPerSecond: number;
  /** The rate relative to `graphql-ws` with the gateway's loaders. */
  ofStock: number;
  /** The rate relative to `graphql-ws` with plain DataLoader batching. */
  ofPlain: number;
  /** Events per second while latencies were measured, from the write of the event to its receipt. */
  rate: number;
  /** Whether every subscriber received every event of the latency measurement. */
  isComplete: boolean;
  /** Resident memory with all sockets in megabytes, and of one idle socket in kilobytes. */
  residentMb: number;
  idleKb: number;
}

export interface FanOutScale {
  sockets: readonly number[];
  /** Duration of the measurement at the maximum rate. */
  millisecondsFast: number;
  /** Duration of the latency measurement. */
  millisecondsSteady: number;
}

/** Subscribed users; the gateway allows each 100 sockets. */
const SUBSCRIBERS = 64;
const QUERY =
  'subscription { postCreated { id cursor type path sendTime post { postId data { text } createdAt author { userId displayName } } } }';
/** Events in delivery at the same time while the maximum rate is measured. */
const CONCURRENT_EVENTS = 2;
/** Time limit for the delivery of one event to all subscribers. */
const DELIVERY_TIMEOUT_MS = 30_000;

const STOCK = `${BUILT}stock-sockets.js`;

const START: { readonly [Name in FanOutServer]: (uri: string) => Promise<Server> } = {
  gateway: startGateway,
  'graphql-ws': (uri) => startServer(STOCK, { uri, ready: '/' }),
  'graphql-ws, plain loaders': (uri) => startServer(STOCK, { uri, ready: '/', env: { LOADERS: 'plain' } }),
};

/** Compares the gateway with plain `graphql-ws`: one topic, and thousands of sockets with the same subscription. */
export async function measureFanOut(uri: string, scale: FanOutScale): Promise<FanOutResult[]> {
  const store = await openStore({ uri });
  const results: FanOutResult[] = [];
  try {
    const tokens = await signInSubscribers(uri);
    for (const sockets of scale.sockets) {
      const measured = { uri, store, sockets, tokens, scale };
      const plain = await measure('graphql-ws, plain loaders', measured);
      const stock = await measure('graphql-ws', measured);
      const own = await measure('gateway', measured);
      for (const result of [own, stock, plain]) {
        result.ofStock = result.messagesPerSecond / stock.messagesPerSecond;
        result.ofPlain = result.messagesPerSecond / plain.messagesPerSecond;
        results.push(result);
      }
    }
  } finally {
    await store.close();
  }
  return results;
}

async function signInSubscribers(uri: string): Promise<string[]> {
  const gateway = await startGateway(uri);
  try {
    const tokens: string[] = [];
    for (let index = 0; index < SUBSCRIBERS; index += 1) {
      const response = await fetch(`${gateway.url}/api/v5/sessions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': SECRETS.API_KEY },
        body: JSON.stringify({ userId: `bench-subscriber-${index}`, deviceId: `bench-subscriber-${index}` }),
      });
      const { accessToken } = (await response.json()) as { accessToken?: string };
      if (!accessToken) throw new Error(`A subscriber could not sign in: ${response.status}`);
      tokens.push(accessToken);
    }
    return tokens;
  } finally {
    await gateway.stop();
  }
}

interface MeasureOptions {
  uri: string;
  store: Store;
  sockets: number;
  tokens: readonly string[];
  scale: FanOutScale;
}

async function measure(
  name: FanOutServer,
  { uri, store, sockets, tokens, scale }: MeasureOptions,
): Promise<FanOutResult> {
  const server = await START[name](uri);
  const url = `${server.url.replace('http', 'ws')}/graphql`;
  try {
    await untilIdle(server);
    const before = residentMb(server.pid);
    const fleet = await startFleet({ url, size: sockets, query: QUERY, tokens });
    try {
      const idleKb = ((residentMb(server.pid) - before) * 1_024) / sockets;
      const events = createEvents(store);
      // Warms up what is compiled on first use.
      for (let warm = 0; warm < 3; warm += 1) await fleet.complete(await events.write(), DELIVERY_TIMEOUT_MS);
      const messagesPerSecond = await atFullRate(fleet, events, scale.millisecondsFast);
      const rate = sockets > 2_000 ? 2 : 8;
      const steady = await atSteadyRate(fleet, events, { rate, milliseconds: scale.millisecondsSteady, sockets });
      return {
        server: name,
        sockets,
        messagesPerSecond,
        ofStock: 1,
        ofPlain: 1,
        rate,
        ...steady,
        residentMb: residentMb(server.pid),
        idleKb,
      };
    } finally {
      await fleet.stop();
    }
  } finally {
    await server.stop();
  }
}

interface Events {
  /** Writes an event that every subscriber may see. @returns its number */
  write(): Promise<number>;
}

function createEvents(store: Store): Events {
  let count = 0;
  return {
    async write() {
      const number = count;
      count += 1;
      const _id = new ObjectId();
      const now = new Date();
      const sent = performance.timeOrigin + performance.now();
      await store.collections.events.insertOne({
        _id,
        eventId: _id.toHexString(),
        networkId: NETWORK_ID,
        type: 'post.created',
        path: `${NETWORK_ID}/#${number} ${sent}#`,
        data: { postId: postId(number) },
        actorId: null,
        senderId: 'bench',
        createdAt: now,
        updatedAt: now,
        expiresAt: new Date(now.getTime() + 3_600_000),
      });
      return number;
    },
  };
}

async function atFullRate(fleet: Fleet, events: Events, milliseconds: number): Promise<number> {
  fleet.begin();
  const startedAt = performance.now();
  const keepWriting = async () => {
    while (performance.now() - startedAt < milliseconds)
      await fleet.complete(await events.write(), DELIVERY_TIMEOUT_MS);
  };
  await Promise.all(Array.from({ length: CONCURRENT_EVENTS }, keepWriting));
  const { received } = await fleet.figures();
  return (received * 1_000) / (performance.now() - startedAt);
}

async function atSteadyRate(
  fleet: Fleet,
  events: Events,
  { rate, milliseconds, sockets }: { rate: number; milliseconds: number; sockets: number },
): Promise<Latencies & { isComplete: boolean }> {
  fleet.begin();
  const startedAt = performance.now();
  let written = 0;
  let last = 0;
  while (performance.now() - startedAt < milliseconds) {
    last = await events.write();
    written += 1;
    await new Promise((later) => setTimeout(later, (written * 1_000) / rate - (performance.now() - startedAt)));
  }
  await fleet.complete(last, 5_000);
  const { received, latencies } = await fleet.figures();
  return { ...latenciesOf(latencies), isComplete: received === written * sockets };
}
