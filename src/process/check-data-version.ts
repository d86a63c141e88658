import type { Services } from '../context.ts';
import { NewerDataError } from '../store/migrations/run.ts';
import { repeatPeriodically } from './repeat-periodically.ts';

const INTERVAL_MS = 5_000;

interface Checking {
  prepared: Promise<unknown>;
  /** @default 5_000 */
  intervalMs?: number | undefined;
  /** Called once. */
  onOutdated(error: NewerDataError): void;
}

/**
 * Notices that a later release has begun to migrate the data to a form that this release cannot use: a process that
 * continued would write in the old form.
 * @returns a function that stops it
 */
export function checkDataVersionPeriodically(
  { store }: Services,
  { prepared, intervalMs = INTERVAL_MS, onOutdated }: Checking,
): () => Promise<void> {
  let isOutdated = false;
  const check = async () => {
    if (isOutdated) return;
    await store.checkDataVersion().catch((error: unknown) => {
      // The requests report an outage of the database.
      if (!(error instanceof NewerDataError)) return;
      isOutdated = true;
      onOutdated(error);
    });
  };
  return repeatPeriodically(check, { prepared, intervalMs });
}
