import { afterAll } from 'vitest';
import { CONNECTION_LIMITS } from '../../src/limits/limits.ts';

type Limits = { -readonly [Name in keyof typeof CONNECTION_LIMITS]: number };

/** Overrides the connection limits for a test file; call it before the first gateway starts. */
export function limitConnections(limits: Partial<Limits>): void {
  const before = { ...CONNECTION_LIMITS };
  Object.assign(CONNECTION_LIMITS, limits);
  afterAll(() => Object.assign(CONNECTION_LIMITS, before));
}
