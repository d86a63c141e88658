import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { SOCIAL_WRITES } from '../support/operations/social.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
  await Promise.all(['alice', 'bob', 'carol', 'frank', 'kim'].map((userId) => gateway.tokenOf(userId)));
});
afterAll(() => gateway.close());

test.each(SOCIAL_WRITES)('%s stays within %i commands', async (query, budget, as) => {
  let answer: Awaited<ReturnType<TestGateway['graphql']>> | undefined;
  const commands = await gateway.commandsOf(async () => {
    answer = await gateway.graphql(query, { as });
  });
  expect(answer!.errors).toBeUndefined();
  expect(commands.length, commands.join(' ')).toBeLessThanOrEqual(budget);
});
