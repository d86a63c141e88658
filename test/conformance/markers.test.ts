import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHAT, MARKER_ARRAYS } from '../support/chat-sample.ts';
import { findInconsistencies } from '../support/consistency.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { checkAnswer } from '../support/interface.ts';
import { expectRefusal, INVALID, NOT_FOUND } from '../support/refusals.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterEach(async () => expect(await findInconsistencies(gateway.services.store.db)).toEqual([]));
afterAll(() => gateway.close());

const BASE = '/api/v1/markers/message-feeds';

async function move(path: string, options: { as: string; method?: string; body?: object }) {
  const { status, body } = await gateway.rest(`${BASE}/${path}`, { method: 'PUT', ...options });
  expect(status, path).toBe(200);
  expect(Object.keys(body)).toEqual(MARKER_ARRAYS);
  checkAnswer(body, { arrays: MARKER_ARRAYS });
  return body;
}
const read = (feed: string, as: string, readToSegment: number) =>
  move(`${feed}/mark-read`, { as, body: { readToSegment } });
const deliver = (feed: string, as: string, name: string) =>
  move(`${feed}/mark-delivering`, { as, body: { messageId: CHAT.message(name) } });

describe('mark-delivering', () => {
  test('raises the delivered segment to that of the message and never lowers it', async () => {
    const raised = await deliver(CHAT.feed, 'bob', 'meeting');
    expect(raised.userFeedMarkers[0]).toMatchObject({
      userId: CHAT.user('bob'),
      entityId: CHAT.channel,
      feedId: CHAT.feed,
      deliveredToSegment: 5,
      readToSegment: 2,
    });
    expect(raised.feedMarkers[0]).toMatchObject({ feedId: CHAT.feed, entityId: CHAT.channel, lastSegment: 6 });
    expect(raised.userEntityMarkers[0]).toMatchObject({ entityId: CHAT.channel, membership: 'member' });
    expect((await deliver(CHAT.feed, 'bob', 'welcome')).userFeedMarkers[0].deliveredToSegment).toBe(5);
  });

  test('messages of other feeds, absent messages and hidden feeds are indistinguishable', async () => {
    const refused = (feed: string, as: string, messageId: string, refusal: readonly [number, number]) =>
      expectRefusal(gateway, `${BASE}/${feed}/mark-delivering`, { method: 'PUT', as, body: { messageId } }, refusal);
    await refused(CHAT.feed, 'bob', CHAT.message('shears'), NOT_FOUND);
    await refused(CHAT.feed, 'bob', '0'.repeat(24), NOT_FOUND);
    await refused(CHAT.conversation, 'erin', CHAT.message('plan'), NOT_FOUND);
    await refused(CHAT.feed, 'dave', CHAT.message('welcome'), NOT_FOUND);
    await refused(CHAT.feed, 'erin', CHAT.message('welcome'), [403, 400300]);
  });

  test.each([
    [{}],
    [{ messageId: '' }],
    [{ messageId: 7 }],
    [{ messageId: { $ne: null } }],
    [{ messageId: 'm'.repeat(151) }],
  ])('rejects %j', (body) =>
    expectRefusal(gateway, `${BASE}/${CHAT.feed}/mark-delivering`, { method: 'PUT', body }, INVALID),
  );
});

