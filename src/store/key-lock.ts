import { UnavailableError } from '../database-errors.ts';

/** What a call locks: one key exclusively, and further keys that it shares with other calls that do. */
export type LockKey = string | { exclusive: string; shared: readonly string[] };

/** Runs `work` when all earlier calls that conflict have ended. `deadline`: in the time of `performance.now()`. */
export type WithKeyLock = <Result>(key: LockKey, deadline: number, work: () => Promise<Result>) => Promise<Result>;

/** The ends of the calls that have requested a key. */
interface Queue {
  /** Of all of them. */
  all: Promise<unknown>;
  /** Of the last one that locks it exclusively. */
  exclusive: Promise<unknown> | undefined;
}

/**
 * Creates an in-process FIFO lock per key, exclusive or shared. A call whose deadline passes before it acquires its locks
 * is rejected with `UnavailableError('busy')`, so a queue never grows longer than what can be served in time.
 */
export function createKeyLock(): WithKeyLock {
  const queues = new Map<string, Queue>();

  return (key, deadline, work) => {
    if (typeof key === 'string') return withOne({ key, isShared: false }, deadline, work);
    const locks = [
      { key: key.exclusive, isShared: false },
      // A call that also locks a shared key exclusively would wait for itself.
      ...[...new Set(key.shared)]
        .filter((shared) => shared !== key.exclusive)
        .map((shared) => ({ key: shared, isShared: true })),
    ];
    // In one order, so that two calls never wait for each other.
    locks.sort((one, other) => (one.key < other.key ? -1 : 1));
    return locks.reduceRight((locked, one) => () => withOne(one, deadline, locked), work)();
  };

  function withOne<Result>(
    { key, isShared }: { key: string; isShared: boolean },
    deadline: number,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const queue = queues.get(key);
    const before = isShared ? queue?.exclusive : queue?.all;
    const runInTime = async () => {
      if (performance.now() >= deadline) throw new UnavailableError('busy');
      return work();
    };
    const run = before ? before.then(runInTime) : work();
    const end = run.then(noResult, noResult);
    const all = (isShared && queue ? Promise.all([queue.all, end]) : end).then(() => {
      if (queues.get(key)?.all === all) queues.delete(key);
    });
    queues.set(key, { all, exclusive: isShared ? queue?.exclusive : all });
    return run;
  }
}

function noResult(): void {}
