const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long after each attempt the next one follows; the first one follows at once. About 75 hours in all. */
const PAUSES_MS = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** Receivers that came back are not met by everybody at one moment: each pause is up to this much longer or shorter. */
const JITTER = 0.05;

export const MAX_ATTEMPTS = PAUSES_MS.length;

/** An endpoint to which nothing could be delivered for this long is disabled. */
export const FAILING_FOR_MS = 5 * 24 * HOUR;

/** No receiver asks for more patience than this. */
export const MAX_RETRY_AFTER_MS = 24 * HOUR;

/**
 * Milliseconds until the attempt after `attempts` failed ones; null: there is none.
 * @param random between 0 and 1
 */
export function pauseAfter(attempts: number, random: number): number | null {
  const pause = PAUSES_MS[attempts];
  return pause === undefined ? null : Math.round(pause * (1 - JITTER + 2 * JITTER * random));
}
