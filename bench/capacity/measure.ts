import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../src/store/store.ts';
import { buildPrograms } from '../build.ts';
import { residentMb } from '../process.ts';
import { startStore } from '../store/servers.ts';
import { measureEvents } from './events.ts';
import { sendRequest } from './load.ts';
import { costsIn, createMixes, MANY, measureMixes, REGIMES, type Regime, type Results, warmUp } from './mixes.ts';
import { type Cost, costOfMix, type Inputs, OPERATIONS, type Operation, USERS, WORKLOAD } from './model.ts';
import type { Simulated } from './scenarios.ts';
import { type Bench, CAPACITY_SMOKE, type CapacityScale, countEvents, type Gateway, withGateway } from './setup.ts';
import { fillStore } from './sizes.ts';
import { measureStream } from './stream.ts';

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
  inputs: Inputs;
  /** Names of inputs that are differences, and were not positive. They count as the smallest positive value. */
  belowNoise: string[];
  checks: Check[];
  simulations: Simulated[];
}

/** Requests of each operation whose events are counted. */
const COUNTED = 20;
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

const roundedCost = ({ gatewayUs, storeUs }: Cost): Cost => ({
  gatewayUs: Math.round(gatewayUs),
  storeUs: Math.round(storeUs),
});
const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));