describe('mark-read', () => {
  test('raises the read segment, counts the remaining messages and updates both totals', async () => {
    const unread = async () =>
      (await gateway.rest('/api/v1/markers/userMarker', { as: 'heidi' })).body.userMarkers[0].unreadCount as number;
    const before = await unread();
    const first = await read(CHAT.feed, 'heidi', 1);
    // Of segments 2 to 6, the second is deleted.
    expect(first.userFeedMarkers[0]).toMatchObject({
      readToSegment: 1,
      deliveredToSegment: 1,
      unreadCount: 4,
      isMentioned: true,
    });
    expect(await unread()).toBe(before - 1);
    expect((await read(CHAT.feed, 'heidi', 4)).userFeedMarkers[0]).toMatchObject({
      readToSegment: 4,
      unreadCount: 2,
      isMentioned: true,
    });
    expect((await read(CHAT.feed, 'heidi', 3)).userFeedMarkers[0]).toMatchObject({ readToSegment: 4, unreadCount: 2 });
    const last = await read(CHAT.feed, 'heidi', 2 ** 31 - 1);
    expect(last.userFeedMarkers[0]).toMatchObject({
      readToSegment: 6,
      deliveredToSegment: 6,
      unreadCount: 0,
      isMentioned: false,
    });
    expect(last.userEntityMarkers[0]).toMatchObject({ isMentioned: false });
    expect(last.userMarkers[0].unreadCount).toBe(before - 5);
  });

  test('creates the marker of a member without one', async () => {
    const { userFeedMarkers, userMarkers } = gateway.services.store.collections;
    const filter = { networkId: 'default', userId: 'bob' };
    await Promise.all([userFeedMarkers.deleteMany(filter), userMarkers.deleteMany(filter)]);
    const created = await read(CHAT.feed, 'bob', 4);
    expect(created.userFeedMarkers[0]).toMatchObject({
      readToSegment: 4,
      unreadCount: 2,
      lastMentionSegment: 5,
      isMentioned: true,
    });
    // All messages of channels without a marker are unread.
    expect(created.userMarkers[0]).toMatchObject({ userId: CHAT.user('bob'), unreadCount: 9, isMentioned: true });
    const other = await deliver(CHAT.tools, 'bob', 'borrow');
    expect(other.userEntityMarkers[0]).toMatchObject({ unreadCount: 3 });
  });

  test('hidden feeds look absent; only members have markers', async () => {
    const refused = (feed: string, as: string, refusal: readonly [number, number]) =>
      expectRefusal(gateway, `${BASE}/${feed}/mark-read`, { method: 'PUT', as, body: { readToSegment: 1 } }, refusal);
    await refused('0'.repeat(24), 'alice', NOT_FOUND);
    await refused('a'.repeat(901), 'alice', INVALID);
    await refused(CHAT.conversation, 'erin', NOT_FOUND);
    await refused(CHAT.orchard, 'bob', NOT_FOUND);
    await refused(CHAT.feed, 'dave', NOT_FOUND);
    await refused(CHAT.pests, 'bob', NOT_FOUND);
    await refused(CHAT.feed, 'erin', [403, 400300]);
    await refused(CHAT.feed, 'admin', [403, 400300]);
  });

  test.each([
    [{}],
    [{ readToSegment: -1 }],
    [{ readToSegment: 1.5 }],
    [{ readToSegment: null }],
    [{ readToSegment: 'one' }],
    [{ readToSegment: { $gt: 0 } }],
    [{ readToSegment: 2 ** 31 }],
  ])('rejects %j', (body) =>
    expectRefusal(gateway, `${BASE}/${CHAT.feed}/mark-read`, { method: 'PUT', body }, INVALID),
  );

  test('100 concurrent calls end at the highest segment with exact counts', async () => {
    const calls = Array.from({ length: 100 }, (_, index) =>
      index % 3 === 0
        ? deliver(CHAT.tools, 'carol', 'shears')
        : index % 3 === 1
          ? read(CHAT.feed, 'carol', (Math.floor(index / 3) % 6) + 1)
          : read(CHAT.tools, 'carol', Math.floor(index / 3) % 3),
    );
    await Promise.all(calls);
    const { body } = await gateway.rest(`${BASE}?messageFeedIds[]=${CHAT.feed}&messageFeedIds[]=${CHAT.tools}`, {
      as: 'carol',
    });
    expect(body.userFeedMarkers.map((marker: { readToSegment: number }) => marker.readToSegment)).toEqual([6, 2]);
  });

  test('32 concurrent first calls create one marker', async () => {
    const { userFeedMarkers, userMarkers } = gateway.services.store.collections;
    const filter = { networkId: 'default', userId: 'mia' };
    await Promise.all([userFeedMarkers.deleteMany(filter), userMarkers.deleteMany(filter)]);
    await Promise.all(Array.from({ length: 32 }, (_, index) => read(index % 2 ? CHAT.feed : CHAT.tools, 'mia', 1)));
    expect(await userFeedMarkers.countDocuments(filter)).toBe(2);
  });
});

