import { ObjectId } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHAT } from '../support/chat-sample.ts';
import { expectConsistent } from '../support/consistency.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { checkAnswer } from '../support/interface.ts';
import { expectRefusal, NOT_FOUND } from '../support/refusals.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(async () => {
  await expectConsistent(gateway);
  await gateway.close();
});

type Row = Record<string, unknown>;
type Call = NonNullable<Parameters<TestGateway['rest']>[1]>;

async function call(path: string, options: Call = {}) {
  const { status, body } = await gateway.rest(path, options);
  expect(status, path).toBe(200);
  return body;
}
const post = (path: string, body: object, as = 'alice') => call(path, { method: 'POST', body, as });

/** A channel that Erin moderates, with Bob as a member. */
async function createChannel(channelId: string): Promise<{ channelId: string; id: string }> {
  const body = await post('/api/v3/channels', { channelId, displayName: 'Hedges', userIds: ['bob'] }, 'erin');
  return { channelId, id: body.channels[0].channelInternalId };
}
const send = async (messageFeedId: string, as: string, more: object = {}) =>
  (await post('/api/v5/messages', { messageFeedId, data: { text: 'Hi' }, ...more }, as)).messages[0];

describe('the default message feed', () => {
  test('has the internal id of the channel in every answer', async () => {
    const { id } = await createChannel('hedges');
    const message = await send(id, 'erin');
    expect(message).toMatchObject({ messageFeedId: id, channelId: id });
    expect(message.path).toBe(`default/chat/${id}/${id}/${message.messageId}`);
    const { channels, messagePreviews, messageFeedsInfo } = await call('/api/v3/channels/hedges', { as: 'bob' });
    expect(channels[0].channelInternalId).toBe(id);
    expect([messagePreviews[0].messageFeedId, messageFeedsInfo[0].messageFeedId]).toEqual([id, id]);
    const { messageFeeds } = await call(`/api/v5/message-feeds/channel/${id}`, { as: 'bob' });
    expect(messageFeeds).toMatchObject([{ messageFeedId: id, path: `default/chat/${id}/${id}` }]);
    const markers = await call(`/api/v1/markers/user-message-feed?channelIds[]=${id}`, { as: 'bob' });
    expect(markers.userFeedMarkers).toMatchObject([{ entityId: id, feedId: id, unreadCount: 1 }]);
    expect(markers.feedMarkers).toMatchObject([{ entityId: id, feedId: id, lastSegment: 1 }]);
  });

  test('can be named by the public id of the channel wherever a message feed id is accepted', async () => {
    const { channelId, id } = await createChannel('box-hedges');
    const message = await send(channelId, 'erin');
    expect(message.messageFeedId).toBe(id);
    const as = 'bob';
    const feed = (await call(`/api/v5/message-feeds/${channelId}`, { as })).messageFeeds[0];
    expect(feed.messageFeedId).toBe(id);
    const ofChannel = await call(`/api/v5/message-feeds/channel/${channelId}`, { as });
    expect(ofChannel.messageFeeds).toMatchObject([{ messageFeedId: id }]);
    const listed = await call(`/api/v5/message-feeds/list?messageFeedIds[]=${channelId}&messageFeedIds[]=${id}`, {
      as,
    });
    expect(listed.messageFeeds).toHaveLength(1);
    expect((await call(`/api/v5/messages?messageFeedId=${channelId}`, { as })).messages).toHaveLength(1);
    const markers = await call(`/api/v1/markers/message-feeds?messageFeedIds[]=${channelId}&messageFeedIds[]=${id}`, {
      as,
    });
    expect(markers.userFeedMarkers).toMatchObject([{ feedId: id, unreadCount: 1 }]);
    const base = '/api/v1/markers/message-feeds';
    const moved = async (path: string, method: 'PUT' | 'POST', body?: object) =>
      (await call(`${base}/${path}`, { method, as, ...(body && { body }) })).userFeedMarkers;
    const position = [{ feedId: id }];
    expect(await moved(`${channelId}/start-reading`, 'POST')).toMatchObject(position);
    expect(await moved('reading', 'POST', { messageFeedIds: [channelId, id] })).toMatchObject(position);
    expect(await moved(`${channelId}/stop-reading`, 'POST')).toMatchObject(position);
    expect(await moved(`${channelId}/mark-delivering`, 'PUT', { messageId: message.messageId })).toMatchObject(
      position,
    );
    expect(await moved(`${channelId}/mark-read`, 'PUT', { readToSegment: 1 })).toMatchObject([
      { feedId: id, readToSegment: 1 },
    ]);
    const renamed = await call(`/api/v5/message-feeds/${channelId}`, {
      method: 'PUT',
      as: 'erin',
      body: { name: 'Box' },
    });
    expect(renamed.messageFeeds[0]).toMatchObject({ messageFeedId: id, name: 'Box' });
  });

  test('is not reached through the id of another feed that a channel has as its public id', async () => {
    await post('/api/v3/channels', { channelId: CHAT.exchange, displayName: 'Decoy', userIds: ['bob'] }, 'erin');
    for (const path of [CHAT.exchange, `channel/${CHAT.exchange}`]) {
      const { messageFeeds } = await call(`/api/v5/message-feeds/${path}`, { as: 'bob' });
      expect(messageFeeds[0].channelPublicId, path).toBe('seed-exchange');
    }
    await expectRefusal(gateway, '/api/v5/message-feeds/alice-and-bob', { as: 'erin' }, NOT_FOUND);
    await expectRefusal(gateway, '/api/v5/message-feeds/no-such-channel', { as: 'erin' }, NOT_FOUND);
  });

  test('is still found by the id that it had in an older release', async () => {
    const { channelId, id } = await createChannel('old-hedges');
    const { messageFeeds } = gateway.services.store.collections;
    const feed = (await messageFeeds.findOne({ networkId: 'default', messageFeedId: id }))!;
    const earlier = new ObjectId();
    await messageFeeds.deleteOne({ networkId: 'default', messageFeedId: id });
    await messageFeeds.insertOne({ ...feed, _id: earlier });
    expect((await send(earlier.toHexString(), 'erin')).messageFeedId).toBe(id);
    const read = await call(`/api/v1/markers/message-feeds/${earlier.toHexString()}/mark-read`, {
      method: 'PUT',
      as: 'bob',
      body: { readToSegment: 1 },
    });
    expect(read.userFeedMarkers).toMatchObject([{ feedId: id, unreadCount: 0 }]);
    expect((await call(`/api/v5/messages?messageFeedId=${channelId}`, { as: 'bob' })).messages).toHaveLength(1);
  });
});

