import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { ask, successfulMutations } from '../support/mutate.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ RATE_LIMITS: 'off' });
});
afterAll(() => gateway.close());

const INBOX =
  '{ viewer { unreadCounts { unreadCount } communities(first: 5) { edges { node { displayName } } } channels(first: 5) { edges { node { displayName viewerMarker { unreadCount } messages(first: 1) { edges { node { data author { displayName } } } } } } } } }';

async function commandsOfInbox(): Promise<string[]> {
  await ask(gateway, INBOX, { as: 'heidi' });
  return gateway.commandsOf(() => ask(gateway, INBOX, { as: 'heidi' }));
}

test('an inbox of one query takes the same number of commands with more channels, communities and messages', async () => {
  const mutate = successfulMutations(gateway);
  const before = await commandsOfInbox();
  for (let count = 0; count < 6; count++) {
    const channelId = `row-${count}`;
    await mutate('alice', 'createChannel', { channelId, displayName: channelId, userIds: ['heidi'] });
    await mutate('alice', 'createCommunity', { displayName: channelId, userIds: ['heidi'] });
    for (const text of ['one', 'two']) await mutate('alice', 'sendMessage', { channelId, data: { text } });
  }
  const after = await commandsOfInbox();
  expect(after.length, `${before.join(' ')}\n${after.join(' ')}`).toBeLessThanOrEqual(before.length + 1);
  expect(after.length).toBeLessThanOrEqual(20);
});