describe('reading', () => {
  test('marks feeds as being read for a minute and skips deleted ones', async () => {
    const body = await move('reading', {
      method: 'POST',
      as: 'alice',
      body: { messageFeedIds: [CHAT.feed, CHAT.tools, 'gone', CHAT.feed] },
    });
    expect(body.userFeedMarkers).toHaveLength(2);
    const marker = await gateway.services.store.collections.userFeedMarkers.findOne({
      networkId: 'default',
      userId: 'alice',
      feedId: CHAT.feed,
    });
    expect(marker!.readingUntil!.getTime()).toBeGreaterThan(Date.now() + 50_000);
    expect(marker!.readingUntil!.getTime()).toBeLessThanOrEqual(Date.now() + 60_000);
  });

  test('start and stop as published clients call them', async () => {
    const started = await move(`${CHAT.feed}/start-reading`, { method: 'POST', as: 'heidi' });
    expect(started.userFeedMarkers[0].feedId).toBe(CHAT.feed);
    for (const verb of ['stop-reading', 'stop-readings'])
      await move(`${CHAT.feed}/${verb}`, { method: 'POST', as: 'heidi' });
    const marker = await gateway.services.store.collections.userFeedMarkers.findOne({
      networkId: 'default',
      userId: 'heidi',
      feedId: CHAT.feed,
    });
    expect(marker!.readingUntil).toBeNull();
  });

  test('stopping changes nothing for users who have left the channel, who may no longer see it', async () => {
    const rest = (path: string, as: string, body?: object) => gateway.rest(path, { method: 'POST', as, body });
    for (const type of ['standard', 'private']) {
      const created = { displayName: 'Shed', type, channelId: `${type}-shed`, userIds: ['heidi', 'carol'] };
      const { channelInternalId } = (await rest('/api/v3/channels', 'alice', created)).body.channels[0];
      await move(`${channelInternalId}/start-reading`, { method: 'POST', as: 'heidi' });
      await gateway.rest(`/api/v3/channels/${created.channelId}/leave`, { method: 'DELETE', as: 'heidi' });
      for (const id of [channelInternalId, created.channelId]) {
        const { userFeedMarkers, userEntityMarkers } = await move(`${id}/stop-reading`, {
          method: 'POST',
          as: 'heidi',
        });
        expect([userFeedMarkers, userEntityMarkers]).toEqual([[], []]);
        expect((await rest(`${BASE}/${id}/start-reading`, 'heidi')).status).toBe(404);
      }
      const body = { userIds: ['carol'] };
      await gateway.rest(`/api/v3/channels/${created.channelId}/users/ban`, { method: 'PUT', as: 'alice', body });
      expect((await rest(`${BASE}/${channelInternalId}/stop-reading`, 'carol')).status).toBeGreaterThanOrEqual(403);
      const stranger = await rest(`${BASE}/${channelInternalId}/stop-reading`, 'erin');
      expect(stranger.status).toBe(type === 'private' ? 404 : 403);
    }
  });

  test('accepts 1 to 100 ids; 404 when the caller is a member of none', async () => {
    const refused = (body: object, refusal: readonly [number, number], as = 'alice') =>
      expectRefusal(gateway, `${BASE}/reading`, { method: 'POST', as, body }, refusal);
    const many = (count: number) => Array.from({ length: count }, (_, index) => `f${index}`);
    await refused({ messageFeedIds: many(100) }, NOT_FOUND);
    await refused({ messageFeedIds: [CHAT.conversation, CHAT.feed] }, NOT_FOUND, 'erin');
    for (const messageFeedIds of [many(101), [], [''], { $ne: null }, [{ $ne: null }], undefined])
      await refused({ messageFeedIds }, INVALID);
  });
});

test('marker lists that published clients synchronize never fail', async () => {
  const get = async (query: string, arrays: string[], as = 'alice') => {
    const { status, body } = await gateway.rest(`/api/v1/markers/${query}`, { as });
    expect(status, query).toBe(200);
    expect(Object.keys(body)).toEqual(expect.arrayContaining(arrays));
    checkAnswer(body, { arrays: arrays.filter((array) => array !== 'contentMarkers') });
    return body;
  };
  expect((await get('userMarker', ['userMarkers'], 'nina')).userMarkers).toHaveLength(1);
  expect((await get(`channels?channelIds[]=${CHAT.channel}`, ['userEntityMarkers'])).userEntityMarkers).toHaveLength(1);
  const feeds = await get(
    `message-feeds?messageFeedIds[]=${CHAT.feed}&options[token]=eyJza2lwIjowLCJsaW1pdCI6MTAwfQ==`,
    ['feedMarkers', 'userFeedMarkers', 'userEntityMarkers', 'userMarkers'],
  );
  expect([feeds.feedMarkers.length, feeds.userFeedMarkers.length, feeds.paging]).toEqual([1, 1, {}]);
  const named = ['contentMarkers', 'feedMarkers', 'userMarkers'];
  expect(
    (await get(`messages?messageIds[]=${CHAT.message('welcome')}&messageIds[]=gone`, named)).feedMarkers,
  ).toHaveLength(1);
  expect((await get(`messages?messageIds[]=${CHAT.message('plan')}`, named, 'erin')).feedMarkers).toEqual([]);
  expect((await get('messages', named)).feedMarkers).toEqual([]);
  expect((await get('messages', named)).paging).toEqual({});
  expect((await get(`channels?channelIds[]=${CHAT.channel}`, ['userMarkers'])).paging).toEqual({});
  expect(
    (await get(`user-message-feed?channelIds[]=${CHAT.channel}`, ['userFeedMarkers'])).userFeedMarkers.length,
  ).toBeGreaterThanOrEqual(2);
});
