import { UnavailableError } from '../database-errors.ts';
import { setResponsiveTimeout } from '../lib/responsive-timeout.ts';

/**
 * Runs work that needs the database, within the time of one request; not at all during an outage.
 *
 * @throws {UnavailableError} in both cases. Work that has begun continues and ends by the time limits of the store.
 */
export type Guard = <Result>(work: () => Promise<Result>) => Promise<Result>;

export interface GuardOptions {
  /** The error for requests during an outage; null while the database is available. */
  refusal: () => UnavailableError | null;
  /** Milliseconds for one request, without the time in which the event loop was blocked. */
  timeoutMs: number;
}

export function createGuard({ refusal, timeoutMs }: GuardOptions): Guard {
  return (work) => {
    const refused = refusal();
    if (refused) return Promise.reject(refused);
    return new Promise((resolve, reject) => {
      const cancel = setResponsiveTimeout(() => reject(new UnavailableError('slow')), timeoutMs);
      work().then(resolve, reject).finally(cancel);
    });
  };
}
