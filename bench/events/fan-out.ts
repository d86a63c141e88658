import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { openStore } from '../../src/store/store.ts';
import { BUILT } from '../build.ts';
import { NETWORK_ID, postId } from '../data.ts';
import { fill } from '../http/reads.ts';
import { type Server, startGateway, startServer } from '../http/servers.ts';
import { usageOf, usedBetween } from '../http/usage.ts';
import { residentMb, runningPids, untilIdle } from '../process.ts';
import { inRounds, type Quartiles, quartilesOf, type Round, ratiosOf } from '../rounds.ts';
import { startStore } from '../store/servers.ts';
import {
  atFullRate,
  atSteadyRate,
  createEvents,
  DELIVERY_TIMEOUT_MS,
  type Delivery,
  type Events,
  rateFor,
  signInSubscribers,
} from './delivery.ts';
import { type Fleet, type FleetUser, startFleet } from './fleet.ts';

export type FanOutServer = 'gateway' | 'broadcast' | 'graphql-ws' | 'graphql-ws, plain loaders';

export interface FanOutResult extends Omit<Delivery, 'bytes'> {
  server: FanOutServer;
  /** Messages/s of the gateway divided by those of this server in the same round. */
  subjectRatio: Quartiles;
  p99Quartiles: Quartiles;
  /** Processor time of the server per message at the maximum rate, in microseconds. */
  serverUs: number;
  /** Processors that programs other than the bench used meanwhile. */
  otherLoad: number;
}

export interface FanOutScale {
  sockets: readonly number[];
  servers: readonly FanOutServer[];
  rounds: number;
  /** Duration of the measurement at the maximum rate, each round. */
  millisecondsFast: number;
  /** Duration of the latency measurement, each round. */
  millisecondsSteady: number;
}

const QUERY =
  'subscription { postCreated { id cursor type path sendTime post { postId data { text } createdAt author { userId displayName } } } }';
const STOCK = `${BUILT}stock-sockets.js`;

const START: { readonly [Name in FanOutServer]: (uri: string) => Promise<Server> } = {
  gateway: startGateway,
  broadcast: (uri) => startServer(`${BUILT}broadcast.js`, { uri, ready: '/' }),
  'graphql-ws': (uri) => startServer(STOCK, { uri, ready: '/' }),
  'graphql-ws, plain loaders': (uri) => startServer(STOCK, { uri, ready: '/', env: { LOADERS: 'plain' } }),
};

/** One server with its own store and subscribers, so that a server that is not measured has nothing to do. */
interface Setup {
  server: FanOutServer;
  fleet: Fleet;
  events: Events;
  /** Processes of the server, its store and its subscribers. */
  pids: { server: number; store: number; fleet: number };
  idleKb: number;
  close(): Promise<void>;
}

interface Figures extends Omit<Delivery, 'sockets' | 'bytes' | 'rate' | 'residentMb' | 'idleKb'> {
  /** Processor time of the server per message in microseconds. */
  serverUs: number;
  otherLoad: number;
}

/**
 * Compares the gateway with plain `graphql-ws`: one topic, and thousands of sockets with the same subscription. All
 * servers keep their subscribers connected and are measured in a new order each round.
 */
export async function measureFanOut(
  { sockets: sizes, rounds: count, servers, ...scale }: FanOutScale,
  progress: (step: string) => void,
): Promise<FanOutResult[]> {
  const results: FanOutResult[] = [];
  for (const sockets of sizes) {
    const folder = await mkdtemp(join(tmpdir(), 'colloquy-bench-'));
    const setups: Setup[] = [];
    try {
      const users = await prepareFolder(join(folder, 'prepared'));
      for (const server of servers) setups.push(await setUp(server, { folder, sockets, users }));
      progress(`${sockets} sockets on each server`);
      await compareMessages(setups);
      const rounds = await inRounds(setups, count, (setup) => deliver(setup, { sockets, scale }));
      const own = setups.find(({ server }) => server === 'gateway')!;
      for (const setup of setups) results.push(resultOf(setup, { own, rounds, sockets }));
    } finally {
      for (const setup of setups) await setup.close();
      await rm(folder, { recursive: true, force: true });
    }
  }
  return results;
}

/** Fills the folder of a store, which each server gets a copy of. @returns the subscribers, whose sessions are in it */
async function prepareFolder(folder: string): Promise<FleetUser[]> {
  await mkdir(folder);
  const store = await startStore(folder);
  try {
    await fill(store.uri, { fill: 0 });
    return await signInSubscribers(store.uri, (index) => `bench-subscriber-${index}`);
  } finally {
    await store.stop();
  }
}

