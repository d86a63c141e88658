import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { AUDIT } from '../support/operations/audit.ts';
import { POST_OPERATIONS } from '../support/operations/post.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
  await gateway.tokenOf('bob');
  // Fills the cache of categories: the budgets below assume a warm gateway.
  await gateway.rest('/api/v3/posts/seedlings', { as: 'bob' });
});
afterAll(() => gateway.close());

async function commandsOfQuery(query: string): Promise<number> {
  let errors: unknown;
  const commands = await gateway.commandsOf(async () => {
    ({ errors } = await gateway.graphql(query, { as: 'bob' }));
  });
  expect(errors, query).toBeUndefined();
  return commands.length;
}

test.each(POST_OPERATIONS)('%s stays within %i commands', async (query, budget) => {
  expect(await commandsOfQuery(query)).toBeLessThanOrEqual(budget);
});

test('32 concurrent reads of a feed take at most 4 commands per request', async () => {
  expect(await gateway.commandsUnderLoad('/api/v3/content-feeds?options[limit]=5', 'bob')).toBeLessThanOrEqual(4);
});

test('flagging and pinning a post take one transaction', async () => {
  const flag =
    'mutation { flagPost(input: { postId: "compost" }) { __typename ... on FlagPostPayload { post { flagCount } } } }';
  expect(await commandsOfQuery(flag)).toBeLessThanOrEqual(10);
  const unflag =
    'mutation { unflagPost(input: { postId: "compost" }) { __typename ... on UnflagPostPayload { post { flagCount } } } }';
  expect(await commandsOfQuery(unflag)).toBeLessThanOrEqual(11);
  const pin =
    'mutation { pinPost(input: { communityId: "gardeners", placement: DEFAULT, postId: "potting" }) { __typename } }';
  await gateway.tokenOf('alice');
  const commands = await gateway.commandsOf(() => gateway.graphql(pin, { as: 'alice' }));
  expect(commands.length).toBeLessThanOrEqual(10 + AUDIT);
});
