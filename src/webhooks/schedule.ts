const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Pause before each attempt; the first attempt is immediate. About 75 hours in total. */
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

/** Random share by which each pause is longer or shorter, so that a recovered receiver does not get all retries at the same moment. */
const JITTER = 0.05;

export const MAX_ATTEMPTS = PAUSES_MS.length;

/** An endpoint whose deliveries have failed for this long is disabled. */
export const FAILING_FOR_MS = 5 * 24 * HOUR;

/** Upper bound of a pause that a receiver requests. */
export const MAX_RETRY_AFTER_MS = 24 * HOUR;

/**
 * Milliseconds until the attempt after `attempts` failed ones; null when the delivery has failed for good.
 * @param random between 0 and 1
 */
export function pauseAfter(attempts: number, random: number): number | null {
  const pause = PAUSES_MS[attempts];
  return pause === undefined ? null : Math.round(pause * (1 - JITTER + 2 * JITTER * random));
}
