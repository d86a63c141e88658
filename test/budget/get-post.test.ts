import autocannon from 'autocannon';
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

test('with 32 requests in flight they share their commands: at most 2 a request', async () => {
  const amount = 320;
  const headers = { authorization: `Bearer ${await gateway.tokenOf('alice')}` };
  const commands = await gateway.commandsOf(async () => {
    const result = await autocannon({ url: `${gateway.url}${PATH}`, connections: 32, amount, headers });
    expect(result['2xx']).toBe(amount);
  });
  expect(commands.length).toBeLessThanOrEqual(2 * amount);
});
