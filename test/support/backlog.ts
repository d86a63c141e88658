import { nextSlice } from '../../src/lib/time-slice.ts';

/**
 * Delays requests that share the event loop, as `turns` other requests would: each resumes in its own turn of the loop.
 * Resolves after all turns.
 */
export async function backlog(turns: number): Promise<void> {
  await Promise.all(Array.from({ length: turns }, () => nextSlice().then(blockForSlice)));
}

function blockForSlice(): void {
  const end = performance.now() + 12;
  while (performance.now() < end);
}