describe('answers in the form that published clients read', () => {
  test('mentions and previews have public ids', async () => {
    const { id } = await createChannel('mentions');
    const message = await send(id, 'erin', { mentionedUsers: [{ type: 'user', userIds: ['bob'] }] });
    expect(message.mentionedUsers).toEqual([
      { type: 'user', userIds: ['bob'], userPublicIds: ['bob'], userInternalIds: [CHAT.user('bob')] },
    ]);
    const { messagePreviews } = await call('/api/v3/channels/mentions', { as: 'bob' });
    expect(messagePreviews[0]).toMatchObject({ channelPublicId: 'mentions', creatorPublicId: 'erin' });
  });

  test('messageCount is the last segment of the default feed: deleted messages count, other feeds do not', async () => {
    const { channelId, id } = await createChannel('counts');
    const messages = [await send(id, 'erin'), await send(id, 'erin'), await send(id, 'erin')];
    const other = await post('/api/v5/message-feeds', { channelId: id, name: 'Aside' }, 'erin');
    await send(other.messageFeeds[0].messageFeedId, 'erin');
    await call(`/api/v5/messages/${messages[2].messageId}`, { method: 'DELETE', as: 'erin' });
    const { channels, channelUsers } = await call(`/api/v3/channels/${channelId}`, { as: 'bob' });
    expect(channels[0].messageCount).toBe(3);
    expect(channelUsers.find(({ userId }: Row) => userId === 'bob').readToSegment).toBe(0);
  });

  test('markers name their user by internal id', async () => {
    const { body } = await gateway.rest(`/api/v1/markers/channels/${CHAT.channel}/mark-read`, {
      method: 'PUT',
      as: 'heidi',
    });
    for (const array of ['userMarkers', 'userFeedMarkers', 'userEntityMarkers']) {
      expect(new Set(body[array].map(({ userId }: Row) => userId)), array).toEqual(new Set([CHAT.user('heidi')]));
    }
  });

  test('each message has a marker that counts who has read and received it', async () => {
    const { id } = await createChannel('readers');
    const message = await send(id, 'erin');
    const marker = async () => {
      const body = await call(`/api/v1/markers/messages?messageIds[]=${message.messageId}&messageIds[]=gone`, {
        as: 'erin',
      });
      checkAnswer(body, { arrays: ['contentMarkers', 'feedMarkers', 'userMarkers'] });
      expect(body.contentMarkers).toHaveLength(1);
      return body.contentMarkers[0];
    };
    const expected = { contentId: message.messageId, feedId: id, creatorId: message.creatorId };
    expect(await marker()).toMatchObject({ ...expected, readCount: 0, deliveredCount: 0 });
    const base = `/api/v1/markers/message-feeds/${id}`;
    await call(`${base}/mark-delivering`, { method: 'PUT', as: 'bob', body: { messageId: message.messageId } });
    expect(await marker()).toMatchObject({ ...expected, readCount: 0, deliveredCount: 1 });
    await call(`${base}/mark-read`, { method: 'PUT', as: 'bob', body: { readToSegment: 1 } });
    expect(await marker()).toMatchObject({ ...expected, readCount: 1, deliveredCount: 1 });

    const receipts = (query = '', as = 'erin') =>
      call(`/api/v1/markers/messages/${message.messageId}/read-users${query}`, { as });
    const readers = await receipts();
    expect(readers.publicUserIds).toEqual(['bob']);
    expect(readers).toMatchObject({ contentMarkers: [expected], feedMarkers: [{ feedId: id }], userFeedMarkers: [] });
    expect((await receipts('?memberships[]=banned')).publicUserIds).toEqual([]);
    await call('/api/v3/channels/readers/users/ban', { method: 'PUT', as: 'erin', body: { userIds: ['bob'] } });
    expect((await receipts()).publicUserIds).toEqual([]);
    expect((await receipts('?memberships[]=banned')).publicUserIds).toEqual(['bob']);
    expect((await receipts('?memberships[]=member&memberships[]=muted')).publicUserIds).toEqual([]);
  });

  test('users come before the members that refer to them', async () => {
    const body = await call('/api/v4/channels/gardeners-chat/users');
    const keys = Object.keys(body);
    expect(keys.indexOf('users')).toBeLessThan(keys.indexOf('channelUsers'));
    expect(keys.indexOf('files')).toBeLessThan(keys.indexOf('channelUsers'));
  });

  test('mute calls report success', async () => {
    const { channelId } = await createChannel('mutes');
    const mute = (path: string, body: object) =>
      call(`/api/v2/channel/${channelId}/${path}`, { method: 'PUT', as: 'erin', body });
    expect(await mute('mute', { mutePeriod: 1_000 })).toMatchObject({ success: true, channels: [{ isMuted: true }] });
    expect(await mute('users/mute', { mutePeriod: 0, userIds: ['bob'] })).toMatchObject({ success: true });
  });
});

