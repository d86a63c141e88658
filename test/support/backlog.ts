import { nextSlice } from '../../src/lib/time-slice.ts';

/**
 * Makes requests that take turns wait as behind as many others: each resumes in a turn of the event loop of its own.
 * Resolves when all of them have.
 */
export async function backlog(turns: number): Promise<void> {
  await Promise.all(Array.from({ length: turns }, () => nextSlice().then(useUpSlice)));
}

function useUpSlice(): void {
  const end = performance.now() + 12;
  while (performance.now() < end);
}
