import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from 'lmdb';
import { fillNetwork } from '../../src/sample/scale.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { freePort } from '../../test/support/free-port.ts';
import { buildPrograms, GATEWAY } from '../build.ts';
import { NETWORK_ID, type RecordSet, VIEWERS, viewerId, writeBenchRecords, writeManyCommunities } from '../data.ts';
import { type Program, residentMb, run, untilIdle, untilReady } from '../process.ts';
import { GATEWAY_ENV, SECRETS } from '../settings.ts';
import { median, shuffled } from '../stats.ts';
import { startStore } from '../store/servers.ts';
import { measureEvents, writeEvents } from './events.ts';
import { type LoadResult, measureLoad, pause, sendRequest, treeMs } from './load.ts';
import {
  type Cost,
  costOfMix,
  costsFromMixes,
  type Inputs,
  OPERATIONS,
  type Operation,
  requestsPerSecondOf,
  USERS,
  WORKLOAD,
} from './model.ts';
import { createRequests, cycleOf } from './requests.ts';
import type { Simulated } from './scenarios.ts';

/** A run of the modelled mix of requests, beside what the model says about it. */
export interface Check {
  workers: number;
  /** Users whose requests are sent at the rate of the peak; null: as many requests as the gateway answers. */
  users: number | null;
  connections: number;
  requestsPerSecond: number;
  model: Cost;
  measured: Cost;
  /** The prediction may be this share above or below the measured cost. */
  tolerance: number;
}

export interface CapacityReport {
  machine: string;
  date: string;
  /** Load averages of the machine; the run itself adds up to two. */
  loadBefore: number;
  loadAfter: number;
  /** Whether the run only checked that everything works. */
  isSmoke: boolean;
  /** How the figures differ from those of this version of the bench. */
  note?: string;
  inputs: Inputs;
  /** Names of inputs that are differences, and were not positive. They count as the smallest positive value. */
  belowNoise: string[];
  checks: Check[];
  simulations: Simulated[];
}

export interface CapacityScale {
  rounds: number;
  /** Thousands of generated users around the measured records. */
  fill: number;
  /** The communities of the requests. */
  set: RecordSet;
  /** Longest time for which a gateway is warmed up. */
  warmUpMs: number;
  /** Durations of one measurement of requests at a low rate, of one at a high rate, and of one of events. */
  lightMs: number;
  busyMs: number;
  eventsMs: number;
}

export const CAPACITY: CapacityScale = {
  rounds: 5,
  fill: 1,
  set: { name: 'many', communities: 120, postsEach: 20 },
  warmUpMs: 60_000,
  lightMs: 3_000,
  busyMs: 2_500,
  eventsMs: 4_000,
};
export const CAPACITY_SMOKE: CapacityScale = {
  rounds: 1,
  fill: 0,
  set: { name: 'many', communities: 33, postsEach: 2 },
  warmUpMs: 1_000,
  lightMs: 400,
  busyMs: 300,
  eventsMs: 300,
};

/** Concurrent requests of a busy gateway. */
const MANY = 32;
/** Requests of each operation whose events are counted. */
const COUNTED = 20;
/** Part of the requests that are of one operation, while the others are of the whole mix. */
const PART = 0.5;
/** Events per second, and processes that read them, while the cost of reading for the store is measured. */
const STREAM_RATE = 150;
const READERS = 4;
/** Of the costs of one process, and of two, which compete with each other and with the store for two cores. */
const TOLERANCE = { one: 0.25, two: 0.5 } as const;

