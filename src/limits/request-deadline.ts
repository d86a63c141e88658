import { UnavailableError } from '../database-errors.ts';
import { createResponsiveTimeouts } from '../lib/responsive-timeout.ts';

/**
 * Runs work that needs the database. Refuses it during an outage, and rejects when it takes longer than a request may
 * take; the work itself then continues until the time limits of the store end it.
 *
 * @throws {UnavailableError} during an outage, or `slow` at the deadline
 */
export type RequestDeadline = <Result>(work: () => Promise<Result>) => Promise<Result>;

export interface RequestDeadlineOptions {
  /** The error for requests during an outage; null while the database is available. */
  refusal: () => UnavailableError | null;
  /** Milliseconds that one request may take, not counting time in which the event loop was blocked. */
  timeoutMs: number;
}

export function createRequestDeadline({ refusal, timeoutMs }: RequestDeadlineOptions): RequestDeadline {
  const expireLater = createResponsiveTimeouts(timeoutMs);
  return (work) => {
    const refused = refusal();
    if (refused) return Promise.reject(refused);
    return new Promise((resolve, reject) => {
      const cancel = expireLater(() => reject(new UnavailableError('slow')));
      work().then(
        (result) => {
          cancel();
          resolve(result);
        },
        (error) => {
          cancel();
          reject(error);
        },
      );
    });
  };
}
