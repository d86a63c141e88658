import { realpathSync } from 'node:fs';
import { mappingsOf, residentMemory, systemMemory } from '../../../lib/system-memory.ts';

/** Resident pages of the file in bytes that are never dropped. */
const MIN_RESIDENT_BYTES = 16 * 1024 * 1024;
/** Under load, random reads make about 100 MB of pages resident in a second. */
const INTERVAL_MS = 50;

/**
 * Limits how much of the mapped file counts towards the process's memory. Reading a page also makes its neighbours
 * resident, 64 KB at a time, and only memory pressure evicts them. All pages are dropped when the process has more
 * memory than its target.
 *
 * Runs in the thread that opens and closes the file, so the file cannot be unmapped concurrently.
 *
 * @param before resident file pages before the file was opened, in bytes
 * @param target see `residentTarget` in `src/embedded/index.ts`
 * @returns once the pages read so far are within the limit: a function that stops it, to be called before the file
 *   closes
 */
export async function boundResidentPages(path: string, before: number, target: number): Promise<() => void> {
  const mappings = mappingsOf(realpathSync(path));
  let others = before;
  let isStopped = mappings.length === 0 || others === 0;
  const timer = setInterval(() => void check(), INTERVAL_MS).unref();
  if (isStopped) clearInterval(timer);
  else await dropAll();
  return stop;

  async function check(): Promise<void> {
    const { bytes, fileBytes } = residentMemory();
    // Pages of other files come and go; each drop measures them again.
    if (bytes > target && fileBytes - others > MIN_RESIDENT_BYTES) await dropAll();
  }

  async function dropAll(): Promise<void> {
    const { dropPages } = await systemMemory();
    if (isStopped) return;
    if (!dropPages) return stop();
    for (const { start, length } of mappings) dropPages(start, length);
    others = residentMemory().fileBytes;
  }

  function stop(): void {
    isStopped = true;
    clearInterval(timer);
  }
}
