import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../context.ts';

/**
 * Waits for work that follows a committed change, at most half of the time that the request has left: the request has
 * succeeded, and the work continues without it.
 * @param work must not reject
 */
export async function continueAfterRequest(context: Pick<Context, 'deadline'>, work: Promise<unknown>): Promise<void> {
  const remainingMs = context.deadline - performance.now();
  if (remainingMs === Number.POSITIVE_INFINITY) return void (await work);
  const waited = new AbortController();
  const timeout = pause(Math.max(0, remainingMs / 2), undefined, { signal: waited.signal });
  await Promise.race([work, timeout]).finally(() => waited.abort());
}
