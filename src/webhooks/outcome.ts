import { MAX_RETRY_AFTER_MS } from './schedule.ts';

/** What came back from a receiver, or did not. */
export interface Answer {
  /** null: none came. */
  status: number | null;
  /** Why none came, or why it does not count. */
  error: string | null;
  retryAfter: string | null;
  /** How the body began. */
  response: string | null;
}

export type Outcome =
  | { kind: 'delivered' }
  /** @property waitMs how long the receiver asked not to be called, at least; 0: it did not */
  | { kind: 'failed'; error: string; waitMs: number }
  /** The receiver wants nothing from here any more. */
  | { kind: 'gone'; error: string };

/** What an answer means: 2xx is delivered, 410 is the end, everything else comes again. Nobody is followed elsewhere. */
export function outcomeOf({ status, error, retryAfter }: Answer, now: Date): Outcome {
  if (status === null || error !== null) return { kind: 'failed', error: error ?? 'no answer', waitMs: 0 };
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 410) return { kind: 'gone', error: 'answered 410: gone' };
  const isBusy = status === 429 || status === 503;
  const waitMs = isBusy ? millisecondsOf(retryAfter, now) : 0;
  const redirect = status >= 300 && status < 400 ? ': redirects are not followed' : '';
  return { kind: 'failed', error: `answered ${status}${redirect}`, waitMs };
}

/** `Retry-After` in seconds or as a date, between nothing and a day. */
function millisecondsOf(retryAfter: string | null, now: Date): number {
  const text = retryAfter?.trim() ?? '';
  const wanted = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now.getTime();
  return Number.isFinite(wanted) ? Math.min(Math.max(wanted, 0), MAX_RETRY_AFTER_MS) : 0;
}
