import { afterAll } from 'vitest';
import { CONNECTION_LIMITS } from '../../src/limits/limits.ts';

type Limits = { -readonly [Name in keyof typeof CONNECTION_LIMITS]: number };

/** Gives the gateways of a test file other limits of connections; call it before the first one starts. */
export function limitConnections(limits: Partial<Limits>): void {
  const before = { ...CONNECTION_LIMITS };
  Object.assign(CONNECTION_LIMITS, limits);
  afterAll(() => Object.assign(CONNECTION_LIMITS, before));
}
