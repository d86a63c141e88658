import type { Pause } from './pauses.ts';
import { takeSpentSteps } from './steps.ts';

/** How long one piece of work may occupy the event loop. */
const SLICE_MS = 5;

/** Yields the event loop once. */
export const pause = (): Promise<void> => new Promise((resume) => setImmediate(resume));

/** Starts a time slice; the returned function tests whether it is over. */
export function newSlice(ms = SLICE_MS): () => boolean {
  takeSpentSteps();
  const end = performance.now() + ms;
  return () => performance.now() > end;
}

/** Runs pausable work in time slices; synchronously if it never pauses. */
export function runInSlices<Result>(work: Generator<Pause, Result>): Result | Promise<Result> {
  const step = work.next();
  return step.done ? step.value : continueInSlices(work);
}

async function continueInSlices<Result>(work: Generator<Pause, Result>): Promise<Result> {
  for (let isOver = newSlice(); ; ) {
    const step = work.next();
    if (step.done) return step.value;
    if (!isOver()) continue;
    await pause();
    isOver = newSlice();
  }
}