test('a deleted channel can be read by its id by its moderators, without its content', async () => {
  const { channelId, id } = await createChannel('deleted-hedges');
  const message = await send(id, 'erin');
  const deleted = await call(`/api/v3/channels/${channelId}`, { method: 'DELETE', as: 'erin' });
  expect(deleted.channels[0].isDeleted).toBe(true);
  const read = await call(`/api/v3/channels/${channelId}`, { as: 'erin' });
  expect(read.channels).toMatchObject([{ channelId, isDeleted: true }]);
  expect(read.messagePreviews).toEqual([]);
  await expectRefusal(gateway, `/api/v3/channels/${channelId}`, { as: 'bob' }, NOT_FOUND);
  await expectRefusal(gateway, `/api/v5/messages/${message.messageId}`, { as: 'erin' }, NOT_FOUND);
  await expectRefusal(gateway, `/api/v5/message-feeds/${id}`, { as: 'erin' }, NOT_FOUND);
  await expectRefusal(gateway, `/api/v3/channels/${channelId}/join`, { method: 'POST', as: 'erin' }, NOT_FOUND);
  const { channels } = await call('/api/v3/channels?filter=member', { as: 'erin' });
  expect(channels.map((channel: Row) => channel.channelId)).not.toContain(channelId);
});

test('members of a community may join its channel, others may not', async () => {
  const joined = await call('/api/v3/channels/gardeners-chat/join', { method: 'POST', as: 'bob' });
  expect(joined.channelUsers).toMatchObject([{ userId: 'bob', membership: 'member' }]);
  await expectRefusal(gateway, '/api/v3/channels/gardeners-chat/join', { method: 'POST', as: 'erin' }, [400, 400000]);
});
