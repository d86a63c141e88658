import { assertInTime, CommandError, newSlice } from '../lib/index.ts';
import { DiskFullError, StorageFailure } from './file/disk-space.ts';
import type { Storage } from './storage.ts';

/**
 * Thrown by a write that must wait: it runs again when `until` has settled, for example when the transaction that holds
 * a lock has ended, or, without `until`, after the writes that are queued.
 */
export class LockWait extends Error {
  readonly until: Promise<unknown> | undefined;
  constructor(until?: Promise<unknown>) {
    super('waits for a lock');
    this.until = until;
  }
}

export interface WriteQueue {
  /**
   * Runs `work` and all other waiting writes in one LMDB transaction, and resolves once it is on disk.
   * `work` must check everything before its first change: its changes are kept when it throws, unless the whole
   * group fails. After a {@link LockWait} it is called again.
   *
   * @param deadline milliseconds since the epoch after which a waiting job fails with error 50
   */
  run<Result>(work: () => Result, deadline?: number): Promise<Result>;
  /** Resolves when everything committed so far is on disk; undefined if it already is. */
  durable(): Promise<void> | undefined;
  /** Resolves when everything queued so far is on disk. */
  idle(): Promise<void>;
  /** Rejects further writes and resolves when no flush is running. */
  halt(): Promise<void>;
}

interface Job {
  work(): unknown;
  resolve(result: unknown): void;
  reject(error: unknown): void;
  deadline: number | undefined;
}

export interface WriteQueueOptions {
  storage: Storage;
  /** Called when a group has been committed; returns a function to call once it is on disk. */
  onCommit: () => (() => void) | undefined;
  /** Called when the commit of a group failed: its changes in memory must be reverted. */
  onAbort: () => void;
}

/** Settles a job that ran, once its group is on disk or failed. */
interface Outcome {
  settle(): void;
  fail(error: Error): void;
}

export const OUT_OF_SPACE = 14031;
/** The time slice of one commit; only a single longer write exceeds it. */
const COMMIT_MS = 10;
/** LMDB writes the bytes of a commit at its end; this many take about 10 ms. */
const COMMIT_BYTES = 8 * 1024 * 1024;
/** For this long after a write found the disk full, other writes are refused without an attempt. */
const REFUSAL_MS = 200;

/**
 * Commits the waiting writes in one LMDB transaction and flushes it. Writes that arrive during a flush wait for its end:
 * they would not be flushed earlier, and fewer commits write fewer pages of the tree.
 */
export function createWriteQueue({ storage, onCommit, onAbort }: WriteQueueOptions): WriteQueue {
  let queued: Job[] = [];
  let isScheduled = false;
  let unflushed: Outcome[] = [];
  let isFlushing = false;
  /** The outcomes that wait for the running flush. */
  let inFlight: Outcome[] = [];
  let failure: Error | undefined;
  let halted: (() => void) | undefined;
  let full: { error: CommandError; until: number } | undefined;

  function enqueue(job: Job): void {
    queued.push(job);
    schedule();
  }

  function schedule(): void {
    if (isScheduled || isFlushing || queued.length === 0) return;
    isScheduled = true;
    setImmediate(commitGroup);
  }

  function commitGroup(): void {
    isScheduled = false;
    let group = queued;
    queued = [];
    const outcomes: Outcome[] = [];
    const yielded: Job[] = [];
    try {
      if (failure) throw readOnly(failure);
      if (full && performance.now() < full.until) throw full.error;
      storage.commit(() => {
        const isOver = newSlice(COMMIT_MS);
        for (const [i, job] of group.entries()) {
          if (i > 0 && (isOver() || storage.writtenBytes > COMMIT_BYTES)) {
            queued = group.slice(i);
            group = group.slice(0, i);
            break;
          }
          outcomes.push(runJob(job, yielded));
        }
      });
    } catch (error) {
      onAbort();
      const failed = asCommandError(error, storage);
      if (failed.code === OUT_OF_SPACE && failed !== full?.error) {
        full = { error: failed, until: performance.now() + REFUSAL_MS };
      }
      for (const job of group) job.reject(failed);
      schedule();
      return;
    }
    queued.push(...yielded);
    schedule();
    const show = onCommit();
    if (show) unflushed.push({ settle: show, fail: () => undefined });
    unflushed.push(...outcomes);
    flush();
  }

  function runJob(job: Job, yielded: Job[]): Outcome {
    try {
      assertInTime(job.deadline);
      const result = job.work();
      return { settle: () => job.resolve(result), fail: job.reject };
    } catch (error) {
      if (error instanceof StorageFailure) throw error;
      // Any other error occurred before the job changed anything: see the contract of `run`.
      if (!(error instanceof LockWait)) return { settle: () => job.reject(error), fail: job.reject };
      const { until } = error;
      if (until) return { settle: () => void waitFor(job, until), fail: job.reject };
      yielded.push(job);
      return { settle: () => undefined, fail: () => undefined };
    }
  }

  /** Queues the job again when `until` has settled or its deadline has passed; then it fails. */
  async function waitFor(job: Job, until: Promise<unknown>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      if (job.deadline === undefined) return;
      timer = setTimeout(resolve, Math.max(0, job.deadline - Date.now()) + 1);
    });
    await Promise.race([until.catch(() => undefined), late]);
    clearTimeout(timer);
    enqueue(job);
  }

  function flush(): void {
    if (isFlushing || halted || unflushed.length === 0) return;
    isFlushing = true;
    const outcomes = unflushed;
    inFlight = outcomes;
    unflushed = [];
    storage.flush((error) => {
      isFlushing = false;
      // After a failed flush the state of the disk is unknown: no write is accepted until the store is reopened.
      if (error) failure = new Error(`flushing to disk failed: ${error.message}`);
      for (const outcome of outcomes) {
        if (failure && error) outcome.fail(readOnly(failure));
        else outcome.settle();
      }
      halted?.();
      flush();
      schedule();
    });
  }

  const run = <Result>(work: () => Result, deadline?: number): Promise<Result> =>
    new Promise((resolve, reject) =>
      enqueue({ work, resolve: resolve as (result: unknown) => void, reject, deadline }),
    );
  return {
    run,
    durable() {
      if (!isFlushing && unflushed.length === 0) return undefined;
      const latest = unflushed.length > 0 ? unflushed : inFlight;
      return new Promise((settle, fail) => latest.push({ settle, fail }));
    },
    idle: () => run(() => undefined).catch(() => undefined),
    halt: () =>
      new Promise((resolve) => {
        failure = new Error('the store is shutting down');
        if (isFlushing) halted = resolve;
        else resolve();
      }),
  };
}

const readOnly = (cause: Error): CommandError =>
  new CommandError(1, `the store takes no writes until it is restarted: ${cause.message}`);

function asCommandError(error: unknown, storage: Storage): CommandError {
  if (error instanceof CommandError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof DiskFullError || storage.isFull()
    ? new CommandError(OUT_OF_SPACE, `the disk of the data folder is full, nothing was written: ${message}`)
    : new CommandError(8, `the write could not be committed: ${message}`);
}
