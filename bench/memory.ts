import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { GATEWAY } from './build.ts';
import { communityId, postId, VIEWERS } from './data.ts';
import { fill } from './http-reads.ts';
import { signIn, startGateway, startHandWritten } from './http-servers.ts';
import { callsOf, type WriterName } from './http-writes.ts';
import { type Call, slice } from './load.ts';
import { PAGE_DOCUMENT } from './page.ts';
import { freePort, ownMb, type Program, residentMb, run, untilReady } from './process.ts';
import { GATEWAY_ENV, type Scale } from './settings.ts';
import { startStore } from './store/servers.ts';

export interface MemoryScale {
  /** Between readiness and the second figure. */
  idleMs: number;
  /** Of mixed reads and writes. */
  loadMs: number;
  connections: number;
}

/** Resident memory in MB, and how much of it is not mapped from files. */
export interface Figure {
  residentMb: number;
  ownMb: number;
}

export interface MemoryResult {
  name: string;
  readyMs: number;
  ready: Figure;
  idle: Figure;
  /** The most seen under load, and what is left half a minute after it. */
  peak: Figure;
  afterwards: Figure;
  requestsPerSecond: number;
}

/**
 * Memory of the gateway with its store in one process, as `npm start` runs it, and of a hand-written handler with the
 * same store in a process beside it: when ready, after a pause, and under mixed reads and writes.
 */
export async function measureMemory(scale: Scale, memory: MemoryScale): Promise<MemoryResult[]> {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-bench-'));
  try {
    const own = join(folder, 'gateway');
    const byHand = join(folder, 'hand-written');
    const tokens = [await fillFolder(join(own, 'store'), scale), await fillFolder(byHand, scale)] as const;
    return [
      await measureGateway(own, { memory, tokens: tokens[0] }),
      await measureHandWritten(byHand, { memory, tokens: tokens[1] }),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Fills the folder of a store. @returns the viewers' tokens, whose sessions are in it */
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
    return { name: 'gateway with its store', readyMs, ready, idle, ...load };
  } finally {
    await gateway.stop();
  }
}

async function measureHandWritten(folder: string, { memory, tokens }: Measuring): Promise<MemoryResult> {
  const begun = performance.now();
  const store = await startStore(folder);
  const gateway = await startHandWritten(store.uri);
  const programs = [gateway, store];
  try {
    const readyMs = performance.now() - begun;
    const ready = figureOf(programs);
    await pause(memory.idleMs);
    const idle = figureOf(programs);
    const load = await underLoad(programs, { url: gateway.url, server: 'hand-written', tokens, memory });
    return { name: 'hand-written handler and store', readyMs, ready, idle, ...load };
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
async function underLoad(
  programs: readonly Program[],
  { url, server, tokens, memory }: Loading,
): Promise<Pick<MemoryResult, 'peak' | 'afterwards' | 'requestsPerSecond'>> {
  const { pid } = programs[0]!;
  const peak: Figure = { residentMb: 0, ownMb: 0 };
  const looking = setInterval(() => {
    const now = figureOf(programs);
    peak.residentMb = Math.max(peak.residentMb, now.residentMb);
    peak.ownMb = Math.max(peak.ownMb, now.ownMb);
  }, 250);
  try {
    const { requestsPerSecond } = await slice({
      url,
      connections: memory.connections,
      milliseconds: memory.loadMs,
      call: mixedCalls(server, tokens),
      pids: [pid, pid],
    });
    await pause(memory.idleMs / 2);
    return { peak, afterwards: figureOf(programs), requestsPerSecond };
  } finally {
    clearInterval(looking);
  }
}

/** Two reads of a post, two of a page, and one of each write, in turn. */
function mixedCalls(server: WriterName, tokens: readonly string[]): (index: number) => Call {
  const writes = Object.values(callsOf(server, tokens));
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
