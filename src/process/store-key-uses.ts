import type { Services } from '../context.ts';
import { storeKeyUses } from '../domain/network/keys/store-key-uses.ts';
import { waitAtMost } from '../lib/wait-at-most.ts';
import { repeatPeriodically } from './repeat-periodically.ts';

const INTERVAL_MS = 60_000;
/** Maximum time for which the end of the process waits for the database. */
const CLOSES_WITHIN_MS = 2_000;

/**
 * Stores the last uses of keys once a minute, and when the process stops.
 * @returns a function that stops it
 */
export function storeKeyUsesPeriodically(
  services: Services,
  { prepared, intervalMs = INTERVAL_MS }: { prepared: Promise<unknown>; intervalMs?: number | undefined },
): () => Promise<void> {
  const save = () =>
    storeKeyUses(services).catch((err: unknown) => {
      services.warn?.({ err }, 'uses of keys could not be stored');
    });
  const stop = repeatPeriodically(save, { prepared, intervalMs });
  return async () => {
    await stop();
    await waitAtMost(save(), CLOSES_WITHIN_MS);
  };
}
