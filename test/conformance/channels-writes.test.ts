import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHANNEL_ARRAYS } from '../support/chat-sample.ts';
import { findInconsistencies } from '../support/consistency.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { checkAnswer } from '../support/interface.ts';
import { mutations } from '../support/mutate.ts';
import { expectRefusal, INVALID } from '../support/refusals.ts';

let gateway: TestGateway;
let mutate: ReturnType<typeof mutations>;
beforeAll(async () => {
  gateway = await startTestGateway();
  mutate = mutations(gateway);
});
afterEach(async () => expect(await findInconsistencies(gateway.services.store.db)).toEqual([]));
afterAll(() => gateway.close());

const CHANNEL = `channel { channelId type displayName isPublic isDistinct isDeleted memberCount tags metadata isMuted muteTimeout
  isRateLimited rateLimit rateLimitWindow rateLimitTimeout defaultMessageFeedId viewerMarker { unreadCount membership }
  viewerCanSend viewerCanEdit viewerCanDelete viewerCanModerate }`;
const MEMBERS = `${CHANNEL} channelUsers { userId membership isBanned isMuted muteTimeout roles permissions readToSegment }`;
const create = async (as: string, input: object = {}) =>
  (await mutate(as, 'createChannel', { displayName: 'Compost', ...input }, MEMBERS)) as {
    channel: { channelId: string; isPublic: boolean } & Record<string, unknown>;
    channelUsers: Array<{ userId: string; roles: string[] }>;
  };
const send = (as: string, channelId: string) =>
  mutate(as, 'sendMessage', { channelId, data: { text: 'Hi' } }, 'chatMessage { segment }');

