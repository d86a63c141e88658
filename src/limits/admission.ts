import { UnavailableError } from '../database-errors.ts';

/** The slot of one request. A process has a fixed number of slots for expensive requests. */
export interface Slot {
  readonly isHeld: boolean;
  /**
   * Acquires a slot, after the requests that wait already. Returns undefined when the request holds one or gets it
   * immediately.
   *
   * @throws {UnavailableError} `overloaded` when no slot was free in time
   */
  acquire(): Promise<void> | undefined;
  release(): void;
  /** Releases the slot for good: reads that outlast the request cannot acquire it again. */
  close(): void;
}

/** Creates the slot of a request that starts now. */
export type Admission = () => Slot;

export interface AdmissionOptions {
  /** Expensive requests that run concurrently. */
  places: number;
  /** Milliseconds after its start within which a request may acquire a slot. */
  patienceMs: number;
}

/**
 * Bounds how many expensive requests run concurrently: each holds the records that it read and a part of its answer in
 * memory until the answer is written. Slots are granted in the order in which requests wait for them.
 */
export function createAdmission({ places, patienceMs }: AdmissionOptions): Admission {
  const waiting = new Set<() => void>();
  let free = places;

  function releaseSlot(): void {
    const [next] = waiting;
    if (next) {
      waiting.delete(next);
      next();
    } else free += 1;
  }

  return () => {
    const startedAt = performance.now();
    let isHeld = false;
    let isClosed = false;
    let pending: Promise<void> | undefined;

    function waitForSlot(): Promise<void> {
      return new Promise((resolve, reject) => {
        const admit = () => {
          clearTimeout(timer);
          pending = undefined;
          resolve();
          if (isClosed) releaseSlot();
          else isHeld = true;
        };
        const giveUp = () => {
          waiting.delete(admit);
          pending = undefined;
          reject(new UnavailableError('overloaded'));
        };
        const timer = setTimeout(giveUp, Math.max(0, startedAt + patienceMs - performance.now()));
        waiting.add(admit);
      });
    }

    function release(): void {
      if (!isHeld) return;
      isHeld = false;
      releaseSlot();
    }

    return {
      get isHeld() {
        return isHeld;
      },
      acquire() {
        if (isHeld || isClosed) return undefined;
        if (free === 0) {
          pending ??= waitForSlot();
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
