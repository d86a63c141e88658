import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../src/store/store.ts';
import { freePort } from '../../test/support/free-port.ts';
import { GATEWAY } from '../build.ts';
import { NETWORK_ID, postId } from '../data.ts';
import { fill } from '../http/reads.ts';
import { processesOf, type Server, startServer } from '../http/servers.ts';
import { residentMb, untilIdle } from '../process.ts';
import { latenciesOf } from '../stats.ts';
import { startStore } from '../store/servers.ts';
import { table } from '../table.ts';
import { createEvents, DELIVERY_TIMEOUT_MS, type Events, signInSubscribers } from './delivery.ts';
import { type Fleet, type FleetUser, startFleet } from './fleet.ts';

export interface ManySocketsScale {
  /** Sockets of one gateway, or of `WORKERS` that share a port: a process has as many sockets as it may open files. */
  held: ReadonlyArray<{ sockets: number; workers: number }>;
  /** Events that are delivered to all of them, one after the other. */
  events: number;
  /** Subscribers that return to a gateway after it was killed, and the events written before it runs again. */
  returning: { sockets: number; missed: number };
}

/** Subscribed sockets that stay open. */
export interface Held {
  sockets: number;
  workers: number;
  /** Resident memory of all gateway processes, and of one socket with its subscription. */
  residentMb: number;
  idleKb: number;
  /** From the write of an event to the last subscriber. */
  p50: number;
  p99: number;
}

export interface Returning {
  sockets: number;
  missed: number;
  /** From the first `200` of `/readyz` until every subscriber has every event that it missed, in order and once. */
  backMs: number;
}

export interface ManySocketsReport {
  held: Held[];
  returning: Returning;
  faults: string[];
}

const MAX_IDLE_KB = 16;
const MAX_BACK_MS = 5_000;
/** Longer than the bound, so that a slower return is reported. */
const RETURN_TIMEOUT_MS = 180_000;
/** Subscribers of one process, which have an address of their own. */
const FLEET = 10_000;
/** Users of one process of subscribers; each has at most 100 sockets. */
const USERS_EACH = 128;
const QUERY = 'subscription { postCreated { id cursor path post { postId data { text } } } }';
/** Events that the gateway of the returning subscribers delivers before it is killed: clients then have a cursor. */
const BEFORE = 2;

