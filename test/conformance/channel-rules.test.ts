import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findInconsistencies } from '../support/consistency.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';

let gateway: TestGateway;
let mutate: ReturnType<typeof mutations>;
beforeAll(async () => {
  gateway = await startTestGateway();
  mutate = mutations(gateway);
});
afterEach(async () => expect(await findInconsistencies(gateway.services.store.db)).toEqual([]));
afterAll(() => gateway.close());

const SELECT = `channel { channelId displayName isPublic isMuted isRateLimited attachedTo { postId }
  viewerCanEdit viewerCanDelete viewerCanSend }`;
const call = (as: string, operation: string, input: object) => mutate(as, operation, input, SELECT);
const create = async (as: string, input: object = {}): Promise<string> =>
  (await call(as, 'createChannel', { displayName: 'Compost', ...input })).channel.channelId;
const send = async (as: string, channelId: string) => {
  const sent = await mutate(as, 'sendMessage', { channelId, data: { text: 'Hi' } }, 'chatMessage { segment }');
  return sent.code ?? 'SENT';
};
const see = async (as: string, channelId: string) =>
  (
    await gateway.graphql<{ channel: Record<string, unknown> | null }>(
      `query See($channelId: String!) { channel(channelId: $channelId) {
        isMuted isRateLimited displayName attachedTo { postId } viewerCanEdit viewerCanDelete viewerCanSend } }`,
      { as, variables: { channelId } },
    )
  ).data.channel;

/** Runs `work` with the gateway's clock moved forward. */
async function later<Result>(ms: number, work: () => Promise<Result>): Promise<Result> {
  const { services } = gateway;
  const { now } = services;
  services.now = () => new Date(now().getTime() + ms);
  try {
    return await work();
  } finally {
    services.now = now;
  }
}

describe('expiry', () => {
  test('mutes of members and channels end exactly when their period ends', async () => {
    const channelId = await create('alice', { userIds: ['bob', 'carol'] });
    await call('alice', 'muteChannelMembers', { channelId, userIds: ['bob'], mutePeriod: 60_000 });
    expect(await later(50_000, () => send('bob', channelId))).toBe('USER_MUTED');
    expect(await later(60_001, () => send('bob', channelId))).toBe('SENT');
    await call('alice', 'muteChannel', { channelId, mutePeriod: 3_600_000 });
    expect([await send('carol', channelId), await send('alice', channelId)]).toEqual(['CHANNEL_MUTED', 'SENT']);
    expect(await see('carol', channelId)).toMatchObject({ isMuted: true, viewerCanSend: false });
    await later(3_600_001, async () => {
      expect(await see('carol', channelId)).toMatchObject({ isMuted: false, viewerCanSend: true });
      expect(await send('carol', channelId)).toBe('SENT');
    });
    await call('alice', 'muteChannel', { channelId, mutePeriod: -1 });
    expect(await later(7 * 86_400_000, () => send('carol', channelId))).toBe('CHANNEL_MUTED');
  });

  test('a rate limit resets with each window and ends with its period', async () => {
    const channelId = await create('alice', { userIds: ['bob'] });
    const limit = { channelId, rateLimit: 2, rateLimitWindow: 10_000, period: 60_000 };
    expect((await call('alice', 'setChannelRateLimit', limit)).channel.isRateLimited).toBe(true);
    const three = async () => [
      await send('bob', channelId),
      await send('bob', channelId),
      await send('bob', channelId),
    ];
    expect(await three()).toEqual(['SENT', 'SENT', 'RATE_LIMITED']);
    expect(await later(8_000, () => send('bob', channelId))).toBe('RATE_LIMITED');
    expect(await later(15_000, three)).toEqual(['SENT', 'SENT', 'RATE_LIMITED']);
    await later(61_000, async () => {
      expect((await see('bob', channelId))!.isRateLimited).toBe(false);
      expect(await three()).toEqual(['SENT', 'SENT', 'SENT']);
    });
  });

  test('leaving and rejoining resets neither a mute nor a rate limit window', async () => {
    const channelId = await create('alice', { userIds: ['bob'] });
    await call('alice', 'muteChannelMembers', { channelId, userIds: ['bob'], mutePeriod: 60_000 });
    const rejoin = async () => {
      for (const verb of ['leaveChannel', 'joinChannel']) await call('bob', verb, { channelId });
    };
    await rejoin();
    expect(await send('bob', channelId)).toBe('USER_MUTED');
    for (const verb of ['ban', 'unban', 'add'])
      await call('alice', `${verb}ChannelMembers`, { channelId, userIds: ['bob'] });
    expect(await send('bob', channelId)).toBe('USER_MUTED');
    expect(await later(60_001, () => send('bob', channelId))).toBe('SENT');
    await call('alice', 'muteChannelMembers', { channelId, userIds: ['bob'], mutePeriod: 0 });
    await call('alice', 'setChannelRateLimit', { channelId, rateLimit: 1, rateLimitWindow: 600_000 });
    expect(await later(120_000, () => send('bob', channelId))).toBe('SENT');
    await rejoin();
    expect(await later(120_000, () => send('bob', channelId))).toBe('RATE_LIMITED');
  });
});

