/**
 * Milliseconds that requests may use the event loop for before it serves sockets and timers again. A loader sends a
 * batch for each slice of an operation: tests that count batches set a longer one.
 */
export const TIME_SLICE = { ms: 10 };

// Module state: a process has one event loop, and all its requests share the current slice and one queue.
const waiting: Array<() => void> = [];
/** Index of the first waiting piece of work. `shift` would copy a long list for each piece. */
let head = 0;
/** Start of the current slice in `performance.now()` time; 0 between slices. */
let sliceStart = 0;

/**
 * Whether requests have used up the current slice: their time in this iteration of the event loop. Work that is split
 * into pieces checks it between them and waits for {@link nextSlice} before it continues. All requests share one slice,
 * so that the loop stays responsive however many of them are in progress.
 */
export function isSliceOver(): boolean {
  const now = performance.now();
  if (sliceStart > 0) return now - sliceStart > TIME_SLICE.ms;
  sliceStart = now;
  setImmediate(endSlice);
  return false;
}

/** Resolves in a later iteration of the event loop, in the order of the calls. */
export function nextSlice(): Promise<void> {
  if (sliceStart === 0) isSliceOver();
  return new Promise((resolve) => waiting.push(resolve));
}

/** Returns the value, or its promise for a later iteration of the event loop when the current slice is over. */
export function yieldIfSliceIsOver<Value>(value: Value): Value | Promise<Value> {
  return isSliceOver() ? nextSlice().then(() => value) : value;
}

/** Runs the work now, or in a later iteration of the event loop when the current slice is over. */
export function runInSlice(work: () => void): void {
  if (isSliceOver()) void nextSlice().then(work);
  else work();
}

function endSlice(): void {
  sliceStart = 0;
  if (head === waiting.length) return;
  isSliceOver();
  resumeNext();
}

/** Resumes one piece after another until the slice is over again; the rest waits for the next iteration. */
function resumeNext(): void {
  if (isSliceOver()) return;
  removeFirst()?.();
  // `nextTick` from a microtask runs after all microtasks of the resumed piece.
  if (head < waiting.length) queueMicrotask(() => process.nextTick(resumeNext));
}

/** Number of resumed entries from which the list is compacted. */
const COMPACT_AT = 1_024;
const RESUMED = () => undefined;

function removeFirst(): (() => void) | undefined {
  if (head === waiting.length) return undefined;
  const first = waiting[head]!;
  // Drops the reference, so that the entry can be collected before the list is compacted.
  waiting[head] = RESUMED;
  head += 1;
  if (head === waiting.length) {
    waiting.length = 0;
    head = 0;
  } else if (head >= COMPACT_AT && head * 2 >= waiting.length) {
    waiting.splice(0, head);
    head = 0;
  }
  return first;
}