/** Holds thousands of subscribed sockets, and measures how fast subscribers are back after a crash of the gateway. */
export async function measureManySockets(
  { held, events: count, returning }: ManySocketsScale,
  progress: (step: string) => void,
): Promise<ManySocketsReport> {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-bench-'));
  const program = await startStore(folder);
  const store = await openStore({ uri: program.uri });
  try {
    await fill(program.uri, { fill: 0 });
    const fleets = Math.ceil(Math.max(returning.sockets, ...held.map(({ sockets }) => sockets)) / FLEET);
    const users = await signInSubscribers(program.uri, (index) => `bench-subscriber-${index}`, fleets * USERS_EACH);
    const events = createEvents(store, (number) => ({
      type: 'post.created',
      path: `${NETWORK_ID}/`,
      data: { postId: postId(number) },
    }));
    // First, because the addresses that the others choose leave no port to clients that choose none.
    progress(`${returning.sockets.toLocaleString('en')} subscribers return`);
    const back = await measureReturn(returning, { uri: program.uri, users, events });
    const measured: Held[] = [];
    for (const size of held) {
      progress(`${size.sockets.toLocaleString('en')} sockets, WORKERS=${size.workers}`);
      measured.push(await hold(size, { uri: program.uri, users, events, count }));
    }
    return { held: measured, returning: back, faults: faultsOf(measured, back) };
  } finally {
    await store.close();
    await program.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Parts {
  uri: string;
  users: readonly FleetUser[];
  events: Events;
}

async function hold(
  { sockets, workers }: { sockets: number; workers: number },
  { uri, users, events, count }: Parts & { count: number },
): Promise<Held> {
  const server = await startServer(GATEWAY, { uri, ready: '/readyz', env: { WORKERS: String(workers) } });
  const fleets: Fleet[] = [];
  try {
    const processes = await processesOf(server, workers > 1 ? workers : 0);
    for (const pid of processes) await untilIdle({ pid });
    const memory = () => processes.reduce((sum, pid) => sum + residentMb(pid), 0);
    const before = memory();
    for (let first = 0; first < sockets; first += FLEET) {
      const size = Math.min(FLEET, sockets - first);
      fleets.push(await startFleet({ url: socketUrl(server), size, query: QUERY, ...partOf(fleets.length, users) }));
    }
    const idleKb = ((memory() - before) * 1_024) / sockets;
    await deliver(events, fleets, 1);
    for (const fleet of fleets) fleet.begin();
    await deliver(events, fleets, count);
    const figures = await Promise.all(fleets.map((fleet) => fleet.figures()));
    return {
      sockets,
      workers,
      residentMb: memory(),
      idleKb,
      ...latenciesOf(figures.flatMap(({ latencies }) => latencies)),
    };
  } finally {
    for (const fleet of fleets) await fleet.stop();
    await server.stop();
  }
}

const socketUrl = ({ url }: Server): string => `${url.replace('http', 'ws')}/graphql`;
/** The users and the address of one process of subscribers. Every address that begins with 127 is this machine. */
const partOf = (fleet: number, users: readonly FleetUser[]) => ({
  users: users.slice(fleet * USERS_EACH, (fleet + 1) * USERS_EACH),
  address: `127.0.0.${fleet + 2}`,
});

/** @throws when a subscriber does not receive an event */
async function deliver(events: Events, fleets: readonly Fleet[], count: number): Promise<void> {
  for (let event = 0; event < count; event += 1) await untilReceived(fleets, await events.write());
}

async function untilReceived(fleets: readonly Fleet[], event: number, withinMs = DELIVERY_TIMEOUT_MS): Promise<void> {
  const outcomes = await Promise.all(fleets.map((fleet) => fleet.complete(event, withinMs)));
  if (!outcomes.every(Boolean)) throw new Error(`Event ${event} did not reach every subscriber.`);
}

async function measureReturn(
  { sockets, missed }: ManySocketsScale['returning'],
  { uri, users, events }: Parts,
): Promise<Returning> {
  const port = await freePort();
  // The clients of a benchmark share one address. They do not choose it: after thousands of connections were closed, the
  // system takes a millisecond to find a free port of a chosen address, and the clients would be slower than the gateway.
  const env = { CONNECTIONS_PER_ADDRESS: '0' };
  const start = () => startServer(GATEWAY, { uri, ready: '/readyz', port, env });
  let server = await start();
  const { address: _, ...part } = partOf(0, users);
  const fleet = await startFleet({ url: socketUrl(server), size: sockets, query: QUERY, ...part, reconnects: true });
  try {
    await deliver(events, [fleet], BEFORE);
    await server.kill();
    let last = 0;
    for (let event = 0; event < missed; event += 1) last = await events.write();
    server = await start();
    const startedAt = performance.now();
    await untilReceived([fleet], last, RETURN_TIMEOUT_MS);
    const backMs = performance.now() - startedAt;
    // The subscriptions continue.
    await deliver(events, [fleet], 1);
    return { sockets, missed, backMs };
  } finally {
    await fleet.stop();
    await server.stop();
  }
}

function faultsOf(held: readonly Held[], { backMs, sockets }: Returning): string[] {
  const large = held.filter(({ idleKb }) => idleKb > MAX_IDLE_KB);
  return [
    ...large.map((one) => `${name(one)}: ${one.idleKb.toFixed(1)} KB for each, not ${MAX_IDLE_KB}`),
    ...(backMs > MAX_BACK_MS
      ? [
          `${sockets.toLocaleString('en')} subscribers were back after ${(backMs / 1_000).toFixed(1)} s, not ${MAX_BACK_MS / 1_000}`,
        ]
      : []),
  ];
}

const name = ({ sockets, workers }: Held): string => `${sockets.toLocaleString('en')} sockets, WORKERS=${workers}`;

export function printManySockets({ held, returning, faults }: ManySocketsReport): string {
  const rows = held.map((one) => [name(one), Math.round(one.residentMb), one.idleKb, one.p50, one.p99]);
  const { sockets, missed, backMs } = returning;
  return [
    'Subscribed sockets that are held, one event at a time to all of them',
    table(['', 'RSS MB', 'KB each', 'p50 ms', 'p99 ms'], rows),
    `After kill -9, ${sockets.toLocaleString('en')} subscribers had all ${missed} missed events, in order and once, ` +
      `${(backMs / 1_000).toFixed(1)} s after the gateway was ready again.`,
    ...(faults.length > 0 ? faults.map((fault) => `Exceeded: ${fault}`) : ['All bounds hold.']),
  ].join('\n');
}