describe('creating a channel', () => {
  test('makes the creator the moderator and the listed users members', async () => {
    const created = await create('erin', {
      channelId: 'compost',
      userIds: ['bob', 'erin', 'bob'],
      tags: ['a'],
      metadata: { $x: 1 },
    });
    expect(created.channel).toMatchObject({
      channelId: 'compost',
      type: 'STANDARD',
      isPublic: true,
      memberCount: 2,
      tags: ['a'],
      metadata: { $x: 1 },
      viewerCanDelete: true,
    });
    expect(created.channelUsers.map(({ userId, roles }) => [userId, roles])).toEqual([
      ['erin', ['member', 'channel-moderator']],
      ['bob', ['member']],
    ]);
    expect(await create('bob', { channelId: 'compost' })).toMatchObject({ code: 'DUPLICATE', path: ['channelId'] });
    await create('alice', { channelId: 'compost-secrets', type: 'PRIVATE' });
    const hidden = await create('bob', { channelId: 'compost-secrets' });
    const reserved = await create('bob', { channelId: 'conversation-x' });
    expect(hidden).toMatchObject({ code: 'INVALID_PARAMETERS', path: ['channelId'] });
    expect(reserved).toEqual(hidden);
    expect(await create('alice', { channelId: 'compost-secrets' })).toMatchObject({ code: 'DUPLICATE' });
    expect(await create('erin', { userIds: ['nobody-here'] })).toMatchObject({ code: 'NOT_FOUND' });
    expect(await create('erin', { channelId: 'conversation-x' })).toMatchObject({
      code: 'INVALID_PARAMETERS',
      path: ['channelId'],
    });
    expect(await create('erin', { displayName: '' })).toMatchObject({
      code: 'INVALID_PARAMETERS',
      path: ['displayName'],
    });
    expect((await create('erin', { type: 'PRIVATE', isPublic: true })).channel.isPublic).toBe(false);
    expect(await create('erin', { type: 'BROADCAST' })).toMatchObject({ code: 'PERMISSION_DENIED' });
  });

  test('accepts a hexadecimal channel id without addressing the channel with that internal id', async () => {
    const own = '65f0c0ffee65f0c0ffee65f0';
    expect((await create('bob', { channelId: own })).channel.channelId).toBe(own);
    const { data } = await gateway.graphql<{ channel: { internalId: string } }>(
      '{ channel(channelId: "gardeners-chat") { internalId } }',
    );
    const { internalId } = data.channel;
    expect((await create('erin', { channelId: internalId, displayName: 'Trap' })).channel.channelId).toBe(internalId);
    const openFeed = (as: string, channelId: string) =>
      mutate(as, 'createMessageFeed', { channelId, name: 'Side' }, 'messageFeed { channelId }');
    expect((await openFeed('alice', internalId)).messageFeed.channelId).toBe('gardeners-chat');
  });

  describe('a channel whose id equals the internal id of a hidden channel', () => {
    const internalIdOf = async (channelId: string) => {
      const query = `{ channel(channelId: "${channelId}") { internalId } }`;
      return (await gateway.graphql<{ channel: { internalId: string } }>(query)).data.channel.internalId;
    };
    const openFeed = (as: string, channelId: string) =>
      mutate(as, 'createMessageFeed', { channelId, name: 'Side' }, 'messageFeed { channelId }');
    const markRead = (as: string, channelId: string) =>
      gateway.rest(`/api/v1/markers/channels/${channelId}/mark-read`, { method: 'PUT', as });

    test('behaves like any other channel and does not reveal the hidden one', async () => {
      const internalId = await internalIdOf(
        (await create('alice', { channelId: 'cellar', type: 'PRIVATE' })).channel.channelId,
      );
      await create('bob', { channelId: internalId, userIds: ['carol'] });
      expect((await openFeed('bob', internalId)).messageFeed.channelId).toBe(internalId);
      expect((await markRead('carol', internalId)).status).toBe(200);
    });

    test('is not addressed by members and former members of the hidden channel', async () => {
      const { channelId } = (
        await create('alice', { channelId: 'attic', type: 'PRIVATE', userIds: ['carol', 'heidi'] })
      ).channel;
      const internalId = await internalIdOf(channelId);
      await create('bob', { channelId: internalId, userIds: ['alice', 'carol', 'heidi'] });
      await mutate('heidi', 'leaveChannel', { channelId }, '__typename');
      expect((await openFeed('alice', internalId)).messageFeed.channelId).toBe(channelId);
      expect((await markRead('carol', internalId)).body.userEntityMarkers[0].entityId).toBe(internalId);
      expect((await markRead('heidi', internalId)).status).toBe(404);
      await mutate('alice', 'deleteChannel', { channelId }, '__typename');
      expect((await markRead('carol', internalId)).status).toBe(404);
      expect(await openFeed('alice', internalId)).toMatchObject({ code: 'NOT_FOUND' });
    });
  });

  test('generates random channel ids that are also internal ids and ids of default feeds', async () => {
    const ids = [];
    const converse = () => mutate('alice', 'createConversation', { userIds: ['heidi', 'judy'] }, MEMBERS);
    for (const createOne of [create, create, converse]) {
      const { channelId } = (await createOne('alice')).channel;
      const { data } = await gateway.graphql(
        `{ channel(channelId: "${channelId}") { channelId internalId defaultMessageFeedId } }`,
      );
      expect(data.channel).toEqual({ channelId, internalId: channelId, defaultMessageFeedId: channelId });
      expect(channelId).toMatch(/^[0-9a-f]{24}$/);
      ids.push(channelId.slice(0, 8));
    }
    // The first digits of an ordinary ObjectId are the time.
    expect(new Set(ids).size).toBe(3);
  });

  test('there is one conversation per set of users', async () => {
    const talk = (as: string, userIds: string[], more: object = {}) =>
      mutate(as, 'createConversation', { userIds, ...more }, MEMBERS);
    const first = await talk('bob', ['carol']);
    expect(first.channel).toMatchObject({ type: 'CONVERSATION', isDistinct: true, memberCount: 2, isPublic: false });
    const { channelId } = first.channel;
    expect((await talk('carol', ['bob', 'carol'])).channel.channelId).toBe(channelId);
    expect((await talk('carol', ['bob', 'heidi'])).channel.channelId).not.toBe(channelId);
    expect((await talk('carol', ['bob'], { isDistinct: false })).channel.channelId).not.toBe(channelId);
    expect(await talk('bob', ['bob'])).toMatchObject({ code: 'INVALID_PARAMETERS', path: ['userIds'] });
    expect(await mutate('carol', 'leaveChannel', { channelId }, MEMBERS)).toMatchObject({ code: 'BAD_REQUEST' });
    expect(
      (await mutate('carol', 'updateChannel', { channelId, displayName: 'Us' }, CHANNEL)).channel.displayName,
    ).toBe('Us');
    await mutate('admin', 'deleteChannel', { channelId }, CHANNEL);
    const again = (await talk('bob', ['carol'])).channel;
    expect(again.channelId).not.toBe(channelId);
    expect((await talk('carol', ['bob'])).channel.channelId).toBe(again.channelId);
    const { distinctConversations } = gateway.services.store.collections;
    const keys = await distinctConversations.find({ networkId: 'default', channelId: again.channelId }).toArray();
    expect(keys).toHaveLength(1);
  });
});

