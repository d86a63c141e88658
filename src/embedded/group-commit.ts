import { NoRoom, StorageFailure } from './disk-room.ts';
import { CommandError } from './language/errors.ts';
import type { Storage } from './storage.ts';

/** Thrown by a write that meets a lock of an open transaction: it runs again once `until` has settled. */
export class Blocked extends Error {
  readonly until: Promise<unknown>;
  constructor(until: Promise<unknown>) {
    super('waits for a transaction');
    this.until = until;
  }
}

export interface WriteQueue {
  /**
   * Runs `work` together with all others that wait, in one lmdb transaction, and resolves once that is on disk.
   * `work` must check before it changes anything: what it has changed stays when it throws, unless the whole
   * group fails. A {@link Blocked} one is called again later.
   */
  run<Result>(work: () => Result): Promise<Result>;
  /** Resolves when everything queued so far is on disk. */
  idle(): Promise<void>;
  /** Takes no more writes and resolves when nothing is under way to the disk. */
  halt(): Promise<void>;
}

interface Job {
  work(): unknown;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

export interface WriteQueueOptions {
  storage: Storage;
  /** Called when a group has been committed; returns what is to be called once it is on disk. */
  onCommit: () => (() => void) | undefined;
  /** Called when a group could not be committed: what was remembered of its changes in memory is void. */
  onAbort: () => void;
}

/** How a job that ran ends, once it is known whether its group reached the disk. */
interface Outcome {
  settle(): void;
  fail(error: Error): void;
}

const OUT_OF_SPACE = 14031;
/** After a write found no room, others are refused untried for so long. */
const REFUSAL_MS = 200;

/** One lmdb write transaction for all writes that arrive in the same turn, and one flush for all that is unflushed. */
export function createWriteQueue({ storage, onCommit, onAbort }: WriteQueueOptions): WriteQueue {
  let queued: Job[] = [];
  let isScheduled = false;
  let unflushed: Outcome[] = [];
  let isFlushing = false;
  let failure: Error | undefined;
  let halted: (() => void) | undefined;
  let full: { error: CommandError; until: number } | undefined;

  function enqueue(job: Job): void {
    queued.push(job);
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(commitGroup);
  }

  function commitGroup(): void {
    isScheduled = false;
    const group = queued;
    queued = [];
    const outcomes: Outcome[] = [];
    try {
      if (failure) throw readOnly(failure);
      if (full && performance.now() < full.until) throw full.error;
      storage.commit(() => {
        for (const job of group) outcomes.push(runJob(job));
      });
    } catch (error) {
      onAbort();
      const failed = asCommandError(error, storage);
      if (failed.code === OUT_OF_SPACE && failed !== full?.error) {
        full = { error: failed, until: performance.now() + REFUSAL_MS };
      }
      for (const job of group) job.reject(failed);
      return;
    }
    const show = onCommit();
    if (show) unflushed.push({ settle: show, fail: () => undefined });
    unflushed.push(...outcomes);
    flush();
  }

  function runJob(job: Job): Outcome {
    try {
      const result = job.work();
      return { settle: () => job.resolve(result), fail: job.reject };
    } catch (error) {
      if (error instanceof StorageFailure) throw error;
      // Whatever else went wrong, it did so before the job changed anything: see the contract of `run`.
      if (!(error instanceof Blocked)) return { settle: () => job.reject(error), fail: job.reject };
      const again = () => enqueue(job);
      return { settle: () => void error.until.then(again, again), fail: job.reject };
    }
  }

  function flush(): void {
    if (isFlushing || halted || unflushed.length === 0) return;
    isFlushing = true;
    const outcomes = unflushed;
    unflushed = [];
    storage.flush((error) => {
      isFlushing = false;
      // After a failed flush nobody can say what is on disk: no write is accepted until the store is reopened.
      if (error) failure = new Error(`flushing to disk failed: ${error.message}`);
      for (const outcome of outcomes) {
        if (failure && error) outcome.fail(readOnly(failure));
        else outcome.settle();
      }
      halted?.();
      flush();
    });
  }

  const run = <Result>(work: () => Result): Promise<Result> =>
    new Promise((resolve, reject) => enqueue({ work, resolve: resolve as (result: unknown) => void, reject }));
  return {
    run,
    idle: () => run(() => undefined).catch(() => undefined),
    halt: () =>
      new Promise((resolve) => {
        failure = new Error('the store is ending');
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
  return error instanceof NoRoom || storage.isFull()
    ? new CommandError(OUT_OF_SPACE, `the disk of the data folder is full, nothing was written: ${message}`)
    : new CommandError(8, `the write could not be committed: ${message}`);
}
