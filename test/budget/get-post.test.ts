import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
  await gateway.tokenOf('alice');
});
afterAll(() => gateway.close());

const read = () => gateway.rest('/api/v3/posts/seedlings');

test('reading a post with 10 comments by 10 users takes at most 8 commands', async () => {
  await read();
  expect((await gateway.commandsOf(read)).length).toBeLessThanOrEqual(8);
});

test('32 readers at once share their commands: at most 2 a request', async () => {
  const commands = await gateway.commandsOf(() => Promise.all(Array.from({ length: 32 }, read)));
  expect(commands.length).toBeLessThanOrEqual(64);
});
