/** The window in which messages of one connection are counted. */
export const RATE_WINDOW_MS = 10_000;

export interface RateCounter {
  /** Counts one more. @returns false beyond the limit of the current window */
  count(): boolean;
}

/** Counts up to `limit` per window of {@link RATE_WINDOW_MS}. */
export function createRateCounter(limit: number): RateCounter {
  let windowStart = performance.now();
  let sum = 0;
  return {
    count() {
      const now = performance.now();
      if (now - windowStart > RATE_WINDOW_MS) {
        windowStart = now;
        sum = 0;
      }
      sum += 1;
      return sum <= limit;
    },
  };
}
