import { realpathSync } from 'node:fs';
import { mappingsOf, residentFileBytes, systemMemory } from '../../../lib/system-memory.ts';

/** Pages of the file that stay resident in this process, about; the system's cache of the file is not bounded by it. */
const MAX_RESIDENT_BYTES = 8 * 1024 * 1024;
const INTERVAL_MS = 250;

/**
 * Bounds how much of the mapped file counts towards the process's memory. Reading one page makes the pages around it
 * resident too, 64 KB at a time, and nothing but memory pressure removes them.
 *
 * Runs in the thread that opens and closes the file, which therefore cannot unmap it meanwhile.
 *
 * @param before resident pages of files before it was opened, in bytes
 * @returns a function that stops it, to be called before the file is closed, once the pages read so far are within the bound
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
