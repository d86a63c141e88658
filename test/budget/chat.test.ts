import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { CHAT_OPERATIONS } from '../support/operations/chat.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
  await gateway.tokenOf('alice');
});
afterAll(() => gateway.close());

test.each(CHAT_OPERATIONS)('%s stays within its commands', async (_, query, budget) => {
  let errors: unknown;
  const commands = await gateway.commandsOf(async () => {
    const answer = await gateway.graphql(query);
    errors = answer.errors ?? JSON.stringify(answer.data).match(/OperationError/) ?? undefined;
  });
  expect(errors).toBeUndefined();
  expect(commands.length, commands.join(' ')).toBeLessThanOrEqual(budget);
});

test('32 readers of a list of channels at once share their commands: at most 2 a request', async () => {
  const path = '/api/v3/channels/list?channelIds[]=gardeners-chat&channelIds[]=alice-and-bob';
  expect(await gateway.commandsUnderLoad(path)).toBeLessThanOrEqual(2);
});
