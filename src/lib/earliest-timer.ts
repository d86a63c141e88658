/** One timer for many times of which only the earliest matters. */
export interface EarliestTimer {
  /** Calls back after this time in milliseconds at the latest. */
  due(inMs: number): void;
  close(): void;
}

/** Longest delay of a Node.js timer. */
const LONGEST_MS = 2 ** 31 - 1;
/** Times that are closer together than this share a call. */
const SHARED_MS = 50;

/**
 * Creates a timer that does not keep the process running. A timer for each of thousands of idle connections would take
 * more memory than what it ends.
 *
 * @param onDue called when a time has come, which may be up to 50 ms ago. @returns milliseconds until the next one; `Infinity`
 *   when there is none
 */
export function createEarliestTimer(onDue: () => number): EarliestTimer {
  let timer: NodeJS.Timeout | undefined;
  /** When the timer calls back, in `performance.now()` time. */
  let dueAt = Number.POSITIVE_INFINITY;

  function arm(inMs: number): void {
    clearTimeout(timer);
    const delay = Math.min(Math.max(inMs, 0) + SHARED_MS, LONGEST_MS);
    dueAt = performance.now() + delay;
    timer = setTimeout(run, delay);
    timer.unref();
  }

  function run(): void {
    dueAt = Number.POSITIVE_INFINITY;
    const next = onDue();
    if (Number.isFinite(next)) due(next);
  }

  function due(inMs: number): void {
    if (performance.now() + inMs < dueAt - SHARED_MS) arm(inMs);
  }

  return {
    due,
    close: () => clearTimeout(timer),
  };
}