test('the channel of a community takes its name, visibility and membership from the community', async () => {
  const channelId = 'gardeners-chat';
  for (const [field, value] of Object.entries({ displayName: 'Mine', avatarFileId: null, isPublic: false })) {
    const refused = await call('alice', 'updateChannel', { channelId, [field]: value });
    expect([field, refused.code, refused.path]).toEqual([field, 'BAD_REQUEST', [field]]);
  }
  const { displayName } = (await see('alice', channelId))!;
  expect((await call('alice', 'updateChannel', { channelId, displayName, tags: ['a'] })).channel).toMatchObject({
    displayName,
    viewerCanEdit: true,
    viewerCanDelete: false,
  });
});

test('viewerCan fields agree with the operations, also for a deleted channel', async () => {
  const channelId = await create('alice', { userIds: ['bob'] });
  const tries = async (as: string) => {
    const can = await see(as, channelId);
    const edited = (await call(as, 'updateChannel', { channelId, tags: ['x'] })).code === undefined;
    expect([as, can?.viewerCanEdit ?? false]).toEqual([as, edited]);
    expect([as, can?.viewerCanSend ?? false]).toEqual([as, (await send(as, channelId)) === 'SENT']);
  };
  for (const as of ['alice', 'bob', 'erin', 'admin']) await tries(as);
  await call('alice', 'deleteChannel', { channelId });
  for (const as of ['alice', 'bob', 'admin']) await tries(as);
});

test('the name of a conversation is never truncated inside a character', async () => {
  for (const [userId, displayName] of Object.entries({ 'face-1': `x${'🌱'.repeat(48)}`, 'face-2': '🌻🌻🌻' })) {
    await gateway.tokenOf(userId);
    await mutate(userId, 'updateUser', { displayName }, 'user { userId }');
  }
  const { channel } = await call('face-1', 'createConversation', { userIds: ['face-2'] });
  expect(channel.displayName).toBe(`x${'🌱'.repeat(48)}, `);
});

describe('the chat of a room', () => {
  const syncedChannels = async (as: string): Promise<string[]> => {
    const { data } = await gateway.graphql<{ syncMarkers: { feedMarkers: Array<{ entityId: string }> } }>(
      'mutation { syncMarkers(input: {}) { ... on SyncMarkersPayload { feedMarkers { entityId } } } }',
      { as },
    );
    return data!.syncMarkers.feedMarkers.map(({ entityId }) => entityId);
  };

  test('is visible with its room, refers to the post of the room, and is synced only while visible', async () => {
    const target = { targetType: 'COMMUNITY', targetId: 'gardeners' };
    const input = { title: 'Grafting', ...target, liveChatEnabled: true };
    const { room } = await mutate('bob', 'createRoom', input, 'room { roomId liveChannelId }');
    const channelId: string = room.liveChannelId;
    expect(await see('carol', channelId)).toBeNull();
    const { communities } = gateway.services.store.collections;
    const open = (isPublic: boolean) =>
      communities.updateOne({ networkId: 'default', communityId: 'gardeners' }, { $set: { isPublic } });
    const post = { ...target, dataType: 'room', data: { roomId: room.roomId } };
    const created = await mutate('bob', 'createPost', post, 'post { postId }');
    expect(created.code).toBeUndefined();
    expect((await see('carol', channelId))!.attachedTo).toEqual({ postId: expect.any(String) });
    for (const as of ['carol', 'erin']) expect((await call(as, 'joinChannel', { channelId })).code).toBeUndefined();
    expect(await send('erin', channelId)).toBe('SENT');
    const { channels } = gateway.services.store.collections;
    const internalId = String((await channels.findOne({ networkId: 'default', channelId }))!._id);
    expect(await syncedChannels('erin')).toContain(internalId);
    await open(false);
    expect([await see('erin', channelId), await send('erin', channelId)]).toEqual([null, 'NOT_FOUND']);
    expect(await syncedChannels('erin')).not.toContain(internalId);
    expect(await syncedChannels('carol')).toContain(internalId);
    expect(await send('carol', channelId)).toBe('SENT');
    expect((await call('erin', 'leaveChannel', { channelId })).code).toBeUndefined();
    expect((await call('erin', 'joinChannel', { channelId })).code).toBe('NOT_FOUND');
    await open(true);
  });
});
