import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectDelivery, namesOf } from '../support/expect-delivery.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { checkAnswer } from '../support/interface.ts';
import { mutations } from '../support/mutate.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const make = mutations(() => gateway);

const ARRAYS = ['channels', 'users', 'files', 'channelUsers'];
/** All fields of a reduced user: `docs/interface.md#reduced-user`. */
const RULES = { arrays: ARRAYS, forms: { users: 'reducedUsers' } };

async function pathOf(channelId: string): Promise<string> {
  const { channels } = gateway.services.store.collections;
  return (await channels.findOne({ networkId: 'default', channelId }))!.path;
}

async function deleted(
  channelId: string,
  { as, by = 'alice' }: { as: string; by?: string },
  work: () => Promise<unknown>,
) {
  const payload = await expectDelivery(
    gateway,
    { event: 'channel.deleted', as, type: 'ChannelEvent', path: await pathOf(channelId), actorId: by },
    work,
  );
  expect(Object.keys(payload.data)).toEqual(ARRAYS);
  checkAnswer(payload.data, RULES);
  for (const array of ['channels', 'channelUsers', 'users']) expect(payload.data[array], array).not.toEqual([]);
  expect(payload.data.channels).toMatchObject([{ channelId, isDeleted: true }]);
  expect(namesOf(payload.fields, 'Channel')).toEqual(expect.arrayContaining(['channelId', 'displayName', 'isDeleted']));
  return payload.data;
}

test('channel.deleted contains the channel, the membership of the recipient, and reduced users', async () => {
  const { channel } = await make(
    'alice',
    'createChannel',
    { displayName: 'Compost', avatarFileId: 'avatar-alice', userIds: ['bob', 'carol'] },
    'channel { channelId }',
  );
  const { channelId } = channel;
  const data = await deleted(channelId, { as: 'bob' }, () =>
    make('alice', 'deleteChannel', { channelId }, 'clientMutationId'),
  );
  expect(data.channelUsers).toMatchObject([{ userId: 'bob', membership: expect.any(String) }]);
  expect(data.users).toMatchObject([{ userId: 'bob' }]);
  expect(data.files).toMatchObject([{ fileId: 'avatar-alice' }]);
});

test('channel.deleted of a conversation contains both members', async () => {
  const { channel } = await make('alice', 'createConversation', { userIds: ['leo'] }, 'channel { channelId }');
  const data = await deleted(channel.channelId, { as: 'leo', by: 'admin' }, async () => {
    const { code } = await make('admin', 'deleteChannel', { channelId: channel.channelId }, 'clientMutationId');
    expect(code).toBeUndefined();
  });
  expect(data.channelUsers.map(({ userId }: { userId: string }) => userId).sort()).toEqual(['alice', 'leo']);
});

test('deleting a community emits channel.deleted of its channel', async () => {
  const { community } = await make(
    'alice',
    'createCommunity',
    { displayName: 'Short-lived', isPublic: false, userIds: ['bob'] },
    'community { communityId channelId }',
  );
  const data = await deleted(community.channelId, { as: 'bob' }, () =>
    make('alice', 'deleteCommunity', { communityId: community.communityId }, 'clientMutationId'),
  );
  expect(data.channelUsers).toMatchObject([{ userId: 'bob' }]);
});
