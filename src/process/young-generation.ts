import type { Server } from 'node:http';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Half of the young generation of the main thread under load. More saves no processor time, see docs/explanation/performance.md. */
const MAX_SEMI_SPACE_BYTES = 8 * 1_048_576;
/** The same of the store's thread, whose requests are short. */
const STORE_SEMI_SPACE_MB = 4;
/** Requests after which a process counts as one with traffic. */
const TRAFFIC = 200;

let isGrowing = false;

/**
 * Sets how V8 trades memory for processor time, before anything else is loaded: the old generation is collected when it
 * has grown by a quarter, not when it has grown to several times its size, and the young generation, which doubles
 * whenever much of it survives, as modules and the schema do while a process starts, stays as small as it begins.
 */
export function configureHeap(): void {
  setFlagsFromString('--heap-growing-percent=25');
  // On few processors helpers cost more than they save.
  setFlagsFromString('--no-parallel-scavenge');
  // Applies to heaps of threads that are started from now on.
  setFlagsFromString(`--max-semi-space-size=${STORE_SEMI_SPACE_MB}`);
  setFlagsFromString(`--min-semi-space-size=${STORE_SEMI_SPACE_MB}`);
  holdYoungGeneration();
}

/** Holds the young generation at its size. Every thread that is started resets this flag for the whole process. */
export function holdYoungGeneration(): void {
  if (!isGrowing) setFlagsFromString('--semi-space-growth-factor=1');
}

/** Lets the young generation grow up to its bound once there is traffic, which needs it for throughput. */
export function growYoungGenerationWithTraffic(server: Server): void {
  let requests = 0;
  server.on('request', ({ url }) => {
    // Probes come however idle a process is.
    if (url === '/readyz' || url === '/healthz') return;
    requests += 1;
    // Looks at each request while it grows, since it doubles at a time; V8 shrinks it when there is little to do.
    if (requests % TRAFFIC === 0) isGrowing = true;
    if (!isGrowing) return;
    isGrowing = semiSpaceBytes() < MAX_SEMI_SPACE_BYTES;
    setFlagsFromString(`--semi-space-growth-factor=${isGrowing ? 2 : 1}`);
  });
}

function semiSpaceBytes(): number {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  return (space?.space_size ?? 0) / 2;
}
