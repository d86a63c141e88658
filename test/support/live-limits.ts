import { afterAll } from 'vitest';
import { LIVE_LIMITS } from '../../src/limits/limits.ts';

type Limits = { -readonly [Name in keyof typeof LIVE_LIMITS]: number };

/** Overrides the limits of subscriptions for a test file; call it before the first gateway starts. */
export function limitLive(limits: Partial<Limits>): void {
  const before = { ...LIVE_LIMITS };
  Object.assign(LIVE_LIMITS, limits);
  afterAll(() => Object.assign(LIVE_LIMITS, before));
}
