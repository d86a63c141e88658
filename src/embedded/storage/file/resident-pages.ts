import { realpathSync } from 'node:fs';
import { mappingsOf, residentFileBytes, systemMemory } from '../../../lib/system-memory.ts';

/** The approximate limit for resident pages of the file in this process; it does not limit the system's page cache. */
const MAX_RESIDENT_BYTES = 8 * 1024 * 1024;
/** Under load, random reads make about 100 MB of pages resident in a second. */
const INTERVAL_MS = 50;

/**
 * Limits how much of the mapped file counts towards the process's memory. Reading a page also makes its neighbours
 * resident, 64 KB at a time, and only memory pressure evicts them.
 *
 * Runs in the thread that opens and closes the file, so the file cannot be unmapped concurrently.
 *
 * @param before resident file pages before the file was opened, in bytes
 * @returns once the pages read so far are within the limit: a function that stops it, to be called before the file
 *   closes
 */
export async function boundResidentPages(path: string, before: number): Promise<() => void> {
  const mappings = mappingsOf(realpathSync(path));
  let others = before;
  let isStopped = mappings.length === 0 || others === 0;
  const timer = setInterval(() => void check(), INTERVAL_MS).unref();
  if (isStopped) clearInterval(timer);
  else await check();
  return stop;

  async function check(): Promise<void> {
    if (residentFileBytes() - others < MAX_RESIDENT_BYTES) return;
    const { dropPages } = await systemMemory();
    if (isStopped) return;
    if (!dropPages) return stop();
    for (const { start, length } of mappings) dropPages(start, length);
    others = residentFileBytes();
  }

  function stop(): void {
    isStopped = true;
    clearInterval(timer);
  }
}
