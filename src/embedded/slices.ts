import { spentSteps } from './language/steps.ts';

/** How long one piece of a long work may hold up everybody else. */
const SLICE_MS = 5;

/** Lets others go on with what has arrived meanwhile. */
export const pause = (): Promise<void> => new Promise((resume) => setImmediate(resume));

/** Begins a piece of long work; returns whether it has lasted long enough. */
export function newSlice(ms = SLICE_MS): () => boolean {
  spentSteps();
  const end = performance.now() + ms;
  return () => performance.now() > end;
}
