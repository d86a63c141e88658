import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
  await gateway.tokenOf('alice');
});
afterAll(() => gateway.close());

const PATH = '/api/v3/posts/seedlings';

test('reading a post with 10 comments by 10 users takes at most 8 commands', async () => {
  await gateway.rest(PATH);
  const commands = await gateway.commandsOf(() => gateway.rest(PATH));
  expect(commands.length).toBeLessThanOrEqual(8);
});

test('32 concurrent requests share commands: at most 2 per request', async () => {
  expect(await gateway.commandsUnderLoad(PATH)).toBeLessThanOrEqual(2);
});
