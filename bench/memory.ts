import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../test/support/free-port.ts';
import { GATEWAY } from './build.ts';
import { communityId, FEW, postId, VIEWERS } from './data.ts';
import { type Call, slice } from './http/load.ts';
import { PAGE_DOCUMENT } from './http/page.ts';
import { fill } from './http/reads.ts';
import { signIn, startGateway, startHandWritten } from './http/servers.ts';
import { createWriteCalls, WRITE_NAMES, type WriterName } from './http/writes.ts';
import { ownMb, type Program, residentMb, run, untilReady } from './process.ts';
import { GATEWAY_ENV, type Scale } from './settings.ts';
import { median } from './stats.ts';
import { startStore } from './store/servers.ts';

export interface MemoryScale {
  /** Pause between readiness and the second figure. */
  idleMs: number;
  /** Duration of mixed reads and writes. */
  loadMs: number;
  connections: number;
}

/** Resident memory in MB, and the part that is not mapped from files. */
export interface Figure {
  residentMb: number;
  ownMb: number;
}

/** Bounds of the gateway in MB: when it is ready, a minute later, and after ten minutes of load. */
export const MEMORY_BOUNDS = { ready: 160, idle: 160, loaded: 250 };

export interface MemoryResult {
  name: string;
  readyMs: number;
  ready: Figure;
  idle: Figure;
  /** Under load, if there was any. */
  load?: LoadResult;
}

interface LoadResult {
  /** Maximum; median of the last tenth; value half a minute later. */
  peak: Figure;
  loaded: Figure;
  afterwards: Figure;
  requestsPerSecond: number;
  /** Processor time per request in microseconds, including the store. */
  requestUs: number;
}

export interface MemoryReport {
  results: MemoryResult[];
  faults: string[];
}

/**
 * Memory of the gateway with its store in one process, as `npm start` runs it, and of a hand-written handler with the
 * same store in a separate process: when ready, after a pause, and under mixed reads and writes. A first start in
 * development, which writes the sample network, is measured without load.
 */
