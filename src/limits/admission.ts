import { UnavailableError } from '../database-errors.ts';

/** One of the places that a process has for expensive requests, as one request uses it. */
export interface Slot {
  readonly isHeld: boolean;
  /**
   * Waits for a place, behind requests that came earlier. Returns undefined when the request has one already or gets it
   * immediately.
   *
   * @throws {UnavailableError} `overloaded` when none was free in time
   */
  acquire(): Promise<void> | undefined;
  release(): void;
  /** Releases the place for good: reads that outlive the request take none. */
  close(): void;
}

/** Creates the slot of a request that begins now. */
export type Admission = () => Slot;

export interface AdmissionOptions {
  /** Expensive requests that run concurrently. */
  places: number;
  /** Milliseconds after its begin until which a request may still get a place. */
  patienceMs: number;
}

/**
 * Bounds how many expensive requests run concurrently: each holds the records that it read and a part of its answer in
 * memory until the answer is written. Places are given in the order in which requests wait for them.
 */
export function createAdmission({ places, patienceMs }: AdmissionOptions): Admission {
  const waiting = new Set<() => void>();
  let free = places;

  function passOn(): void {
    const [next] = waiting;
    if (next) {
      waiting.delete(next);
      next();
    } else free += 1;
  }

  return () => {
    const begun = performance.now();
    let isHeld = false;
    let isClosed = false;
    let pending: Promise<void> | undefined;

    function waitForPlace(): Promise<void> {
      return new Promise((resolve, reject) => {
        const admit = () => {
          clearTimeout(timer);
          pending = undefined;
          resolve();
          if (isClosed) passOn();
          else isHeld = true;
        };
        const giveUp = () => {
          waiting.delete(admit);
          pending = undefined;
          reject(new UnavailableError('overloaded'));
        };
        const timer = setTimeout(giveUp, Math.max(0, begun + patienceMs - performance.now()));
        waiting.add(admit);
      });
    }

    function release(): void {
      if (!isHeld) return;
      isHeld = false;
      passOn();
    }

    return {
      get isHeld() {
        return isHeld;
      },
      acquire() {
        if (isHeld || isClosed) return undefined;
        if (free === 0) {
          pending ??= waitForPlace();
          return pending;
        }
        free -= 1;
        isHeld = true;
        return undefined;
      },
      release,
      close() {
        isClosed = true;
        release();
      },
    };
  };
}
