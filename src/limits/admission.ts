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
  const pool: Pool = { free: slots, waiting: new Set(), maxWaitMs };
  return () => new RequestSlot(pool);
}

interface Pool {
  free: number;
  waiting: Set<() => void>;
  maxWaitMs: number;
}

function releaseSlot(pool: Pool): void {
  const [next] = pool.waiting;
  if (next) {
    pool.waiting.delete(next);
    next();
  } else pool.free += 1;
}

/** A class, because every request creates one and most never use it. */
class RequestSlot implements Slot {
  private readonly pool: Pool;
  private readonly startedAt = performance.now();
  private isClosed = false;
  private pending: Promise<void> | undefined = undefined;
  isHeld = false;

  constructor(pool: Pool) {
    this.pool = pool;
  }

  acquire(): Promise<void> | undefined {
    if (this.isHeld || this.isClosed) return undefined;
    if (this.pool.free === 0) {
      this.pending ??= this.waitForSlot();
      return this.pending;
    }
    this.pool.free -= 1;
    this.isHeld = true;
    return undefined;
  }

  release(): void {
    if (!this.isHeld) return;
    this.isHeld = false;
    releaseSlot(this.pool);
  }

  close(): void {
    this.isClosed = true;
    this.release();
  }

  private waitForSlot(): Promise<void> {
    const { pool } = this;
    return new Promise((resolve, reject) => {
      const admit = () => {
        clearTimeout(timer);
        this.pending = undefined;
        resolve();
        if (this.isClosed) releaseSlot(pool);
        else this.isHeld = true;
      };
      const timeOut = () => {
        pool.waiting.delete(admit);
        this.pending = undefined;
        reject(new UnavailableError('overloaded'));
      };
      const timer = setTimeout(timeOut, Math.max(0, this.startedAt + pool.maxWaitMs - performance.now()));
      pool.waiting.add(admit);
    });
  }
}