export async function measureMemory(
  scale: Scale,
  memory: MemoryScale,
  progress: (step: string) => void,
): Promise<MemoryReport> {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-bench-'));
  try {
    const own = join(folder, 'gateway');
    const byHand = join(folder, 'hand-written');
    const tokens = [await fillFolder(join(own, 'store'), scale), await fillFolder(byHand, scale)] as const;
    progress('records written');
    const gateway = [
      await measureFirstStart(join(folder, 'first'), memory),
      await measureGateway(own, { memory, tokens: tokens[0] }),
    ];
    for (const result of gateway) progress(JSON.stringify(result));
    const results = [...gateway, await measureHandWritten(byHand, { memory, tokens: tokens[1] })];
    return { results, faults: gateway.flatMap(faultsOf) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function faultsOf({ name, ready, idle, load }: MemoryResult): string[] {
  const figures = { ready, idle, ...(load && { loaded: load.loaded }) };
  return Object.entries(figures).flatMap(([when, { residentMb }]) => {
    const bound = MEMORY_BOUNDS[when as keyof typeof MEMORY_BOUNDS];
    // Also when the system reports no memory: then no bound is shown to hold.
    return residentMb <= bound ? [] : [`${name}, ${when}: ${Math.round(residentMb)} MB, above ${bound} MB`];
  });
}

/** Fills the folder of a store. @returns tokens of the viewers, whose sessions are in it */
async function fillFolder(folder: string, scale: Scale): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const store = await startStore(folder);
  try {
    await fill(store.uri, scale);
    const gateway = await startGateway(store.uri);
    return await signIn(gateway.url).finally(() => gateway.stop());
  } finally {
    await store.stop();
  }
}

interface Measuring {
  memory: MemoryScale;
  tokens: readonly string[];
}

async function measureFirstStart(folder: string, memory: MemoryScale): Promise<MemoryResult> {
  const port = await freePort();
  const gateway = run(GATEWAY, { PORT: String(port), DATA_DIR: folder });
  try {
    const readyMs = await untilReady(`http://127.0.0.1:${port}/readyz`, gateway);
    const ready = figureOf([gateway]);
    await pause(memory.idleMs);
    return { name: 'gateway, first start', readyMs, ready, idle: figureOf([gateway]) };
  } finally {
    await gateway.stop();
  }
}

async function measureGateway(folder: string, { memory, tokens }: Measuring): Promise<MemoryResult> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const gateway = run(GATEWAY, { ...GATEWAY_ENV, PORT: String(port), DATA_DIR: folder });
  try {
    const readyMs = await untilReady(`${url}/readyz`, gateway);
    const ready = figureOf([gateway]);
    await pause(memory.idleMs);
    const idle = figureOf([gateway]);
    const load = await underLoad([gateway], { url, server: 'gateway', tokens, memory });
    return { name: 'gateway with its store', readyMs, ready, idle, load };
  } finally {
    await gateway.stop();
  }
}

async function measureHandWritten(folder: string, { memory, tokens }: Measuring): Promise<MemoryResult> {
  const startedAt = performance.now();
  const store = await startStore(folder);
  const gateway = await startHandWritten(store.uri);
  const programs = [gateway, store];
  try {
    const readyMs = performance.now() - startedAt;
    const ready = figureOf(programs);
    await pause(memory.idleMs);
    const idle = figureOf(programs);
    const load = await underLoad(programs, { url: gateway.url, server: 'hand-written', tokens, memory });
    return { name: 'hand-written handler and store', readyMs, ready, idle, load };
  } finally {
    await gateway.stop();
    await store.stop();
  }
}

interface Loading extends Measuring {
  url: string;
  server: WriterName;
}

/** The server comes first. */
async function underLoad(programs: readonly Program[], { url, server, tokens, memory }: Loading): Promise<LoadResult> {
  const { pid } = programs[0]!;
  const samples: Figure[] = [];
  const sampling = setInterval(() => samples.push(figureOf(programs)), 100);
  try {
    const { requestsPerSecond, serverUs, storeUs } = await slice({
      url,
      connections: memory.connections,
      milliseconds: memory.loadMs,
      call: mixedCalls(server, tokens),
      servers: [pid],
      store: programs.at(-1)!.pid,
    });
    clearInterval(sampling);
    const over = (of: readonly Figure[], pick: (values: number[]) => number): Figure => ({
      residentMb: pick(of.map(({ residentMb }) => residentMb)),
      ownMb: pick(of.map(({ ownMb }) => ownMb)),
    });
    const peak = over(samples, (values) => Math.max(...values));
    const loaded = over(samples.slice(-Math.ceil(samples.length / 10)), median);
    await pause(memory.idleMs / 2);
    const requestUs = programs.length === 1 ? serverUs : serverUs + storeUs;
    return { peak, loaded, afterwards: figureOf(programs), requestsPerSecond, requestUs };
  } finally {
    clearInterval(sampling);
  }
}

/** Two reads of a post, two of a page, and one of each write, in turn. */
function mixedCalls(server: WriterName, tokens: readonly string[]): (index: number) => Call {
  const write = createWriteCalls(tokens, FEW);
  const writes = WRITE_NAMES.map((name) => () => write(server, name));
  const headersOf = (index: number) => ({
    authorization: `Bearer ${tokens[index % VIEWERS]!}`,
    'content-type': 'application/json',
  });
  const readPost = (index: number): Call => ({
    method: 'GET',
    path: `/api/v3/posts/${postId(index * 7)}`,
    headers: headersOf(index),
  });
  const readPage = (index: number): Call => ({
    method: 'POST',
    path: '/graphql',
    headers: headersOf(index),
    body: JSON.stringify({ query: PAGE_DOCUMENT, variables: { communityId: communityId(index) } }),
  });
  const kinds = writes.flatMap((write, index) => [write, index % 2 === 0 ? readPost : readPage]);
  return (index) => kinds[index % kinds.length]!(index);
}

function figureOf(programs: readonly Program[]): Figure {
  const sum = (of: (pid: number) => number) => programs.reduce((total, { pid }) => total + of(pid), 0);
  return { residentMb: sum(residentMb), ownMb: sum(ownMb) };
}
