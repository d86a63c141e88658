import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { ask, mutations, successfulMutations } from '../support/mutate.ts';

const HOUR = 3_600_000;
const channelId = 'gardeners-chat';

let gateway: TestGateway;
let clock: () => Date;
const mutate = successfulMutations(() => gateway);
const attempt = mutations(() => gateway);
beforeAll(async () => {
  gateway = await startTestGateway();
  clock = gateway.services.now;
});
afterEach(() => {
  gateway.services.now = clock;
});
afterAll(() => gateway.close());

async function mutes(filter: string, as = 'admin') {
  const fields = 'userId channelId reason expiresAt mutedBy { userId }';
  const { mutes } = await ask(gateway, `{ mutes(first: 50, filter: { ${filter} }) { edges { node { ${fields} } } } }`, {
    as,
  });
  return mutes.edges.map(({ node }: { node: object }) => node);
}

const mute = (userId: string, mutePeriod: number, reason?: string) =>
  mutate('admin', 'muteChannelMembers', { channelId, userIds: [userId], mutePeriod, ...(reason && { reason }) });

test('lists mutes with reason and end for moderators, those without end first, until they end or are lifted', async () => {
  await mute('bob', HOUR, 'Advertising');
  await mute('carol', -1);
  await mute('heidi', 2 * HOUR);
  const by = { mutedBy: { userId: 'admin' }, channelId };
  const bob = { ...by, userId: 'bob', reason: 'Advertising', expiresAt: expect.any(String) };
  const carol = { ...by, userId: 'carol', reason: null, expiresAt: null };
  const heidi = { ...by, userId: 'heidi', reason: null, expiresAt: expect.any(String) };
  expect(await mutes(`channelId: "${channelId}"`)).toEqual([carol, heidi, bob]);
  expect(await mutes(`channelId: "${channelId}"`, 'alice')).toEqual([carol, heidi, bob]);
  expect(await mutes('userId: "bob"')).toEqual([bob]);
  gateway.services.now = () => new Date(clock().getTime() + 1.5 * HOUR);
  expect(await mutes(`channelId: "${channelId}"`)).toEqual([carol, heidi]);
  gateway.services.now = clock;
  await mute('carol', 0);
  expect(await mutes(`channelId: "${channelId}"`)).toEqual([heidi, bob]);
});

test('shows the terms to moderators only, and no list of all channels to those of one', async () => {
  await mute('bob', HOUR, 'Advertising');
  const of = (as: string) =>
    ask(
      gateway,
      `{ channel(channelId: "${channelId}") { members(first: 100) { edges { node { userId isMuted mute { reason } } } } } }`,
      { as },
    );
  const found = async (as: string) =>
    (await of(as)).channel.members.edges.find(({ node }: { node: { userId: string } }) => node.userId === 'bob').node;
  expect(await found('alice')).toEqual({ userId: 'bob', isMuted: true, mute: { reason: 'Advertising' } });
  expect(await found('bob')).toEqual({ userId: 'bob', isMuted: true, mute: null });
  expect(await mutes('userId: "bob"', 'alice')).toEqual([]);
  expect(await mutes(`channelId: "${channelId}"`, 'bob')).toEqual([]);
});

test('records the reason in the audit log, and rejects one that is too long', async () => {
  await mute('kim', HOUR, 'Insults');
  const entry = await gateway.services.store.collections.auditEntries.findOne(
    { action: 'muteChannelMembers', affectedUserId: 'kim' },
    { sort: { _id: -1 } },
  );
  expect(entry).toMatchObject({ actorId: 'admin', channelId, reason: 'Insults', details: { mutePeriod: HOUR } });
  const input = { channelId, userIds: ['kim'], mutePeriod: HOUR, reason: 'x'.repeat(1_001) };
  expect(await attempt('admin', 'muteChannelMembers', input, '__typename')).toMatchObject({
    code: 'INVALID_PARAMETERS',
    path: ['reason'],
  });
});
