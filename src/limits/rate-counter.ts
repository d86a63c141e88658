/** The window in which messages of one connection are counted. */
export const RATE_WINDOW_MS = 10_000;

export interface RateCounter {
  /** Counts one more. @returns false beyond the limit of the current window */
  count(): boolean;
}

/** Counts up to `limit` per window of {@link RATE_WINDOW_MS}. */
export function createRateCounter(limit: number): RateCounter {
  return new WindowCounter(limit);
}

/** A class, because it exists several times for each idle connection. */
class WindowCounter implements RateCounter {
  readonly #limit: number;
  #windowStart = 0;
  #sum = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  count(): boolean {
    const now = performance.now();
    if (this.#sum === 0 || now - this.#windowStart > RATE_WINDOW_MS) {
      this.#windowStart = now;
      this.#sum = 0;
    }
    this.#sum += 1;
    return this.#sum <= this.#limit;
  }
}
