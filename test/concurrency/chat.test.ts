import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { CHAT } from '../support/chat-sample.ts';
import { findInconsistencies } from '../support/consistency.ts';
import { MANY, startTwoGateways, type TwoGateways } from '../support/two-gateways.ts';

let two: TwoGateways;
beforeAll(async () => {
  two = await startTwoGateways();
}, 120_000);
afterEach(async () => expect(await findInconsistencies(two.store.db)).toEqual([]));
afterAll(() => two.close());

const MEMBERS = ['alice', 'bob', 'carol', 'heidi', 'mia'];
const memberOf = (index: number) => MEMBERS[index % MEMBERS.length]!;
const many = <Result>(work: (index: number) => Promise<Result>, count = MANY) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

test('concurrently sent messages get consecutive segments, and are counted once each', async () => {
  const { messageFeeds, channels } = two.store.collections;
  const feed = { networkId: 'default', messageFeedId: CHAT.feed };
  const before = (await messageFeeds.findOne(feed))!;
  const sent = await many((index) =>
    two.mutate(
      memberOf(index),
      'sendMessage',
      {
        messageFeedId: CHAT.feed,
        data: { text: `${index}` },
        ...(index % 4 === 0 && { parentId: CHAT.message('welcome') }),
        ...(index % 5 === 0 && { mentionedUsers: [{ type: 'USER', userIds: [memberOf(index + 1)] }] }),
        ...(index % 7 === 0 && { mentionedUsers: [{ type: 'CHANNEL' }] }),
      },
      'chatMessage { messageId segment }',
    ),
  );
  const segments = sent.map(({ chatMessage }) => chatMessage.segment).sort((one, other) => one - other);
  expect(segments).toEqual(Array.from({ length: MANY }, (_, index) => before.lastSegment + index + 1));
  const channel = (await channels.findOne({ networkId: 'default', channelId: 'gardeners-chat' }))!;
  expect(channel.messageCount).toBeGreaterThanOrEqual(MANY);

  // Delete, flag and read concurrently: no change is lost.
  await many(async (index) => {
    const { messageId } = sent[index]!.chatMessage;
    const input = { messageId };
    if (index % 3 === 0) return two.mutate('alice', 'deleteMessage', input, 'clientMutationId');
    if (index % 3 === 1) return two.mutate(memberOf(index), 'flagMessage', input, 'clientMutationId');
    const readToSegment = before.lastSegment + index;
    return two.mutate(memberOf(index), 'markRead', { messageFeedId: CHAT.feed, readToSegment }, 'clientMutationId');
  });
  for (const as of MEMBERS) await expectUnread(as);
}, 240_000);

/** Expects the unread count of a user to match a recount of the messages. */
async function expectUnread(as: string): Promise<void> {
  const { userFeedMarkers, messages } = two.store.collections;
  const { userFeedMarkers: answered } = await two.mutate(
    as,
    'stopReading',
    { messageFeedId: CHAT.feed },
    'userFeedMarkers { unreadCount readToSegment }',
  );
  const marker = await userFeedMarkers.findOne({ networkId: 'default', userId: as, feedId: CHAT.feed });
  const after = marker?.readToSegment ?? 0;
  const all = await messages
    .find({ networkId: 'default', messageFeedId: CHAT.feed, segment: { $gt: after }, isDeleted: false })
    .toArray();
  const unreadCount = all.filter(({ userId }) => userId !== as).length;
  expect(answered).toEqual([{ readToSegment: after, unreadCount }]);
}

const named = (index: number) => `crowd-${index}`;

