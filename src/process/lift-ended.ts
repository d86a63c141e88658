import { createContext, type Services } from '../context.ts';
import { liftEndedBansAndMutes } from '../domain/moderation/lift-ended-bans-and-mutes.ts';
import { repeatPeriodically } from './repeat-periodically.ts';

const INTERVAL_MS = 10_000;

/**
 * Stores the ends of bans and mutes and reports them to subscribers, whichever gateway comes first: as soon as the database is
 * ready, then periodically.
 * @returns a function that stops it
 */
export function liftEndedPeriodically(
  services: Services,
  { prepared, intervalMs = INTERVAL_MS }: { prepared: Promise<unknown>; intervalMs?: number | undefined },
): () => Promise<void> {
  const lift = (signal: AbortSignal) =>
    liftEndedBansAndMutes(createContext(services, null), services.config.NETWORK_ID, signal).catch((err: unknown) => {
      services.warn?.({ err }, 'ended bans and mutes could not be read');
    });
  return repeatPeriodically(lift, { prepared, intervalMs });
}
