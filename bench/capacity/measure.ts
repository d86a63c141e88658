import { mkdtemp, rm, stat } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillNetwork } from '../../src/sample/scale.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { freePort } from '../../test/support/free-port.ts';
import { buildPrograms, GATEWAY } from '../build.ts';
import { NETWORK_ID, VIEWERS, viewerId, writeBenchRecords } from '../data.ts';
import { type Program, processorMs, residentMb, run, untilIdle, untilReady } from '../process.ts';
import { GATEWAY_ENV, SECRETS } from '../settings.ts';
import { median, shuffled } from '../stats.ts';
import { startStore } from '../store/servers.ts';
import { measureEvents, measureWriting } from './events.ts';
import { type LoadResult, measureLoad, pause, sendRequest } from './load.ts';
import {
  type Cost,
  capacityFor,
  costOfMix,
  type Inputs,
  OPERATIONS,
  type Operation,
  USERS,
  WORKLOAD,
} from './model.ts';
import { createRequests, cycleOf, type Request } from './requests.ts';

/** A run of the modelled mix of requests, beside what the model says about it. */
export interface Check {
  workers: number;
  /** Users whose requests are sent at the rate of the peak; null: as many requests as the gateway answers. */
  users: number | null;
  connections: number;
  requestsPerSecond: number;
  model: Cost;
  measured: Cost;
}

export interface CapacityReport {
  machine: string;
  date: string;
  /** Load averages of the machine; the run itself adds up to two. */
  loadBefore: number;
  loadAfter: number;
  /** Whether the run only checked that everything works. */
  isSmoke: boolean;
  inputs: Inputs;
  checks: Check[];
}

export interface CapacityScale {
  rounds: number;
  /** Thousands of generated users around the measured records. */
  fill: number;
  /** Durations of one measurement of an operation, of a run of the mix, and of one of events. */
  sliceMs: number;
  mixMs: number;
  eventsMs: number;
}

export const CAPACITY: CapacityScale = { rounds: 5, fill: 1, sliceMs: 2_000, mixMs: 10_000, eventsMs: 8_000 };
export const CAPACITY_SMOKE: CapacityScale = { rounds: 1, fill: 0, sliceMs: 300, mixMs: 1_000, eventsMs: 500 };

const MANY = 32;
/**
 * Memory of a socket with a subscription, as `npm run bench -- --sockets` measures it with 19,500 and 50,000 of them: after other
 * work, a gateway has freed memory that some hundred sockets take.
 */