test('counts concurrent joins and leaves once each', async () => {
  const { channels, channelUsers } = two.store.collections;
  const { channel } = await two.mutate('alice', 'createChannel', { displayName: 'Crowd' }, 'channel { channelId }');
  const { channelId } = channel;
  await many((index) => two.mutate(named(index), 'joinChannel', { channelId }, 'clientMutationId'));
  const count = async () => (await channels.findOne({ networkId: 'default', channelId }))!.memberCount;
  expect(await count()).toBe(MANY + 1);
  // One user joins repeatedly, while others leave, are banned and get a role.
  await many(async (index) => {
    const userIds = [named(index)];
    if (index % 5 === 0) return two.mutate(named(index), 'leaveChannel', { channelId }, 'clientMutationId');
    if (index % 5 === 1) return two.mutate('alice', 'banChannelMembers', { channelId, userIds }, 'clientMutationId');
    if (index % 5 === 2) {
      const role = { channelId, role: 'channel-moderator', userIds };
      return two.mutate('alice', 'addChannelRole', role, 'clientMutationId');
    }
    return two.mutate(named(Math.floor(index / 10) * 10 + 3), 'joinChannel', { channelId }, 'clientMutationId');
  });
  expect(await count()).toBe(
    await channelUsers.countDocuments({ networkId: 'default', channelId, membership: 'member' }),
  );
  expect(await count()).toBe(1 + (MANY * 3) / 5);
}, 240_000);

test('concurrent requests of both users create one conversation', async () => {
  const answers = await many((index) =>
    two.mutate(
      index % 2 ? 'bob' : 'erin',
      'createConversation',
      { userIds: index % 2 ? ['erin'] : ['bob', 'erin'] },
      'channel { channelId memberCount }',
    ),
  );
  expect(new Set(answers.map(({ channel }) => channel.channelId)).size).toBe(1);
  expect(new Set(answers.map(({ channel }) => channel.memberCount))).toEqual(new Set([2]));
}, 240_000);

test('users who delete their account while being added to a channel are not members of it', async () => {
  const { channels, channelUsers } = two.store.collections;
  const { channel } = await two.mutate('alice', 'createChannel', { displayName: 'Leavers' }, 'channel { channelId }');
  const { channelId } = channel;
  const leaver = (index: number) => `leaver-${index}`;
  const count = 20;
  // Sign in beforehand.
  await many((index) => two.mutate(leaver(index), 'syncMarkers', {}, 'clientMutationId'), count);
  await many(async (index) => {
    const userIds = [leaver(index)];
    await Promise.all([
      two.mutate('alice', 'addChannelMembers', { channelId, userIds }, 'clientMutationId'),
      two.mutate(leaver(index), 'deleteUser', {}, 'clientMutationId'),
    ]);
  }, count);
  const here = { networkId: 'default', channelId };
  const remaining = await channelUsers.find({ ...here, membership: 'member', isDeleted: false }).toArray();
  expect(remaining.map(({ userId }) => userId)).toEqual(['alice']);
  expect((await channels.findOne(here))!.memberCount).toBe(1);
}, 240_000);

test('the newest remaining mention counts when mentions are created, removed and deleted concurrently', async () => {
  const { channel } = await two.mutate(
    'alice',
    'createChannel',
    { displayName: 'Calls', userIds: ['bob'] },
    'channel { channelId defaultMessageFeedId }',
  );
  const { channelId, defaultMessageFeedId: messageFeedId } = channel;
  const sendMessage = (mentionedUsers: object[]) =>
    two.mutate('alice', 'sendMessage', { channelId, data: { text: 'x' }, mentionedUsers }, 'chatMessage { messageId }');
  const kinds = [{ type: 'USER', userIds: ['bob'] }, { type: 'CHANNEL' }];
  const sent = await many((index) => sendMessage([kinds[index % 2]!]), 40);
  await many((index) => {
    const { messageId } = sent[index]!.chatMessage;
    if (index === 0) return sendMessage([]);
    if (index % 3 === 0)
      return two.mutate('alice', 'updateMessage', { messageId, mentionedUsers: [] }, 'clientMutationId');
    return two.mutate('alice', 'deleteMessage', { messageId }, 'clientMutationId');
  }, 40);
  const mentioned = async () =>
    (await two.mutate('bob', 'stopReading', { messageFeedId }, 'userFeedMarkers { isMentioned lastMentionSegment }'))
      .userFeedMarkers[0];
  const { messages } = two.store.collections;
  const { messageId } = sent[0]!.chatMessage;
  const { segment } = (await messages.findOne({ networkId: 'default', messageId }))!;
  expect(await mentioned()).toEqual({ isMentioned: true, lastMentionSegment: segment });
  await two.mutate('alice', 'deleteMessage', { messageId }, 'clientMutationId');
  expect(await mentioned()).toEqual({ isMentioned: false, lastMentionSegment: 0 });
}, 240_000);
