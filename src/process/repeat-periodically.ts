import { setTimeout as pause } from 'node:timers/promises';
import { waitAtMost } from '../lib/wait-at-most.ts';

/** Maximum time that stopping waits for the current run. */
const CLOSES_WITHIN_MS = 2_000;

interface Repeated {
  prepared: Promise<unknown>;
  /** Milliseconds between runs; 0: only one run. */
  intervalMs: number;
}

/**
 * Repeats background work: as soon as the database is ready, then periodically.
 * @param work must not reject; ends early when the signal is aborted
 * @returns a function that stops it
 */
export function repeatPeriodically(
  work: (signal: AbortSignal) => Promise<void>,
  { prepared, intervalMs }: Repeated,
): () => Promise<void> {
  const stopped = new AbortController();
  const { signal } = stopped;
  const run = async () => {
    while (!signal.aborted) {
      await work(signal);
      if (intervalMs === 0) return;
      await pause(intervalMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  };
  let running: Promise<void> | undefined;
  const begin = () => {
    running = run();
  };
  prepared.then(begin, () => undefined);
  return async () => {
    stopped.abort();
    if (running) await waitAtMost(running, CLOSES_WITHIN_MS);
  };
}
