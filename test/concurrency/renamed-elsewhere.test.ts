import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createContext } from '../../src/context.ts';
import { finishInterruptedUsers } from '../../src/domain/user/update-memberships.ts';
import { findInconsistencies } from '../support/consistency.ts';
import { ask, successfulMutations } from '../support/mutate.ts';
import { startTwoGateways, type TwoGateways } from '../support/two-gateways.ts';

const network = { networkId: 'default' };
const MINUTE_MS = 60_000;

let two: TwoGateways;
beforeAll(async () => {
  two = await startTwoGateways();
}, 240_000);
afterEach(() => vi.restoreAllMocks());
afterAll(() => two.close());

const here = successfulMutations(() => two.first);
const elsewhere = successfulMutations(() => two.at(two.urls[1]));

/** Executes a creation in this process, and something in the other one between the read of the users and their insertion. */
async function whileCreating<Answer>(create: () => Promise<Answer>, happens: () => Promise<unknown>): Promise<Answer> {
  const { channelUsers } = two.store.collections;
  const insertMany = channelUsers.insertMany.bind(channelUsers);
  vi.spyOn(channelUsers, 'insertMany').mockImplementationOnce(async (...given) => {
    await happens();
    return insertMany(...given);
  });
  return create();
}

/** What a gateway does in the background, `minutes` later. */
async function recheckAfter(minutes: number): Promise<void> {
  const now = () => new Date(Date.now() + minutes * MINUTE_MS);
  await finishInterruptedUsers(createContext({ ...two.first.services, now }, null), 'default');
}

const recheckOf = async (userId: string) =>
  (await two.store.collections.users.findOne({ ...network, userId }))!.recheckMembershipsAt;

const CREATIONS = [
  ['createChannel', { displayName: 'New', userIds: ['leo'] }, 'channel { channelId }', 'leo'],
  ['createConversation', { userIds: ['leo'], isDistinct: false }, 'channel { channelId }', 'leo'],
  ['createVideoStream', { title: 'Live', channelEnabled: true }, 'videoStream { channelId }', 'kim'],
] as const;

test.each(CREATIONS)(
  'a member whom another gateway renames while %s is executed gets the new name later',
  async (operation, input, select, userId) => {
    const displayName = `Renamed during ${operation}`;
    const created = await whileCreating(
      () => here('kim', operation, input, select),
      () => elsewhere('admin', 'updateUser', { userId, displayName }, 'user { userId }'),
    );
    const { channelId } = created.channel ?? created.videoStream;
    const member = () => two.store.collections.channelUsers.findOne({ ...network, channelId, userId });
    // A transaction that began before the rename may still commit.
    await recheckAfter(3);
    expect(await recheckOf(userId)).toBeInstanceOf(Date);
    await recheckAfter(6);
    expect(await member()).toMatchObject({ displayName, membership: 'member' });
    expect(await recheckOf(userId)).toBeUndefined();
    expect(await findInconsistencies(two.store.db)).toEqual([]);
  },
);

test('a member whom another gateway deletes while a conversation is created leaves it', async () => {
  const created = await whileCreating(
    () => here('kim', 'createConversation', { userIds: ['mia'] }, 'channel { channelId }'),
    () => elsewhere('admin', 'deleteUser', { userId: 'mia' }, 'user { userId }'),
  );
  const { channelId } = created.channel;
  await recheckAfter(6);
  const { channel } = await ask(two.first, `{ channel(channelId: "${channelId}") { memberCount } }`, { as: 'kim' });
  expect(channel.memberCount).toBe(1);
  const { channelUsers, events } = two.store.collections;
  const key = { ...network, channelId, userId: 'mia' };
  expect(await channelUsers.findOne(key)).toMatchObject({ isDeleted: true, displayName: 'Deleted user' });
  const left = await events.find({ ...network, type: 'channel.left' }).toArray();
  expect(left.map(({ data }) => data)).toContainEqual(expect.objectContaining({ channelId, userIds: ['mia'] }));
  expect(await findInconsistencies(two.store.db)).toEqual([]);
});

test('a recheck that is due leaves a later one', async () => {
  const rename = (displayName: string) =>
    here('admin', 'updateUser', { userId: 'erin', displayName }, 'user { userId }');
  await rename('First');
  const { users } = two.store.collections;
  const next = new Date(Date.now() + 60 * MINUTE_MS);
  const spy = vi.spyOn(users, 'updateOne').mockImplementationOnce(async (...given) => {
    spy.mockRestore();
    await users.updateOne({ ...network, userId: 'erin' }, { $set: { recheckMembershipsAt: next } });
    return users.updateOne(...given);
  });
  await recheckAfter(6);
  expect(await recheckOf('erin')).toEqual(next);
});

test('concurrent creations with a common member neither write the record of the member nor conflict', async () => {
  const { users } = two.store.collections;
  const creators = ['kim', 'leo', 'heidi', 'bob'];
  await Promise.all(creators.map((as) => two.first.tokenOf(as)));
  const before = await users.findOne({ ...network, userId: 'carol' });
  let open = 0;
  let mostOpen = 0;
  const { channelUsers } = two.store.collections;
  const insertMany = channelUsers.insertMany.bind(channelUsers);
  const spy = vi.spyOn(channelUsers, 'insertMany').mockImplementation(async (...given) => {
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    await vi.waitUntil(() => mostOpen === creators.length, { timeout: 20_000 });
    return insertMany(...given);
  });
  await Promise.all(
    creators.map((as) =>
      here(as, 'createConversation', { userIds: ['carol'], isDistinct: false }, 'channel { channelId }'),
    ),
  );
  expect(spy).toHaveBeenCalledTimes(creators.length);
  expect(await users.findOne({ ...network, userId: 'carol' })).toEqual(before);
});
