import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({}, { knownAnswers: 'returned' });
});
afterAll(() => gateway.close());

test('returns the answer of a repeated request while nothing has changed', async () => {
  const first = await gateway.rest('/api/v3/posts/seedlings');
  const before = gateway.answers.stats.returned;
  const second = await gateway.rest('/api/v3/posts/seedlings');
  const third = await gateway.rest('/api/v3/posts/seedlings');
  expect(second.text).toBe(first.text);
  expect(third.text).toBe(first.text);
  expect(gateway.answers.stats.returned).toBe(before + 1);
});
