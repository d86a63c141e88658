import type { Config } from '../../config.ts';

/** Whether other processes count for the same clients. */
export function sharesRateCounts({ RATE_LIMITS, RATE_LIMIT_COUNTERS, MONGODB_URI, WORKERS }: Config): boolean {
  if (RATE_LIMITS === 'off') return false;
  if (RATE_LIMIT_COUNTERS !== 'auto') return RATE_LIMIT_COUNTERS === 'database';
  return MONGODB_URI !== undefined || WORKERS > 1;
}
