import type { Storage } from '../storage/index.ts';

/**
 * Removes the earlier versions of records: the change log, whose readers get error 286 and reload everything, and the
 * stored results of retryable writes, which are for clients of a server that runs.
 */
export function clearHistory({ changes, sessions }: Pick<Storage, 'changes' | 'sessions'>): void {
  changes.clearSync();
  sessions.clearSync();
}
