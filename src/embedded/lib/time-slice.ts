import type { Pause } from './pauses.ts';
import { takeSpentSteps } from './steps.ts';

/** How long one piece of a long work may hold up everybody else. */
const SLICE_MS = 5;

/** Lets others go on with what has arrived meanwhile. */
export const pause = (): Promise<void> => new Promise((resume) => setImmediate(resume));

/** Begins a piece of long work; returns whether it has lasted long enough. */
export function newSlice(ms = SLICE_MS): () => boolean {
  takeSpentSteps();
  const end = performance.now() + ms;
  return () => performance.now() > end;
}

/** Carries out work that can pause, without a pause where it is short. */
export function inPieces<Result>(work: Generator<Pause, Result>): Result | Promise<Result> {
  const step = work.next();
  return step.done ? step.value : continueInPieces(work);
}

async function continueInPieces<Result>(work: Generator<Pause, Result>): Promise<Result> {
  for (let isOver = newSlice(); ; ) {
    const step = work.next();
    if (step.done) return step.value;
    if (!isOver()) continue;
    await pause();
    isOver = newSlice();
  }
}
