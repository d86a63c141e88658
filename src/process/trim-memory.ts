import { realpathSync } from 'node:fs';
import { type SystemMemory, systemMemory, unchangedMappingsOf } from '../lib/system-memory.ts';

const INTERVAL_MS = 5_000;
/** Processor time of one interval after which trimming is worthwhile, in microseconds. */
const WORKED_US = 500_000;
/** Busy intervals from one eviction of the pages of Node's program to the next. */
const EVICTION_INTERVALS = 12;
const PROGRAM = realpathSync(process.execPath);
/** Free memory at the end of a thread's arena that is kept for the next allocation. */
const MAX_FREE_BYTES = 1_048_576;

/**
 * Returns memory to the system: immediately, then every five seconds unless the process was idle.
 *
 * - Free memory of the C library's allocator: each thread frees memory into its own arena, which does not shrink by
 *   itself.
 * - Every minute, pages of Node's program, of which a gateway that serves requests uses about a third. The system keeps
 *   them in its page cache, from which those still in use are mapped again.
 *
 * @returns a promise that settles after the first trim
 */
export async function keepMemoryTrimmed(): Promise<void> {
  const memory = await systemMemory();
  if (!memory.trim && !memory.dropPages) return;
  memory.boundFree?.(MAX_FREE_BYTES);
  let usedBefore = process.cpuUsage();
  let busyIntervals = 0;
  setInterval(() => {
    const { user, system } = process.cpuUsage(usedBefore);
    usedBefore = process.cpuUsage();
    if (user + system <= WORKED_US) return;
    void memory.trim?.();
    if (++busyIntervals % EVICTION_INTERVALS === 0) void evictProgram(memory);
  }, INTERVAL_MS).unref();
  await Promise.all([memory.trim?.(), evictProgram(memory)]);
}

async function evictProgram({ dropPages }: SystemMemory): Promise<void> {
  if (!dropPages) return;
  for (const { start, length } of await unchangedMappingsOf(PROGRAM)) dropPages(start, length);
}
