import { UnavailableError } from '../database-errors.ts';

/** Runs `work` when all earlier ones of the same key have ended. */
export type TakeTurn = <Result>(key: string, deadline: number, work: () => Promise<Result>) => Promise<Result>;

/**
 * A queue a key, in this process alone. Whoever's turn comes after its deadline is refused instead of run, so a queue
 * never grows longer than what can be served in time.
 */
export function createTurns(): TakeTurn {
  const tails = new Map<string, Promise<unknown>>();

  return (key, deadline, work) => {
    const before = tails.get(key);
    const turn = async () => {
      if (performance.now() >= deadline) throw new UnavailableError('busy');
      return work();
    };
    const run = before ? before.then(turn) : work();
    const tail = run.then(ended, ended);
    tails.set(key, tail);
    return run;

    function ended(): void {
      if (tails.get(key) === tail) tails.delete(key);
    }
  };
}
