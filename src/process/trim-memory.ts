import { systemMemory } from '../lib/system-memory.ts';

const INTERVAL_MS = 5_000;
/** Free memory at the end of a thread's arena that is kept for the next allocation. */
const MAX_FREE_BYTES = 1_048_576;

/**
 * Returns free memory of the C library's allocator to the system: immediately, then every five seconds unless the process
 * was idle. Each thread frees memory into its own arena, which does not shrink by itself.
 *
 * @returns a promise that settles after the first trim
 */
export async function keepMemoryTrimmed(): Promise<void> {
  const { boundFree, trim } = await systemMemory();
  boundFree?.(MAX_FREE_BYTES);
  if (!trim) return;
  let usedBefore = process.cpuUsage();
  setInterval(() => {
    const { user, system } = process.cpuUsage(usedBefore);
    usedBefore = process.cpuUsage();
    if (user + system > WORKED_US) void trim();
  }, INTERVAL_MS).unref();
  await trim();
}

/** Processor time of one interval after which trimming is worthwhile, in microseconds. */
const WORKED_US = 500_000;