describe('members', () => {
  test('join, leave and rejoin without earlier unread messages', async () => {
    const { channelId } = (await create('alice')).channel;
    for (let n = 0; n < 3; n += 1) await send('alice', channelId);
    const joined = await mutate('bob', 'joinChannel', { channelId }, MEMBERS);
    expect(joined).toMatchObject({
      channel: { memberCount: 2, viewerMarker: { unreadCount: 0, membership: 'MEMBER' }, viewerCanSend: true },
      channelUsers: [{ userId: 'bob', readToSegment: 3 }],
    });
    await send('alice', channelId);
    expect((await mutate('bob', 'joinChannel', { channelId }, MEMBERS)).channel).toMatchObject({
      memberCount: 2,
      viewerMarker: { unreadCount: 1 },
    });
    expect((await mutate('bob', 'leaveChannel', { channelId }, MEMBERS)).channel).toMatchObject({
      memberCount: 1,
      viewerMarker: { unreadCount: 0, membership: 'NON_MEMBER' },
    });
    expect((await mutate('bob', 'leaveChannel', { channelId }, MEMBERS)).channel.memberCount).toBe(1);
    expect(await send('bob', channelId)).toMatchObject({ code: 'FORBIDDEN' });
    expect((await mutate('bob', 'joinChannel', { channelId }, MEMBERS)).channel.viewerMarker.unreadCount).toBe(0);
    const { channelId: closed } = (await create('alice', { type: 'PRIVATE' })).channel;
    expect(await mutate('bob', 'joinChannel', { channelId: closed }, MEMBERS)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await mutate('erin', 'joinChannel', { channelId: 'gardeners-chat' }, MEMBERS)).toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  test('are added, removed, banned and unbanned by moderators', async () => {
    const { channelId } = (await create('alice', { type: 'PRIVATE' })).channel;
    const change = (verb: string, userIds: string[], as = 'alice') =>
      mutate(as, `${verb}ChannelMembers`, { channelId, userIds }, MEMBERS);
    expect((await change('add', ['bob', 'carol', 'bob'])).channel.memberCount).toBe(3);
    expect(await change('add', ['heidi'], 'bob')).toMatchObject({ code: 'PERMISSION_DENIED' });
    expect((await change('remove', ['carol'])).channel.memberCount).toBe(2);
    expect(await change('remove', ['carol'])).toMatchObject({ code: 'NOT_FOUND' });
    expect(await change('remove', ['alice'])).toMatchObject({ code: 'BAD_REQUEST' });
    const banned = await change('ban', ['bob', 'heidi']);
    expect(banned).toMatchObject({
      channel: { memberCount: 1 },
      channelUsers: [{ isBanned: true, roles: [] }, { isBanned: true }],
    });
    expect(await send('bob', channelId)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await change('add', ['bob'])).toMatchObject({ code: 'BANNED', path: ['userIds'] });
    expect((await change('unban', ['bob', 'carol'])).channelUsers).toMatchObject([
      { userId: 'bob', membership: 'NONE' },
      { userId: 'carol', membership: 'NONE' },
    ]);
    expect((await change('add', ['bob'])).channel.memberCount).toBe(2);
    expect(await change('ban', ['admin'])).toMatchObject({ code: 'PERMISSION_DENIED', path: ['userIds'] });
    const many = Array.from({ length: 101 }, (_, index) => `u${index}`);
    expect(await change('add', many)).toMatchObject({ code: 'INVALID_PARAMETERS', path: ['userIds'] });
  });

  test('a mute ends after its period', async () => {
    const { channelId } = (await create('alice', { userIds: ['bob', 'carol'] })).channel;
    const mute = (mutePeriod: number) =>
      mutate('alice', 'muteChannelMembers', { channelId, userIds: ['bob'], mutePeriod }, MEMBERS);
    expect((await mute(-1)).channelUsers).toMatchObject([{ userId: 'bob', isMuted: true, muteTimeout: null }]);
    expect(await send('bob', channelId)).toMatchObject({ code: 'USER_MUTED' });
    expect((await mute(0)).channelUsers).toMatchObject([{ isMuted: false }]);
    await mute(60_000);
    expect(await send('bob', channelId)).toMatchObject({ code: 'USER_MUTED' });
    const whole = await mutate('alice', 'muteChannel', { channelId, mutePeriod: 60_000 }, CHANNEL);
    expect(whole.channel.isMuted).toBe(true);
    expect(await send('carol', channelId)).toMatchObject({ code: 'CHANNEL_MUTED' });
    // As if a minute had passed.
    const { channels, channelUsers } = gateway.services.store.collections;
    const passed = { $set: { muteTimeout: new Date(Date.now() - 1) } };
    await channels.updateOne({ networkId: 'default', channelId }, passed);
    await channelUsers.updateOne({ networkId: 'default', channelId, userId: 'bob' }, passed);
    for (const as of ['bob', 'carol']) expect(await send(as, channelId)).toMatchObject({ chatMessage: {} });
    expect(await mute(-2)).toMatchObject({ code: 'INVALID_PARAMETERS', path: ['mutePeriod'] });
    expect(await mutate('bob', 'muteChannel', { channelId, mutePeriod: 1 }, CHANNEL)).toMatchObject({
      code: 'PERMISSION_DENIED',
    });
  });

  test('a rate limit is set and removed', async () => {
    const { channelId } = (await create('alice', { userIds: ['bob'] })).channel;
    const limit = (rateLimit: number) =>
      mutate('alice', 'setChannelRateLimit', { channelId, rateLimit, rateLimitWindow: 60_000 }, CHANNEL);
    expect((await limit(1)).channel).toMatchObject({
      isRateLimited: true,
      rateLimit: 1,
      rateLimitWindow: 60_000,
      rateLimitTimeout: null,
    });
    expect(await send('bob', channelId)).toMatchObject({ chatMessage: {} });
    expect(await send('bob', channelId)).toMatchObject({ code: 'RATE_LIMITED' });
    expect((await limit(0)).channel.isRateLimited).toBe(false);
    expect(await send('bob', channelId)).toMatchObject({ chatMessage: {} });
  });
});

test('an update leaves other fields unchanged, and deleting a channel ends everything in it', async () => {
  const { channelId } = (await create('alice', { userIds: ['bob'], tags: ['a'] })).channel;
  const update = (input: object, as = 'alice') => mutate(as, 'updateChannel', { channelId, ...input }, CHANNEL);
  expect((await update({ displayName: 'New' })).channel).toMatchObject({ displayName: 'New', tags: ['a'] });
  expect((await update({ tags: null })).channel).toMatchObject({ displayName: 'New', tags: [] });
  expect(await update({ displayName: 'x' }, 'bob')).toMatchObject({ code: 'PERMISSION_DENIED' });
  await send('alice', channelId);
  const total = async () =>
    (
      await gateway.graphql<{ viewerMarker: { unreadCount: number } }>('{ viewerMarker { unreadCount } }', {
        as: 'bob',
      })
    ).data.viewerMarker.unreadCount;
  const before = await total();
  expect(await mutate('bob', 'deleteChannel', { channelId }, CHANNEL)).toMatchObject({ code: 'PERMISSION_DENIED' });
  expect((await mutate('alice', 'deleteChannel', { channelId }, CHANNEL)).channel.isDeleted).toBe(true);
  expect(await total()).toBe(before - 1);
  for (const as of ['alice', 'admin'])
    expect(await mutate(as, 'deleteChannel', { channelId }, CHANNEL)).toMatchObject({ code: 'NOT_FOUND' });
  expect(await send('alice', channelId)).toMatchObject({ code: 'NOT_FOUND' });
  expect(await mutate('alice', 'deleteChannel', { channelId: 'gardeners-chat' }, CHANNEL)).toMatchObject({
    code: 'BAD_REQUEST',
  });
});

test('a channel is created, updated and deleted over REST', async () => {
  const call = async (method: string, path: string, body?: object, as = 'alice') => {
    const answer = await gateway.rest(path, { as, method, ...(body && { body }) });
    expect([path, answer.status, answer.body.message]).toEqual([path, 200, undefined]);
    expect(Object.keys(answer.body).filter((key) => key !== 'success')).toEqual(CHANNEL_ARRAYS);
    checkAnswer(answer.body, { arrays: CHANNEL_ARRAYS });
    return answer.body;
  };
  const { channels } = await call('POST', '/api/v3/channels', { displayName: 'Bees', type: 'live', userIds: ['bob'] });
  const path = `/api/v3/channels/${channels[0].channelId}`;
  expect(channels[0]).toMatchObject({ displayName: 'Bees', memberCount: 2 });
  expect((await call('PUT', path, { displayName: 'Wasps' })).channels[0].displayName).toBe('Wasps');
  expect((await call('POST', `${path}/join`, undefined, 'carol')).channels[0].memberCount).toBe(3);
  expect((await call('DELETE', `${path}/leave`, undefined, 'carol')).channels[0].memberCount).toBe(2);
  expect((await call('POST', `${path}/users`, { userIds: ['carol'] })).channelUsers).toMatchObject([
    { userId: 'carol' },
  ]);
  expect((await call('DELETE', `${path}/users`, { userIds: ['carol'] })).channels[0].memberCount).toBe(2);
  expect((await call('PUT', `${path}/users/ban`, { userIds: ['bob'] })).channelUsers[0].isBanned).toBe(true);
  expect((await call('PUT', `${path}/users/unban`, { userIds: ['bob'] })).channelUsers[0].isBanned).toBe(false);
  await call('POST', `${path}/users`, { userIds: ['bob'] });
  const v2 = path.replace('v3/channels', 'v2/channel');
  expect((await call('PUT', `${v2}/mute`, { mutePeriod: -1 })).channels[0].isMuted).toBe(true);
  expect((await call('PUT', `${v2}/users/mute`, { mutePeriod: -1, userIds: ['bob'] })).channelUsers[0].isMuted).toBe(
    true,
  );
  const conversation = await call('POST', '/api/v3/channels/conversation', { userIds: ['erin'] });
  expect(conversation.channelUsers.map((user: { userId: string }) => user.userId).sort()).toEqual(['alice', 'erin']);
  expect((await call('DELETE', path)).channels[0].isDeleted).toBe(true);
  await expectRefusal(gateway, '/api/v3/channels', { method: 'POST', body: { displayName: { $ne: 1 } } }, INVALID);
  await expectRefusal(gateway, `${v2}/mute`, { method: 'PUT', body: { mutePeriod: 'x' } }, INVALID);
});