/** Measures the inputs of the capacity model, and the mix of requests that it predicts. */
export async function measureCapacity(
  scale: CapacityScale,
  progress: (step: string) => void,
): Promise<Omit<CapacityReport, 'simulations'>> {
  const loadBefore = loadavg()[0]!;
  await buildPrograms();
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-capacity-'));
  const server = await startStore(folder);
  const store = await openStore({ uri: server.uri, timeoutMs: FILL_TIMEOUT_MS });
  const bench: Bench = { scale, store, server, progress };
  try {
    progress('records');
    const data = await fillStore(bench, folder);
    const { inputs, belowNoise, checks } = await withGateway(bench, 1, (gateway) => measureOne(bench, gateway, data));
    progress('two workers');
    checks.push(...(await withGateway(bench, 2, (gateway) => checkTwo(bench, gateway, inputs))));
    return {
      machine: `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}`,
      date: new Date().toISOString().slice(0, 10),
      loadBefore: rounded(loadBefore, 1),
      loadAfter: rounded(loadavg()[0]!, 1),
      isSmoke: scale === CAPACITY_SMOKE,
      inputs,
      belowNoise,
      checks,
    };
  } finally {
    await store.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A batch takes a fraction of a second, but the machine may be busy for minutes. */
const FILL_TIMEOUT_MS = 600_000;

interface Bench {
  scale: CapacityScale;
  store: Store;
  server: Program & { uri: string };
  progress: (step: string) => void;
}

interface Gateway extends Program {
  url: string;
  tokens: string[];
}

async function withGateway<Result>(
  { server }: Bench,
  workers: number,
  work: (gateway: Gateway) => Promise<Result>,
): Promise<Result> {
  const port = await freePort();
  const env = { ...GATEWAY_ENV, MONGODB_URI: server.uri, PORT: String(port), WORKERS: String(workers) };
  const program = run(GATEWAY, env);
  const url = `http://127.0.0.1:${port}`;
  try {
    await untilReady(`${url}/readyz`, program);
    const tokens = await Promise.all(Array.from({ length: VIEWERS }, (_, index) => signIn(url, index)));
    await untilIdle(program);
    return await work({ ...program, url, tokens });
  } finally {
    await program.stop();
  }
}

async function signIn(url: string, index: number): Promise<string> {
  const response = await fetch(`${url}/api/v5/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': SECRETS.API_KEY },
    body: JSON.stringify({ userId: viewerId(index), deviceId: `capacity-${index}` }),
  });
  const { accessToken } = (await response.json()) as { accessToken?: string };
  if (!accessToken) throw new Error(`${viewerId(index)} could not sign in: ${response.status}`);
  return accessToken;
}

/** How many requests a gateway has to serve: those of the smallest number of users, or as many as it answers. */
type Regime = 'light' | 'busy';
const REGIMES: readonly Regime[] = ['light', 'busy'];

/** A mix of requests, of which a part may be of one operation. */
interface Mix {
  regime: Regime;
  operation: Operation | null;
}

/** Sends mixes of requests, each of which continues where it stopped. */
function createMixes({ scale, server }: Bench, gateway: Gateway, { workers, run }: { workers: number; run: number }) {
  const requests = createRequests(gateway.tokens, scale.set, run);
  const operations = new Map<Operation | null, () => Operation>();
  for (const operation of [null, ...OPERATIONS]) {
    const cycle = cycleOf(sharesWith(operation), 1_200);
    let count = 0;
    operations.set(operation, () => cycle[count++ % cycle.length]!);
  }
  const send = ({ regime, operation }: Mix, milliseconds?: number): Promise<LoadResult> =>
    measureLoad({
      url: gateway.url,
      connections: MANY * workers,
      next: () => requests[operations.get(operation)!()](),
      gatewayPid: gateway.pid,
      storePid: server.pid,
      ...(regime === 'light'
        ? { milliseconds: milliseconds ?? scale.lightMs, rate: requestsPerSecondOf(USERS[0] * workers) }
        : { milliseconds: milliseconds ?? scale.busyMs }),
    });
  return { requests, send };
}

type Mixes = ReturnType<typeof createMixes>;

function sharesWith(operation: Operation | null): Record<Operation, number> {
  const shares = WORKLOAD.perMinute;
  if (operation === null) return shares;
  const total = OPERATIONS.reduce((sum, each) => sum + shares[each], 0);
  const mixed = OPERATIONS.map((each) => [each, ((1 - PART) * shares[each]) / total + (each === operation ? PART : 0)]);
  return Object.fromEntries(mixed) as Record<Operation, number>;
}

/**
 * Sends requests until the processes have compiled what they execute often, and their cost no longer falls: the first
 * requests of a process take several times as long.
 */
async function warmUp({ scale }: Bench, { send }: Mixes, workers: number): Promise<void> {
  const startedAt = performance.now();
  let [least, sent] = [Number.POSITIVE_INFINITY, 0];
  while (performance.now() - startedAt < scale.warmUpMs) {
    const { gatewayUs, requests } = await send({ regime: 'busy', operation: null }, scale.busyMs * 2);
    sent += requests;
    if (sent >= WARM_REQUESTS * workers && gatewayUs > 0.95 * least) return;
    least = Math.min(least, gatewayUs);
  }
}

/** Requests after which a process has compiled what it executes often. */
const WARM_REQUESTS = 3_000;

async function measureOne(
  bench: Bench,
  gateway: Gateway,
  data: Inputs['data'],
): Promise<Pick<CapacityReport, 'inputs' | 'belowNoise' | 'checks'>> {
  const { scale, store, progress } = bench;
  const mixes = createMixes(bench, gateway, { workers: 1, run: 0 });
  progress('warm-up');
  await warmUp(bench, mixes, 1);
  const events = {} as Record<Operation, number>;
  for (const operation of OPERATIONS) {
    const before = await countEvents(store);
    for (let count = 0; count < COUNTED; count += 1) await sendRequest(gateway.url, mixes.requests[operation]());
    events[operation] = ((await countEvents(store)) - before) / COUNTED;
  }
  progress('operations, and their mix');
  const costs = await measureMixes(bench, gateway, { mixes, of: [null, ...OPERATIONS] });
  const gatewayMb = Math.round(residentMb(gateway.pid));
  progress('the change stream');
  const stream = await measureStream(bench, gateway, mixes);
  progress('events');
  const ofEvents = await measureEvents({
    store,
    gateway,
    tokens: gateway.tokens,
    rounds: Math.ceil(scale.rounds / 2),
    milliseconds: scale.eventsMs,
  });
  const { positive, belowNoise } = createNoiseCheck();
  const positiveCost = (name: string, { gatewayUs, storeUs }: Cost): Cost => ({
    gatewayUs: positive(`${name}, gateway`, gatewayUs),
    storeUs: positive(`${name}, store`, storeUs),
  });
  const operationCosts = (regime: Regime): Record<Operation, Cost> => {
    const found = costsIn(costs, regime);
    const entries = OPERATIONS.map((operation) => [
      operation,
      positiveCost(`${operation}, ${regime}`, found[operation]),
    ]);
    return Object.fromEntries(entries) as Record<Operation, Cost>;
  };
  const inputs: Inputs = {
    light: operationCosts('light'),
    busy: operationCosts('busy'),
    events,
    stream: positiveCost('reading an event', stream),
    rendering: { gatewayUs: positive('rendering an event', ofEvents.rendering.gatewayUs) },
    delivery: { gatewayUs: positive('delivering an event', ofEvents.delivery.gatewayUs, 1) },
    memory: { gatewayMb },
    data,
  };
  return { inputs, belowNoise, checks: REGIMES.map((regime) => checkOf(costs, { inputs, regime, workers: 1 })) };
}

/** Rounds inputs, and collects the names of those that are not positive. */
function createNoiseCheck() {
  const belowNoise: string[] = [];
  const positive = (name: string, value: number, digits = 0): number => {
    const result = rounded(value, digits);
    if (result > 0) return result;
    belowNoise.push(name);
    return 10 ** -digits;
  };
  return { positive, belowNoise };
}

async function checkTwo(bench: Bench, gateway: Gateway, inputs: Inputs): Promise<Check[]> {
  const mixes = createMixes(bench, gateway, { workers: 2, run: 1 });
  await warmUp(bench, mixes, 2);
  const costs = await measureMixes(bench, gateway, { mixes, of: [null] });
  return REGIMES.map((regime) => checkOf(costs, { inputs, regime, workers: 2 }));
}

type Results = Array<Mix & { cost: LoadResult }>;

/** Measures mixes in rounds, each in another order, so that a change of the machine affects all of them. */
async function measureMixes(
  { scale }: Bench,
  gateway: Gateway,
  { mixes, of }: { mixes: Mixes; of: ReadonlyArray<Operation | null> },
): Promise<Results> {
  const variants = of.flatMap((operation) => REGIMES.map((regime): Mix => ({ operation, regime })));
  const results = variants.map(() => [] as LoadResult[]);
  for (let round = 0; round < scale.rounds; round += 1) {
    for (const index of shuffled([...variants.keys()])) {
      results[index]!.push(await mixes.send(variants[index]!));
      await untilIdle(gateway);
    }
  }
  return variants.map((variant, index) => {
    const medianOf = (key: keyof LoadResult) => median(results[index]!.map((result) => result[key]));
    const [requests, requestsPerSecond] = [medianOf('requests'), medianOf('requestsPerSecond')];
    const cost = { requests, requestsPerSecond, gatewayUs: medianOf('gatewayUs'), storeUs: medianOf('storeUs') };
    return { ...variant, cost };
  });
}

function costsIn(results: Results, regime: Regime): Record<Operation, Cost> {
  const costOf = (operation: Operation): Cost =>
    results.find((result) => result.regime === regime && result.operation === operation)!.cost;
  const mixes = Object.fromEntries(OPERATIONS.map((operation) => [operation, costOf(operation)]));
  return costsFromMixes(mixes as Record<Operation, Cost>, { shares: WORKLOAD.perMinute, part: PART });
}

interface Checking {
  inputs: Inputs;
  regime: Regime;
  workers: number;
}

function checkOf(results: Results, { inputs, regime, workers }: Checking): Check {
  const { cost } = results.find((result) => result.regime === regime && result.operation === null)!;
  const isLight = regime === 'light';
  return {
    workers,
    users: isLight ? USERS[0] * workers : null,
    connections: MANY * workers,
    requestsPerSecond: Math.round(cost.requestsPerSecond),
    model: roundedCost(costOfMix(inputs, { shares: WORKLOAD.perMinute, isLight, gateways: workers })),
    measured: roundedCost(cost),
    tolerance: workers === 1 ? TOLERANCE.one : TOLERANCE.two,
  };
}

/**
 * What reading the change stream costs each gateway and the store, for each event of the mix: further gateways read what
 * this one writes. They read every change, not only events.
 */
async function measureStream(bench: Bench, writer: Gateway, mixes: Mixes): Promise<Inputs['stream']> {
  const { store, server, scale } = bench;
  const storeMsPerEvent = async () => {
    const idle = await idleMs(server.pid);
    const [before, startedAt] = [treeMs(server.pid), performance.now()];
    const written = await writeEvents(store, {
      type: 'post.deleted',
      rate: STREAM_RATE,
      milliseconds: scale.eventsMs * 2,
    });
    return (treeMs(server.pid) - before - idle * (performance.now() - startedAt)) / written;
  };
  const withOne = await storeMsPerEvent();
  return withGateway(bench, READERS, async (readers) => {
    await mixes.send({ regime: 'busy', operation: null });
    await untilIdle(readers);
    const withAll = await storeMsPerEvent();
    const idle = await idleMs(readers.pid);
    const [eventsBefore, before, startedAt] = [await countEvents(store), treeMs(readers.pid), performance.now()];
    await mixes.send({ regime: 'busy', operation: null }, scale.eventsMs * 2);
    await untilIdle(writer);
    const used = treeMs(readers.pid) - before - idle * (performance.now() - startedAt);
    const events = (await countEvents(store)) - eventsBefore;
    return {
      gatewayUs: (used * 1_000) / events / READERS,
      storeUs: ((withAll - withOne) * 1_000) / READERS,
    };
  });
}

/** Processor time of an idle program, for each unit of time. */
async function idleMs(pid: number): Promise<number> {
  const [before, startedAt] = [treeMs(pid), performance.now()];
  await pause(3_000);
  return (treeMs(pid) - before) / (performance.now() - startedAt);
}

/** Fills the store. @returns its size for each user of the generated network, or of the measured records without one */
async function fillStore({ store: { collections, db }, scale }: Bench, folder: string): Promise<Inputs['data']> {
  if (scale.fill > 0) await fillNetwork({ collections, networkId: NETWORK_ID, scale: scale.fill });
  else await writeBenchRecords(collections);
  const users = await collections.users.countDocuments({ networkId: NETWORK_ID });
  let recordBytes = 0;
  for (const name of Object.keys(collections)) {
    for await (const record of db.collection(name).find({}, { raw: true })) recordBytes += record.length;
  }
  const [recordPages, indexPages] = await pagesOf(folder, ['records', 'entries']);
  if (scale.fill > 0) await writeBenchRecords(collections);
  await writeManyCommunities(collections, scale.set);
  const perUser = (bytes: number) => Math.round(bytes / users);
  return {
    recordBytes: perUser(recordBytes),
    recordPageBytes: perUser(recordPages!),
    indexBytes: perUser(indexPages!),
  };
}

/** What LMDB reports about a table; its types omit it. */
interface TableStats {
  pageSize: number;
  treeBranchPageCount: number;
  treeLeafPageCount: number;
  overflowPages: number;
}

/** Bytes that tables of the embedded store occupy in its file, which also contains the change log and free pages. */
async function pagesOf(folder: string, tables: readonly string[]): Promise<number[]> {
  const binary = { keyEncoding: 'binary', encoding: 'binary' } as const;
  const root = open({ path: join(folder, 'store.mdb'), noSubdir: true, readOnly: true, ...binary });
  try {
    return tables.map((name) => {
      const stats = root.openDB({ name, ...binary }).getStats() as TableStats;
      return (stats.treeBranchPageCount + stats.treeLeafPageCount + stats.overflowPages) * stats.pageSize;
    });
  } finally {
    await root.close();
  }
}

const countEvents = (store: Store): Promise<number> =>
  store.collections.events.countDocuments({ networkId: NETWORK_ID });

const roundedCost = ({ gatewayUs, storeUs }: Cost): Cost => ({
  gatewayUs: Math.round(gatewayUs),
  storeUs: Math.round(storeUs),
});
const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));
