import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createContext } from '../../src/context.ts';
import { liftEndedBansAndMutes } from '../../src/domain/moderation/lift-ended-bans-and-mutes.ts';
import { findInconsistencies } from '../support/consistency.ts';
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
afterAll(async () => {
  expect(await findInconsistencies(gateway.services.store.db)).toEqual([]);
  await gateway.close();
});

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

describe('the end of a mute', () => {
  const networkId = 'default';
  const lift = () => liftEndedBansAndMutes(createContext(gateway.services, null), networkId);
  const eventsOf = (type: string) =>
    gateway.services.store.collections.events
      .find({ networkId, type } as object)
      .sort({ _id: 1 })
      .toArray();
  const systemActs = (action: string, more: object) =>
    gateway.services.store.collections.auditEntries.find({ networkId, action, actorKind: 'system', ...more }).toArray();
  const later = (hours: number) => {
    gateway.services.now = () => new Date(clock().getTime() + hours * HOUR);
  };
  /** Events of mutes of a user after the first `from`, by the gateway itself. */
  const unmutesOf = async (userId: string, from: number) => {
    const events = (await eventsOf('channel.setMutedUsers')).slice(from);
    expect(events.every(({ actorId }) => actorId === null)).toBe(true);
    return events.filter(({ data }) => (data.userIds as string[]).includes(userId)).length;
  };
  const memberOf = (userId: string) =>
    gateway.services.store.collections.channelUsers.findOne({ networkId, channelId, userId });

  test('of a member is exact when it is read, and stored once with its event and an act of the system', async () => {
    await mute('grace', HOUR, 'Noise');
    const before = (await eventsOf('channel.setMutedUsers')).length;
    await lift();
    expect(await eventsOf('channel.setMutedUsers')).toHaveLength(before);

    later(1.5);
    const { body } = await gateway.rest(`/api/v4/channels/${channelId}/users`, { as: 'alice' });
    const grace = (body.channelUsers as Array<{ userId: string }>).find(({ userId }) => userId === 'grace');
    expect(grace).toMatchObject({ isMuted: false, muteTimeout: null });
    expect(await memberOf('grace')).toMatchObject({ isMuted: true });

    // Two processes.
    await Promise.all([lift(), lift()]);
    await lift();
    const stored = await memberOf('grace');
    expect(stored).toMatchObject({ isMuted: false, muteTimeout: null });
    expect(stored).not.toHaveProperty('mute');
    expect(stored).not.toHaveProperty('mutedUntil');
    const acts = await systemActs('muteChannelMembers', { affectedUserId: 'grace' });
    expect(acts).toMatchObject([
      { subjectId: 'grace', channelId, actorId: null, transport: 'background', details: { mutePeriod: 0 } },
    ]);
    expect(await unmutesOf('grace', before)).toBe(1);
  });

  test('of a member who left meanwhile is stored without an event', async () => {
    await mute('judy', HOUR);
    const from = (await eventsOf('channel.setMutedUsers')).length;
    await mutate('judy', 'leaveCommunity', { communityId: 'gardeners' });
    later(2);
    await lift();
    expect(await memberOf('judy')).toMatchObject({ membership: 'none', isMuted: false, muteTimeout: null });
    expect(await unmutesOf('judy', from)).toBe(0);
    expect(await systemActs('muteChannelMembers', { affectedUserId: 'judy' })).toEqual([]);
  });

  test('that an older release changed without its terms causes no event', async () => {
    await mute('frank', HOUR);
    const { channelUsers } = gateway.services.store.collections;
    await channelUsers.updateOne({ networkId, channelId, userId: 'frank' }, { $set: { muteTimeout: null } });
    later(2);
    await lift();
    const stored = await memberOf('frank');
    expect(stored).toMatchObject({ isMuted: true, muteTimeout: null });
    expect(stored).not.toHaveProperty('mutedUntil');
    expect(await systemActs('muteChannelMembers', { affectedUserId: 'frank' })).toEqual([]);
  });

  test('of a channel is exact when it is read, and stored once; a failed attempt leaves no part of it', async () => {
    await mutate('admin', 'muteChannel', { channelId, mutePeriod: HOUR });
    const { channels, events } = gateway.services.store.collections;
    const stored = () => channels.findOne({ networkId, channelId });
    const before = (await eventsOf('channel.setMuted')).length;
    later(1.5);
    const { channel } = await ask(gateway, `{ channel(channelId: "${channelId}") { isMuted muteTimeout } }`);
    expect(channel).toEqual({ isMuted: false, muteTimeout: null });
    expect(await stored()).toMatchObject({ isMuted: true });

    const fault = vi.spyOn(events, 'insertMany').mockRejectedValueOnce(new Error('interrupted'));
    await lift();
    fault.mockRestore();
    expect(await stored()).toMatchObject({ isMuted: true });
    expect(await systemActs('muteChannel', { channelId })).toEqual([]);

    await Promise.all([lift(), lift()]);
    await lift();
    expect(await stored()).toMatchObject({ isMuted: false, muteTimeout: null });
    expect((await eventsOf('channel.setMuted')).length).toBe(before + 1);
    expect(await systemActs('muteChannel', { channelId })).toMatchObject([
      { subjectType: 'channel', subjectId: channelId, actorId: null, details: { mutePeriod: 0 } },
    ]);
  });

  test('of a mute without an end never comes', async () => {
    await mute('carol', -1);
    later(24 * 365);
    await lift();
    expect(await memberOf('carol')).toMatchObject({ isMuted: true, muteTimeout: null });
  });
});
