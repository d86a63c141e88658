/** Milliseconds that requests may use the event loop for before it serves sockets and timers again. */
const SLICE_MS = 10;

const waiting: Array<() => void> = [];
/** Index of the first that waits: `shift` would copy a long list each time. */
let head = 0;
/** When the current slice began; 0 while none is open. */
let begun = 0;

/**
 * Whether the work of requests has used up the current turn of the event loop. Work that is split into pieces checks it
 * between them and waits for {@link nextSlice} before it continues. All requests share one slice, so that the loop stays
 * responsive however many of them are in progress.
 */
export function isSliceOver(): boolean {
  const now = performance.now();
  if (begun > 0) return now - begun > SLICE_MS;
  begun = now;
  setImmediate(endSlice);
  return false;
}

/** Resolves in a later turn of the event loop, in the order of the calls. */
export function nextSlice(): Promise<void> {
  if (begun === 0) isSliceOver();
  return new Promise((resolve) => waiting.push(resolve));
}

/** The value, in a later turn of the event loop when the current slice is over. */
export function yieldIfOver<Value>(value: Value): Value | Promise<Value> {
  return isSliceOver() ? nextSlice().then(() => value) : value;
}

/** Runs the work now, or in a later turn of the event loop when the current slice is over. */
export function inSlice(work: () => void): void {
  if (isSliceOver()) void nextSlice().then(work);
  else work();
}

function endSlice(): void {
  begun = 0;
  if (head === waiting.length) return;
  isSliceOver();
  resumeNext();
}

/** Resumes one piece after the other until the slice is over again; the rest waits for the next turn. */
function resumeNext(): void {
  if (isSliceOver()) return;
  takeFirst()?.();
  // A tick that is scheduled from a microtask runs when every microtask of the resumed piece has.
  if (head < waiting.length) queueMicrotask(() => process.nextTick(resumeNext));
}

/** Resumed entries from which on the list is compacted. */
const COMPACT_AT = 1_024;
const NOTHING = () => undefined;

function takeFirst(): (() => void) | undefined {
  if (head === waiting.length) return undefined;
  const first = waiting[head]!;
  // Not referenced any more, so that it can be collected before the list is compacted.
  waiting[head] = NOTHING;
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
