import { createContext, type Services } from '../context.ts';
import { finishInterruptedUsers } from '../domain/user/update-memberships.ts';
import { finishErasures } from '../erasure/run-erasure.ts';
import { repeatPeriodically } from './repeat-periodically.ts';

const INTERVAL_MS = 60_000;

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
  const { NETWORK_ID } = services.config;
  const finish = async (signal: AbortSignal) => {
    await finishInterruptedUsers(createContext(services, null), NETWORK_ID, signal).catch((err: unknown) => {
      services.warn?.({ err }, 'unfinished renames and deletions of users could not be read');
    });
    await finishErasures(services, NETWORK_ID, signal).catch((err: unknown) => {
      services.warn?.({ err }, 'unfinished erasures could not be read');
    });
  };
  return repeatPeriodically(finish, { prepared, intervalMs });
}
