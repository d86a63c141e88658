import { setTimeout as pause } from 'node:timers/promises';
import { createContext, type Services } from '../context.ts';
import { finishInterruptedUsers } from '../domain/user/update-memberships.ts';
import { finishErasures } from '../erasure/run-erasure.ts';

const INTERVAL_MS = 60_000;
/** Maximum time that stopping waits for the current batch. */
const CLOSES_WITHIN_MS = 2_000;

/**
 * Finishes renames, deletions and erasures of users that requests or other gateways did not complete: as soon as the database is
 * ready, then periodically.
 * @param options.intervalMs 0: only once
 * @returns a function that stops it
 */
export function finishUserChangesPeriodically(
  services: Services,
  { prepared, intervalMs = INTERVAL_MS }: { prepared: Promise<unknown>; intervalMs?: number | undefined },
): () => Promise<void> {
  const stopped = new AbortController();
  const { signal } = stopped;
  const run = async () => {
    while (!signal.aborted) {
      const { NETWORK_ID } = services.config;
      await finishInterruptedUsers(createContext(services, null), NETWORK_ID, signal).catch((err: unknown) => {
        services.warn?.({ err }, 'unfinished renames and deletions of users could not be read');
      });
      await finishErasures(services, NETWORK_ID, signal).catch((err: unknown) => {
        services.warn?.({ err }, 'unfinished erasures could not be read');
      });
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
    if (running) await Promise.race([running, pause(CLOSES_WITHIN_MS, undefined, { ref: false })]);
  };
}