interface SettingUp {
  folder: string;
  sockets: number;
  users: readonly FleetUser[];
}

async function setUp(name: FanOutServer, { folder, sockets, users }: SettingUp): Promise<Setup> {
  const data = join(folder, name.replaceAll(/\W/g, '-'));
  await cp(join(folder, 'prepared'), data, { recursive: true, filter: (path) => !path.endsWith('.sock') });
  const program = await startStore(data);
  const server = await START[name](program.uri);
  await untilIdle(server);
  const before = residentMb(server.pid);
  const url = `${server.url.replace('http', 'ws')}/graphql`;
  const fleet = await startFleet({ url, size: sockets, query: QUERY, users });
  const idleKb = ((residentMb(server.pid) - before) * 1_024) / sockets;
  const store = await openStore({ uri: program.uri });
  const events = createEvents(store, (number) => ({
    type: 'post.created',
    path: `${NETWORK_ID}/`,
    data: { postId: postId(number) },
  }));
  // Warms up what is compiled on first use.
  for (let warm = 0; warm < 3; warm += 1) await fleet.complete(await events.write(), DELIVERY_TIMEOUT_MS);
  const close = async () => {
    await store.close();
    await fleet.stop();
    await server.stop();
    await program.stop();
  };
  return {
    server: name,
    fleet,
    events,
    idleKb,
    pids: { server: server.pid, store: program.pid, fleet: fleet.pid },
    close,
  };
}

/** Writes an event for each server; the posts in the messages must be equal. */
async function compareMessages(setups: readonly Setup[]): Promise<void> {
  const posts: unknown[] = [];
  for (const { server, fleet, events } of setups) {
    // Every server has received the same number of events, so this one is about the same post.
    if (!(await fleet.complete(await events.write(), DELIVERY_TIMEOUT_MS)))
      throw new Error(`${server} did not deliver an event to every socket`);
    const { last } = await fleet.figures();
    const { payload } = JSON.parse(last) as { payload: { data?: { postCreated: { post: unknown } } } };
    posts.push(payload.data?.postCreated.post);
    if (!posts[0] || !isDeepStrictEqual(posts[0], posts.at(-1)))
      throw new Error(`${server} delivers another message than ${setups[0]!.server}: ${last}`);
  }
}

interface Delivering {
  sockets: number;
  scale: Pick<FanOutScale, 'millisecondsFast' | 'millisecondsSteady'>;
}

async function deliver({ server, fleet, events, pids }: Setup, { sockets, scale }: Delivering): Promise<Figures> {
  const counted: readonly number[] = Object.values(pids);
  const bench = [process.pid, ...runningPids().filter((pid) => !counted.includes(pid))];
  const measured = { servers: [pids.server], store: pids.store, client: pids.fleet, bench };
  const before = usageOf(measured);
  const startedAt = performance.now();
  const { messagesPerSecond, received } = await atFullRate(fleet, events, scale.millisecondsFast);
  const used = usedBetween(before, usageOf(measured));
  const figures = {
    messagesPerSecond,
    serverUs: (used.server * 1_000) / received,
    otherLoad: used.others / (performance.now() - startedAt),
  };
  // An event takes plain loaders longer than the time to the next one.
  if (server === 'graphql-ws, plain loaders') return { ...figures, p50: Number.NaN, p99: Number.NaN, isComplete: true };
  const rate = rateFor(sockets);
  const steady = await atSteadyRate(fleet, events, { rate, milliseconds: scale.millisecondsSteady, sockets });
  return { ...figures, ...steady };
}

interface Rounds {
  own: Setup;
  rounds: ReadonlyArray<Round<Setup, Figures>>;
  sockets: number;
}

function resultOf(setup: Setup, { own, rounds, sockets }: Rounds): FanOutResult {
  const over = (pick: (figures: Figures) => number) => quartilesOf(rounds.map((round) => pick(round.get(setup)!)));
  const p99 = over((figures) => figures.p99);
  return {
    server: setup.server,
    sockets,
    rate: rateFor(sockets),
    messagesPerSecond: over((figures) => figures.messagesPerSecond).median,
    serverUs: over((figures) => figures.serverUs).median,
    otherLoad: over((figures) => figures.otherLoad).median,
    p50: over((figures) => figures.p50).median,
    p99: p99.median,
    p99Quartiles: p99,
    isComplete: rounds.every((round) => round.get(setup)!.isComplete),
    residentMb: residentMb(setup.pids.server),
    idleKb: setup.idleKb,
    subjectRatio: quartilesOf(
      ratiosOf(rounds, { of: own, to: setup, by: ({ messagesPerSecond }) => messagesPerSecond }),
    ),
  };
}
