import { UnavailableError } from '../database-errors.ts';

/** Runs `work` when all earlier calls with the same key have ended. `deadline`: in the time of `performance.now()`. */
export type WithKeyLock = <Result>(key: string, deadline: number, work: () => Promise<Result>) => Promise<Result>;

/**
 * Creates an in-process FIFO lock per key. A call whose deadline passes before it acquires the lock is rejected with
 * `UnavailableError('busy')`, so a queue never grows longer than what can be served in time.
 */
export function createKeyLock(): WithKeyLock {
  const tails = new Map<string, Promise<unknown>>();

  return (key, deadline, work) => {
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
  };
}
