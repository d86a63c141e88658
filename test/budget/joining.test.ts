import { ObjectId } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const FEEDS = 100;
const USERS = 100;

test('adds 100 users to a channel of 100 feeds with the commands of one user, and with nothing unread', async () => {
  const mutate = mutations(gateway);
  const { messageFeeds, users, userFeedMarkers } = gateway.services.store.collections;
  const select = 'channel { channelId defaultMessageFeedId memberCount }';
  const { channel } = await mutate('alice', 'createChannel', { displayName: 'Wide' }, select);
  const { channelId, defaultMessageFeedId: messageFeedId } = channel;
  await mutate('alice', 'sendMessage', { channelId, data: { text: 'First' } }, 'chatMessage { segment }');
  const { _id: _, ...feed } = (await messageFeeds.findOne({ networkId: 'default', messageFeedId }))!;
  const otherFeeds = Array.from({ length: FEEDS - 1 }, () => {
    const _id = new ObjectId();
    return { ...feed, _id, messageFeedId: _id.toHexString(), isDefault: false };
  });
  await messageFeeds.insertMany(otherFeeds);
  const { _id: __, ...user } = (await users.findOne({ networkId: 'default', userId: 'bob' }))!;
  const crowd = Array.from({ length: USERS }, (_, index) => `crowd-${index}`);
  await users.insertMany(crowd.map((userId) => ({ ...user, _id: new ObjectId(), userId, feeds: [] })));
  const change = (verb: string, userIds: string[]) =>
    gateway.commandsOf(async () => {
      const changed = await mutate('alice', `${verb}ChannelMembers`, { channelId, userIds }, select);
      expect([verb, changed.code]).toEqual([verb, undefined]);
    });

  const one = await change('add', crowd.slice(0, 1));
  const others = await change('add', crowd.slice(1));
  expect(others.length).toBeLessThanOrEqual(one.length + 1);
  expect(await userFeedMarkers.countDocuments({ networkId: 'default', userId: { $in: crowd } })).toBe(FEEDS * USERS);
  await change('remove', crowd);
  expect((await change('add', crowd)).length).toBeLessThanOrEqual(one.length + 1);
  const markers = await userFeedMarkers.find({ networkId: 'default', userId: { $in: crowd } }).toArray();
  expect(new Set(markers.map(({ readToSegment }) => readToSegment))).toEqual(new Set([1]));
});
