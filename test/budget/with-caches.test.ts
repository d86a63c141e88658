import { afterAll, beforeAll, expect, test } from 'vitest';
import { CACHES } from '../cache/pair.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { OTHER_OPERATIONS } from '../support/operations/other.ts';
import { PEOPLE_OPERATIONS } from '../support/operations/people.ts';
import { prepareWebhooks, WEBHOOK_OPERATIONS } from '../support/operations/webhook.ts';

/** The budgets of `every-operation.test.ts` and `get-post.test.ts` also hold with both caches, empty at first. */
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway(CACHES.on);
  await gateway.tokenOf('alice');
  await gateway.tokenOf('judy');
  await prepareWebhooks(gateway.services.store.collections);
});
afterAll(() => gateway.close());

test('the first read of a post with 10 comments by 10 users takes at most 8 commands', async () => {
  const commands = await gateway.commandsOf(() => gateway.rest('/api/v3/posts/seedlings'));
  expect(commands.length, commands.join(' ')).toBeLessThanOrEqual(8);
});

test.each([...OTHER_OPERATIONS, ...PEOPLE_OPERATIONS, ...WEBHOOK_OPERATIONS])(
  'with caches, $query takes at most $budget commands',
  async ({ query, budget, as = 'alice' }) => {
    await gateway.tokenOf(as);
    let answer: Awaited<ReturnType<TestGateway['graphql']>> | undefined;
    const commands = await gateway.commandsOf(async () => {
      answer = await gateway.graphql(query, { as });
    });
    expect(answer!.errors).toBeUndefined();
    expect(commands.length, commands.join(' ')).toBeLessThanOrEqual(budget);
  },
);
