import { systemMemory } from './system-memory.ts';

const INTERVAL_MS = 5_000;

/**
 * Returns memory that the allocator of the C library holds without need to the system, now and every five seconds in which
 * the process has worked. Each thread frees memory into an area of its own, which does not shrink by itself.
 *
 * @returns a promise that settles when it has been done once
 */
export async function keepMemoryTrimmed(): Promise<void> {
  const { trim } = await systemMemory();
  if (!trim) return;
  let usedBefore = process.cpuUsage();
  setInterval(() => {
    const { user, system } = process.cpuUsage(usedBefore);
    usedBefore = process.cpuUsage();
    if (user + system > WORKED_US) void trim();
  }, INTERVAL_MS).unref();
  await trim();
}

/** Processor time after which there may be something to return, in microseconds. */
const WORKED_US = 500_000;
