import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { expectConsistent } from '../support/consistency.ts';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { ask, mutations, successfulMutations } from '../support/mutate.ts';

let gateway: TestGateway;
const mutate = mutations(() => gateway);
const succeed = successfulMutations(() => gateway);

beforeAll(async () => {
  gateway = await openTestNetwork();
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await expectConsistent(gateway);
  await gateway.close();
});

/** Executes a creation, and starts something after its transaction has read the users and before it inserts them. */
async function whileCreating<Answer>(create: () => Promise<Answer>, happens: () => Promise<unknown>): Promise<Answer> {
  const { channelUsers } = gateway.services.store.collections;
  const insertMany = channelUsers.insertMany.bind(channelUsers);
  let happening: Promise<unknown> | undefined;
  vi.spyOn(channelUsers, 'insertMany').mockImplementationOnce(async (...given) => {
    happening = happens();
    // It may wait for the transaction to end.
    await Promise.race([happening, pause(1_000)]);
    return insertMany(...given);
  });
  const answer = await create();
  await happening;
  return answer;
}

const others = { userIds: ['leo'] };
const onFeed = { title: 'Live', targetType: 'USER', targetId: 'kim', liveChatEnabled: true };
const CREATIONS = [
  ['createChannel', { displayName: 'New', ...others }, 'channel { channelId }', 'leo'],
  ['createConversation', { ...others, isDistinct: false }, 'channel { channelId }', 'leo'],
  ['createRoom', onFeed, 'room { channelId: liveChannelId }', 'kim'],
  ['createVideoStream', { title: 'Live', channelEnabled: true }, 'videoStream { channelId }', 'kim'],
] as const;

test.each(CREATIONS)(
  'a member who is renamed while %s is executed has the new name there',
  async (operation, input, select, renamed) => {
    const displayName = `Renamed during ${operation}`;
    const created = await whileCreating(
      () => succeed('kim', operation, input, select),
      () => succeed('admin', 'updateUser', { userId: renamed, displayName }),
    );
    const { channelId } = created.channel ?? created.room ?? created.videoStream;
    const { channelUsers } = gateway.services.store.collections;
    const key = { networkId: gateway.networkId, channelId, userId: renamed };
    await vi.waitFor(async () => expect(await channelUsers.findOne(key)).toMatchObject({ displayName }));
  },
);

test.each(['createChannel', 'createConversation'] as const)(
  'a user who is deleted while %s is executed does not count as a member afterwards',
  async (operation) => {
    const userId = operation === 'createChannel' ? 'mia' : 'erin';
    const input = { userIds: [userId], ...(operation === 'createChannel' && { displayName: 'New' }) };
    const created = await whileCreating(
      () => mutate('kim', operation, input, 'channel { channelId }'),
      () => succeed('admin', 'deleteUser', { userId }),
    );
    const { channelId } = created.channel;
    const { channel } = await ask(gateway, `{ channel(channelId: "${channelId}") { memberCount } }`, { as: 'kim' });
    expect(channel.memberCount).toBe(1);
    const { channelUsers } = gateway.services.store.collections;
    const key = { networkId: gateway.networkId, channelId, userId };
    expect(await channelUsers.findOne(key)).toMatchObject({ isDeleted: true });
  },
);
