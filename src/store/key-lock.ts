import { UnavailableError } from '../database-errors.ts';

/** What a call locks: one key, or several. */
export type LockKey = string | readonly string[];

/** Runs `work` when all earlier calls with a common key have ended. `deadline`: in the time of `performance.now()`. */
export type WithKeyLock = <Result>(key: LockKey, deadline: number, work: () => Promise<Result>) => Promise<Result>;

/**
 * Creates an in-process FIFO lock per key. A call whose deadline passes before it acquires its locks is rejected with
 * `UnavailableError('busy')`, so a queue never grows longer than what can be served in time.
 */
export function createKeyLock(): WithKeyLock {
  const tails = new Map<string, Promise<unknown>>();

  return (key, deadline, work) => {
    if (typeof key === 'string') return withOne(key, deadline, work);
    // In one order, so that two calls never wait for each other.
    const keys = [...new Set(key)].sort();
    return keys.reduceRight((locked, one) => () => withOne(one, deadline, locked), work)();
  };

  function withOne<Result>(key: string, deadline: number, work: () => Promise<Result>): Promise<Result> {
    const before = tails.get(key);
    const runInTime = async () => {
      if (performance.now() >= deadline) throw new UnavailableError('busy');
      return work();
    };
    const run = before ? before.then(runInTime) : work();
    const tail = run.then(ended, ended);
    tails.set(key, tail);
    return run;

    function ended(): void {
      if (tails.get(key) === tail) tails.delete(key);
    }
  }
}
