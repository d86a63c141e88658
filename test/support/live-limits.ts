import { afterAll } from 'vitest';
import { LIVE_LIMITS } from '../../src/limits/limits.ts';

type Limits = { -readonly [Name in keyof typeof LIVE_LIMITS]: number };

/** Gives the gateways of a test file other limits; call it before the first one starts. */
export function limitLive(limits: Partial<Limits>): void {
  const before = { ...LIVE_LIMITS };
  Object.assign(LIVE_LIMITS, limits);
  afterAll(() => Object.assign(LIVE_LIMITS, before));
}
