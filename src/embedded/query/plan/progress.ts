import { assertInTime, MAX_ELEMENTS, newSlice, type Pause, pause, takeSpentSteps } from '../../lib/index.ts';

/** The cost of a query so far, and its limits. */
export interface Progress {
  keysExamined: number;
  docsExamined: number;
  /** Milliseconds since the epoch. */
  deadline?: number | undefined;
  /** Set by readers that can pause; tests whether the time slice is over. */
  isOver?: (() => boolean) | undefined;
  /** Called after each pause. @throws CommandError if the result is no longer wanted */
  assertWanted?: (() => void) | undefined;
  /** The work so far in documents; a large document counts as several. */
  weight: number;
  /** The element limit of results; higher if an examined document exceeds the default. */
  allowedElements: number;
  startedAt: number;
}

export const newProgress = (deadline?: number): Progress => ({
  keysExamined: 0,
  docsExamined: 0,
  deadline,
  weight: 0,
  allowedElements: MAX_ELEMENTS,
  startedAt: performance.now(),
});

/** The bytes, and the evaluation steps, that cost as much as examining one document. */
const WEIGHT_BYTES = 4096;
const WEIGHT_STEPS = 128;
/**
 * A read pauses only after this much work, in documents of 4 KiB, or time: a read of a page or two usually sees one
 * consistent state.
 */
const UNINTERRUPTED = 300;
const UNINTERRUPTED_MS = 25;

/** Runs pausable work in time slices. */
export async function runWithPauses<Result>(work: Generator<Pause, Result>, progress: Progress): Promise<Result> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await yieldToEventLoop(progress);
  }
}

/** Yields the event loop and starts another time slice. */
export async function yieldToEventLoop(progress: Progress): Promise<void> {
  await pause();
  progress.isOver = newSlice();
  progress.assertWanted?.();
  assertInTime(progress.deadline);
}

/** Counts an examined document; returns whether to pause. @throws CommandError 50 past the deadline */
export function countExamined(progress: Progress, bytes: Uint8Array): boolean {
  progress.docsExamined++;
  return isTimeUp(progress, 1 + bytes.length / WEIGHT_BYTES);
}

/** Counts work in documents; returns whether to pause. @throws CommandError 50 past the deadline */
export function isTimeUp(progress: Progress, weight: number): boolean {
  progress.weight += weight + takeSpentSteps() / WEIGHT_STEPS;
  if (progress.isOver?.() !== true) return false;
  assertInTime(progress.deadline);
  return progress.weight > UNINTERRUPTED || performance.now() - progress.startedAt > UNINTERRUPTED_MS;
}