const SOCKET_KB = 15;
/** Requests of each operation whose events are counted. */
const COUNTED = 20;
/** Measures the inputs of the capacity model, and the mix of requests that it predicts. */
export async function measureCapacity(scale: CapacityScale, progress: (step: string) => void): Promise<CapacityReport> {
  const loadBefore = loadavg()[0]!;
  await buildPrograms();
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-capacity-'));
  const server = await startStore(folder);
  const store = await openStore({ uri: server.uri });
  const bench: Bench = { scale, store, server, progress };
  try {
    progress('records');
    const data = await fillStore(store, scale.fill, folder);
    const writeUs = await measureWriting({ store, storePid: server.pid, milliseconds: scale.eventsMs });
    const { inputs, checks } = await withGateway(bench, 1, async (gateway) => {
      const found = await measureInputs(bench, gateway, { data, writeUs });
      progress('the mix, one worker');
      return {
        inputs: found,
        checks: [
          await checkMix(bench, gateway, { inputs: found, workers: 1, users: USERS[0], run: 1 }),
          await checkMix(bench, gateway, { inputs: found, workers: 1, users: null, run: 2 }),
        ],
      };
    });
    progress('the mix, two workers');
    const check = (gateway: Gateway) => checkMix(bench, gateway, { inputs, workers: 2, users: null, run: 3 });
    checks.push(await withGateway(bench, 2, check));
    return {
      machine: `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}`,
      date: new Date().toISOString().slice(0, 10),
      loadBefore: rounded(loadBefore, 1),
      loadAfter: rounded(loadavg()[0]!, 1),
      isSmoke: scale === CAPACITY_SMOKE,
      inputs,
      checks,
    };
  } finally {
    await store.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

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

interface Known {
  data: Inputs['data'];
  /** Processor time of the store for an event that no gateway reads. */
  writeUs: number;
}

async function measureInputs(bench: Bench, gateway: Gateway, known: Known): Promise<Inputs> {
  const { scale, store, server, progress } = bench;
  const gatewayMb = Math.round(residentMb(gateway.pid));
  const requests = createRequests(gateway.tokens);
  const measure = (operation: Operation, connections: number): Promise<LoadResult> =>
    measureLoad({
      url: gateway.url,
      connections,
      milliseconds: scale.sliceMs,
      next: requests[operation],
      gatewayPid: gateway.pid,
      storePid: server.pid,
    });
  progress('warm-up');
  for (const operation of OPERATIONS) await measure(operation, MANY);
  const events = {} as Record<Operation, number>;
  for (const operation of OPERATIONS) {
    const before = await countEvents(store);
    for (let count = 0; count < COUNTED; count += 1) await sendRequest(gateway.url, requests[operation]());
    events[operation] = ((await countEvents(store)) - before) / COUNTED;
  }
  progress('operations');
  const variants = OPERATIONS.flatMap((operation) => [1, MANY].map((connections) => ({ operation, connections })));
  const results = new Map(variants.map((variant) => [variant, [] as LoadResult[]]));
  for (let round = 0; round < scale.rounds; round += 1) {
    for (const variant of shuffled(variants)) {
      results.get(variant)!.push(await measure(variant.operation, variant.connections));
      await untilIdle(gateway);
    }
  }
  const costsAt = (connections: number): Record<Operation, Cost> => {
    const costs = variants.flatMap((variant) => {
      if (variant.connections !== connections) return [];
      const measured = results.get(variant)!;
      const gatewayUs = Math.round(median(measured.map((result) => result.gatewayUs)));
      return [[variant.operation, { gatewayUs, storeUs: Math.round(median(measured.map((one) => one.storeUs))) }]];
    });
    return Object.fromEntries(costs) as Record<Operation, Cost>;
  };
  progress('events');
  const common = { store, storePid: server.pid, milliseconds: scale.eventsMs, writeUs: known.writeUs };
  const ofEvents = await measureEvents({ ...common, gateway, tokens: gateway.tokens });
  const streamUs = await measureStream(bench, gateway, requests);
  return {
    alone: costsAt(1),
    together: costsAt(MANY),
    events,
    ...ofEvents,
    stream: { gatewayUs: streamUs, storeUs: ofEvents.stream.storeUs },
    memory: { gatewayMb, socketKb: SOCKET_KB },
    data: known.data,
  };
}

const WRITES = ['createPost', 'addReaction', 'sendMessage', 'markRead'] as const;

/** Processor time of a gateway without clients for each event, while another one writes: what it reads of all changes. */
async function measureStream(
  bench: Bench,
  writer: Gateway,
  requests: Record<Operation, () => Request>,
): Promise<number> {
  return withGateway(bench, 1, async (reader) => {
    const idleMs = processorMs(reader.pid);
    const idleFrom = performance.now();
    await pause(3_000);
    const idle = (processorMs(reader.pid) - idleMs) / (performance.now() - idleFrom);
    const [eventsBefore, usedBefore, startedAt] = [
      await countEvents(bench.store),
      processorMs(reader.pid),
      performance.now(),
    ];
    let count = 0;
    await measureLoad({
      url: writer.url,
      connections: 8,
      milliseconds: bench.scale.eventsMs,
      next: () => requests[WRITES[count++ % WRITES.length]!](),
      gatewayPid: writer.pid,
      storePid: bench.server.pid,
    });
    await untilIdle(reader);
    const used = processorMs(reader.pid) - usedBefore - idle * (performance.now() - startedAt);
    return Math.max(1, Math.round((used * 1_000) / ((await countEvents(bench.store)) - eventsBefore)));
  });
}

interface Checking {
  inputs: Inputs;
  workers: number;
  users: number | null;
  /** Distinguishes the runs on one store. */
  run: number;
}

/** Sends the mix of the modelled users, and computes the processor time that the model expects. */
async function checkMix(
  { scale, server }: Bench,
  gateway: Gateway,
  { inputs, workers, users, run }: Checking,
): Promise<Check> {
  const requests = createRequests(gateway.tokens, run);
  const cycle = cycleOf(WORKLOAD.perMinute, 400);
  let count = 0;
  const connections = MANY * workers;
  const load = {
    url: gateway.url,
    connections,
    next: () => requests[cycle[count++ % cycle.length]!](),
    gatewayPid: gateway.pid,
    storePid: server.pid,
    ...(users !== null && { rate: capacityFor(inputs, users).requestsPerSecond }),
  };
  await measureLoad({ ...load, connections: 4 * workers, milliseconds: scale.mixMs / 2 });
  const { requestsPerSecond, gatewayUs, storeUs } = await measureLoad({ ...load, milliseconds: scale.mixMs });
  const model = costOfMix(inputs, { shares: WORKLOAD.perMinute, isAlone: users !== null, gateways: workers });
  return {
    workers,
    users,
    connections,
    requestsPerSecond: Math.round(requestsPerSecond),
    model: { gatewayUs: Math.round(model.gatewayUs), storeUs: Math.round(model.storeUs) },
    measured: { gatewayUs: Math.round(gatewayUs), storeUs: Math.round(storeUs) },
  };
}

/** Fills the store. @returns its size for each user of the generated network, or of the measured records without one */
async function fillStore({ collections, db }: Store, scale: number, folder: string): Promise<Inputs['data']> {
  if (scale > 0) await fillNetwork({ collections, networkId: NETWORK_ID, scale });
  else await writeBenchRecords(collections);
  const users = await collections.users.countDocuments({ networkId: NETWORK_ID });
  let recordBytes = 0;
  for (const name of Object.keys(collections)) {
    for await (const record of db.collection(name).find({}, { raw: true })) recordBytes += record.length;
  }
  const { size } = await stat(join(folder, 'store.mdb'));
  if (scale > 0) await writeBenchRecords(collections);
  return { recordBytes: Math.round(recordBytes / users), indexBytes: Math.round((size - recordBytes) / users) };
}

const countEvents = (store: Store): Promise<number> =>
  store.collections.events.countDocuments({ networkId: NETWORK_ID });

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));
