import { MAX_RETRY_AFTER_MS } from './schedule.ts';

/** The answer of a receiver, or why there is none. */
export interface Answer {
  /** null when the receiver did not answer. */
  status: number | null;
  /** Why the receiver did not answer, or why its answer does not count. */
  error: string | null;
  retryAfter: string | null;
  /** The beginning of the body. */
  response: string | null;
}

export type Outcome =
  | { kind: 'delivered' }
  /** @property waitMs pause that the receiver requested, in milliseconds; 0 without a request */
  | { kind: 'failed'; error: string; waitMs: number }
  /** The receiver wants no more deliveries. */
  | { kind: 'gone'; error: string };

/** Classifies an answer: 2xx is delivered, 410 disables the endpoint, all others are retried. Redirects are not followed. */
export function outcomeOf({ status, error, retryAfter }: Answer, now: Date): Outcome {
  if (status === null || error !== null) return { kind: 'failed', error: error ?? 'no response', waitMs: 0 };
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 410) return { kind: 'gone', error: 'responded with 410 (Gone)' };
  const isBusy = status === 429 || status === 503;
  const waitMs = isBusy ? millisecondsOf(retryAfter, now) : 0;
  const redirect = status >= 300 && status < 400 ? ': redirects are not followed' : '';
  return { kind: 'failed', error: `responded with ${status}${redirect}`, waitMs };
}

/** Parses `Retry-After` in seconds or as a date, from zero to a day. */
function millisecondsOf(retryAfter: string | null, now: Date): number {
  const text = retryAfter?.trim() ?? '';
  const requested = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now.getTime();
  return Number.isFinite(requested) ? Math.min(Math.max(requested, 0), MAX_RETRY_AFTER_MS) : 0;
}
