import { setTimeout as pause } from 'node:timers/promises';

/** Waits until `work` has ended, but no longer than `ms` milliseconds; it continues afterwards. Rejects as `work` does meanwhile. */
export async function waitAtMost(work: Promise<unknown>, ms: number): Promise<void> {
  const ended = new AbortController();
  const late = pause(ms, undefined, { signal: ended.signal, ref: false }).catch(() => undefined);
  // Nothing observes a failure that comes later.
  work.catch(() => undefined);
  await Promise.race([work, late]).finally(() => ended.abort());
}
