import { UnavailableError } from '../database-errors.ts';

/** The slot of one request. A process has a fixed number of slots, which expensive requests hold. */
export interface Slot {
  readonly isHeld: boolean;
  /**
   * Acquires the slot, after requests that already wait for one. Returns undefined when the request holds it already or
   * gets it immediately.
   *
   * @throws {UnavailableError} `overloaded` when no slot becomes free in time
   */
  acquire(): Promise<void> | undefined;
  release(): void;
  /** Releases the slot permanently: reads that outlast the request cannot acquire it again. */
  close(): void;
}

/** Returns the slot of a request that starts now; the request does not hold it yet. */
export type Admission = () => Slot;

export interface AdmissionOptions {
  /** Maximum expensive requests that run concurrently. */
  slots: number;
  /** Milliseconds after its start within which a request may acquire a slot. */
  maxWaitMs: number;
}

/**
 * Bounds how many expensive requests run concurrently: each holds the records that it read and a part of its answer in
 * memory until the answer is written. Slots are granted in the order in which requests wait for them.
 */
export function createAdmission({ slots, maxWaitMs }: AdmissionOptions): Admission {
  const waiting = new Set<() => void>();
  let free = slots;

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
        const timeOut = () => {
          waiting.delete(admit);
          pending = undefined;
          reject(new UnavailableError('overloaded'));
        };
        const timer = setTimeout(timeOut, Math.max(0, startedAt + maxWaitMs - performance.now()));
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
