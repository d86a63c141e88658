import { expect } from 'vitest';
import type { RestCall, TestGateway } from './gateway.ts';

export const INVALID = [422, 500000] as const;
export const NOT_FOUND = [404, 400400] as const;

/** Expects a call to be rejected with the error body that published clients parse. */
export async function expectRefusal(
  gateway: TestGateway,
  path: string,
  options: RestCall,
  refusal: readonly [status: number, code: number],
): Promise<void> {
  const { status, body } = await gateway.rest(path, options);
  expect(
    [status, body.code, body.status],
    `${options.method ?? 'GET'} ${path} ${JSON.stringify(options.body ?? {})}`,
  ).toEqual([...refusal, 'error']);
  expect(typeof body.message).toBe('string');
}
