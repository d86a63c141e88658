import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import {
  CHAT_ENDINGS,
  CHAT_OPERATIONS,
  MEDIA_OPERATIONS,
  prepareEarlierFeed,
  prepareMedia,
} from '../support/operations/chat.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
  await gateway.tokenOf('alice');
  await gateway.tokenOf('admin');
  await prepareEarlierFeed(gateway.services.store.collections);
  await prepareMedia(gateway.services.store.collections);
});
afterAll(() => gateway.close());

const asUser = (as: string, operations: typeof CHAT_OPERATIONS) =>
  operations.map(([title, query, budget]) => [title, query, budget, as] as const);

test.each([
  ...asUser('alice', CHAT_OPERATIONS),
  ...asUser('admin', MEDIA_OPERATIONS),
  ...asUser('alice', CHAT_ENDINGS),
])('%s stays within its budget of commands', async (_, query, budget, as) => {
  let errors: unknown;
  const commands = await gateway.commandsOf(async () => {
    const answer = await gateway.graphql(query, { as });
    errors = answer.errors ?? JSON.stringify(answer.data).match(/.*OperationError.*/) ?? undefined;
  });
  expect(errors).toBeUndefined();
  expect(commands.length, commands.join(' ')).toBeLessThanOrEqual(budget);
});

test('32 concurrent reads of a list of channels share commands: at most 2 per request', async () => {
  const path = '/api/v3/channels/list?channelIds[]=gardeners-chat&channelIds[]=alice-and-bob';
  expect(await gateway.commandsUnderLoad(path)).toBeLessThanOrEqual(2);
});
