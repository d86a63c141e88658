import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findInconsistencies } from '../support/consistency.ts';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';

let gateway: TestGateway;
let mutate: ReturnType<typeof mutations>;
beforeAll(async () => {
  gateway = await openTestNetwork();
  mutate = mutations(gateway);
});
afterAll(async () => {
  expect(await findInconsistencies(gateway.services.store.db, gateway.networkId)).toEqual([]);
  await gateway.close();
});

/** Runs `happens` while a write that has passed its permission check waits for the lock of its record. */
async function meanwhile<Answer>(key: string, write: () => Promise<Answer>, happens: () => Promise<unknown>) {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const lock = gateway.services.store.transaction(() => released, { key });
  const answer = write();
  await pause(500);
  expect(await happens()).not.toHaveProperty('code');
  release();
  await lock;
  return answer;
}

test('rejects a reaction whose user is banned from the community before the reaction is written', async () => {
  await gateway.tokenOf('bob');
  const answer = await meanwhile(
    `post ${gateway.networkId} seedlings`,
    () =>
      mutate(
        'bob',
        'addReaction',
        { referenceType: 'POST', referenceId: 'seedlings', reactionName: 'late' },
        'reaction { reactionId }',
      ),
    () => mutate('alice', 'banCommunityMembers', { communityId: 'gardeners', userIds: ['bob'] }, '__typename'),
  );
  expect(answer).toMatchObject({ code: 'NOT_FOUND' });
  const { reactions } = gateway.services.store.collections;
  expect(await reactions.countDocuments({ networkId: gateway.networkId, reactionName: 'late' })).toBe(0);
});

test('rejects a reaction to a message whose user is banned from the channel before the reaction is written', async () => {
  await gateway.tokenOf('carol');
  const opened = { channelId: 'talk', displayName: 'Talk', userIds: ['carol'] };
  await mutate('alice', 'createChannel', opened, '__typename');
  const messageInput = { channelId: 'talk', data: { text: 'Hi' } };
  const { messageId } = (await mutate('alice', 'sendMessage', messageInput, 'chatMessage { messageId }')).chatMessage;
  const answer = await meanwhile(
    `message ${gateway.networkId} ${messageId}`,
    () =>
      mutate(
        'carol',
        'addReaction',
        { referenceType: 'MESSAGE', referenceId: messageId, reactionName: 'late' },
        'reaction { reactionId }',
      ),
    () => mutate('alice', 'banChannelMembers', { channelId: 'talk', userIds: ['carol'] }, '__typename'),
  );
  expect(answer).toMatchObject({ code: 'FORBIDDEN' });
});
