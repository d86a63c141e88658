import { UnavailableError } from '../database-errors.ts';
import { setResponsiveTimeout } from '../lib/responsive-timeout.ts';

/**
 * Runs what needs the database: not at all while it is known to be away, and never longer than a request may take.
 *
 * @throws {UnavailableError} in both cases; what was begun goes on by itself and ends by the time limits of the store
 */
export type Guard = <Result>(work: () => Promise<Result>) => Promise<Result>;

export interface GuardOptions {
  /** Why no request may go to the database now; null when they may. */
  refusal: () => UnavailableError | null;
  /** Milliseconds that one request may take; time in which the event loop was blocked does not count. */
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
