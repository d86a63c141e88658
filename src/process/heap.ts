import type { Server } from 'node:http';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { onTraffic } from '../lib/traffic.ts';

/**
 * Maximum size of each of the two semi-spaces of a thread's young generation, in MB. More saves little processor time, see
 * docs/explanation/performance.md.
 */
const MAX_SEMI_SPACE_MB = 4;
/** Its size until there is traffic: a larger one makes a ready gateway larger and its start no faster. */
const MIN_SEMI_SPACE_MB = 2;
/** The young generation grows each time this many requests have arrived, or as much other work was done. */
const REQUESTS_PER_GROWTH = 200;
/** Growth of the old generation, in percent of what is in use, after which V8 collects it: while memory is left, and otherwise. */
const GROWTH_PERCENT = { ample: 100, scarce: 25 };
/** Memory that must be left below the target: as much as an old generation of a loaded gateway grows with ample memory. */
const AMPLE_BYTES = 64 * 1_048_576;
const CHECK_INTERVAL_MS = 1_000;

/** Module state, because V8's flags apply to the whole process. */
let isGrowing = false;

/**
 * Configures how V8 trades memory for processor time. Call it before anything else is loaded. The old generation is
 * collected when it has grown by a quarter, instead of to several times its size, until `growOldGenerationUpTo` is called.
 * The young generation keeps its initial size: by default it doubles whenever much of it survives, as modules and the schema
 * do while a process starts.
 */
export function configureHeap(): void {
  setGrowth(GROWTH_PERCENT.scarce);
  // On few processors, helper threads cost more than they save.
  setFlagsFromString('--no-parallel-scavenge');
  // Applies to the heaps of threads that start later.
  setFlagsFromString(`--max-semi-space-size=${MAX_SEMI_SPACE_MB}`);
  setFlagsFromString(`--min-semi-space-size=${MIN_SEMI_SPACE_MB}`);
  holdYoungGeneration();
}

/** Keeps the young generation at its current size. Each new thread resets this flag for the whole process. */
export function holdYoungGeneration(): void {
  if (!isGrowing) setFlagsFromString('--semi-space-growth-factor=1');
}

/**
 * Lets the old generation double before it is collected, while the resident memory of the process is well below the target.
 * @param targetBytes resident memory of the process
 */
export function growOldGenerationUpTo(targetBytes: number): void {
  let growth: number = GROWTH_PERCENT.scarce;
  setInterval(() => {
    const isAmple = process.memoryUsage.rss() + AMPLE_BYTES < targetBytes;
    const next = isAmple ? GROWTH_PERCENT.ample : GROWTH_PERCENT.scarce;
    if (next !== growth) setGrowth(next);
    growth = next;
  }, CHECK_INTERVAL_MS).unref();
}

/** Applies to the heaps of all threads of the process, from their next collection. */
function setGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}

/** Lets the young generation grow to its maximum while there is traffic, which raises throughput. */
export function growYoungGenerationWithTraffic(server: Server): void {
  let requests = 0;
  const count = (units: number) => {
    requests += units;
    // While it grows, the size is checked on each request, because it doubles. V8 shrinks it when the process is idle.
    if (requests >= REQUESTS_PER_GROWTH) {
      requests = 0;
      isGrowing = true;
    }
    if (!isGrowing) return;
    isGrowing = semiSpaceBytes() < MAX_SEMI_SPACE_MB * 1_048_576;
    setFlagsFromString(`--semi-space-growth-factor=${isGrowing ? 2 : 1}`);
  };
  server.on('request', ({ url }) => {
    // Probes arrive at idle processes, too.
    if (url !== '/readyz' && url !== '/healthz') count(1);
  });
  // Events and webhooks are sent without requests.
  onTraffic(count);
}

function semiSpaceBytes(): number {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  return (space?.space_size ?? 0) / 2;
}
