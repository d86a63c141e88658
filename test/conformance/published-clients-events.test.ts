import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventName } from '../../src/events/catalogue.ts';
import { expectDelivery } from '../support/expect-delivery.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { ask, mutations, type Payload } from '../support/mutate.ts';

/** What published clients read from `data`, besides the events of docs/interface.md. */

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const change = mutations(() => gateway);

async function mutate(as: string, operation: string, input: object, select = 'clientMutationId'): Promise<Payload> {
  const payload = await change(as, operation, input, select);
  expect(payload.code, JSON.stringify(payload)).toBeUndefined();
  return payload;
}

interface Chat {
  channelId: string;
  internalId: string;
  path: string;
  feedId: string;
}

/** A channel of alice with the member bob. */
async function createChat(): Promise<Chat> {
  const select = 'channel { channelId internalId path defaultMessageFeedId }';
  const { channel } = await mutate('alice', 'createChannel', { displayName: 'Compost', userIds: ['bob'] }, select);
  const { defaultMessageFeedId: feedId, ...chat } = channel;
  return { ...chat, feedId };
}

async function send({ channelId }: Chat, as = 'alice'): Promise<Payload> {
  const input = { channelId, data: { text: 'Anybody?' } };
  return (await mutate(as, 'sendMessage', input, 'chatMessage { messageId path userInternalId }')).chatMessage;
}

const internalIdOf = async (userId: string): Promise<string> =>
  (await ask(gateway, `{ user(userId: "${userId}") { internalId } }`)).user.internalId;

const REACTOR = { reactionName: 'clap', userId: 'bob' };

test.each(['message.reactionAdded', 'message.reactionRemoved'] as const)('%s lists the reactor', async (event) => {
  const chat = await createChat();
  const { messageId, path } = await send(chat);
  const input = { referenceType: 'MESSAGE', referenceId: messageId, reactionName: 'clap' };
  const isAdded = event === 'message.reactionAdded';
  if (!isAdded) await mutate('bob', 'addReaction', input);
  const { data } = await expectDelivery(
    gateway,
    { event, as: 'alice', type: 'MessageReactionEvent', path, actorId: 'bob' },
    () => mutate('bob', isAdded ? 'addReaction' : 'removeReaction', input),
  );
  expect(data.reactor).toMatchObject(REACTOR);
  expect(data.reactions).toEqual([data.reactor]);
  expect(data.messages).toMatchObject([{ messageId, reactions: isAdded ? { clap: 1 } : {} }]);
  expect(data.messageFeeds).toMatchObject([{ messageFeedId: chat.feedId }]);
});

test('story.reactionAdded lists the reactor', async () => {
  const story = { targetType: 'COMMUNITY', targetId: 'gardeners', dataType: 'TEXT', data: { text: 'Dew' } };
  const { storyId, path } = (await mutate('alice', 'createStory', story, 'story { storyId path }')).story;
  const { data } = await expectDelivery(
    gateway,
    { event: 'story.reactionAdded', as: 'carol', type: 'StoryReactionEvent', path, actorId: 'bob' },
    () => mutate('bob', 'addReaction', { referenceType: 'STORY', referenceId: storyId, reactionName: 'clap' }),
  );
  expect(data.reactor).toMatchObject(REACTOR);
  expect(data.reactions).toEqual([data.reactor]);
});

test('a comment on a story is reported as story.updated with the new count', async () => {
  const story = { targetType: 'COMMUNITY', targetId: 'gardeners', dataType: 'TEXT', data: { text: 'Dew' } };
  const { storyId, path } = (await mutate('alice', 'createStory', story, 'story { storyId path }')).story;
  const { data } = await expectDelivery(
    gateway,
    { event: 'story.updated', as: 'carol', type: 'StoryEvent', path, actorId: 'bob' },
    () => mutate('bob', 'createComment', { referenceType: 'STORY', referenceId: storyId, data: { text: 'Nice' } }),
  );
  expect(data.stories).toMatchObject([{ storyId, commentsCount: 1 }]);
});

test('message.created has the message feed and an array of reactions', async () => {
  const chat = await createChat();
  const { data } = await deliveryIn(chat, { event: 'message.created', as: 'bob' }, () => send(chat));
  expect(Object.keys(data)).toEqual(['messages', 'messageFeeds', 'users', 'files', 'reactions']);
  expect(data.messageFeeds).toMatchObject([{ messageFeedId: chat.feedId, channelId: chat.internalId }]);
  expect(data.reactions).toEqual([]);
});

test.each([
  [60_000, expect.any(Number)],
  [-1, Date.parse('9999-12-31T23:59:59.999Z')],
  [0, null],
])('channel.setMuted with a period of %i has flat fields', async (mutePeriod, end) => {
  const { channelId, internalId, path } = await createChat();
  if (mutePeriod === 0) await mutate('alice', 'muteChannel', { channelId, mutePeriod: -1 });
  const { data } = await expectDelivery(
    gateway,
    { event: 'channel.setMuted', as: 'bob', type: 'ChannelEvent', path, actorId: 'alice' },
    () => mutate('alice', 'muteChannel', { channelId, mutePeriod }),
  );
  expect(data).toMatchObject({ channelId: internalId, actor: 'alice', networkId: 'default' });
  expect(data.channels).toMatchObject([{ channelId }]);
  expect(data.muteTimeout === null ? null : Date.parse(data.muteTimeout)).toEqual(end);
  if (mutePeriod > 0) expect(Date.parse(data.muteTimeout)).toBeGreaterThan(Date.now());
});

test('channel.setMutedUsers has flat fields', async () => {
  const { channelId, path } = await createChat();
  const { data } = await expectDelivery(
    gateway,
    { event: 'channel.setMutedUsers', as: 'bob', type: 'ChannelUsersEvent', path, actorId: 'alice' },
    () => mutate('alice', 'muteChannelMembers', { channelId, userIds: ['bob'], mutePeriod: 60_000 }),
  );
  expect(data).toMatchObject({ channelId, userIds: ['bob'], actor: 'alice' });
  expect(Date.parse(data.muteTimeout)).toBeGreaterThan(Date.now());
  const keys = Object.keys(data);
  expect(keys.indexOf('users')).toBeLessThan(keys.indexOf('channelUsers'));
});

test('marker.marked-message reports to the author that a message was delivered, then read', async () => {
  const chat = await createChat();
  const { messageId, userInternalId } = await send(chat);
  await send(chat);
  const expected = { event: 'marker.marked-message', as: 'alice' } as const;
  const markers = { contentId: messageId, feedId: chat.feedId, creatorId: userInternalId };
  const received = await deliveryIn(chat, expected, () =>
    mutate('bob', 'markDelivering', { messageFeedId: chat.feedId, messageId }),
  );
  expect(received.data.contentMarkers).toMatchObject([{ ...markers, readCount: 0, deliveredCount: 1 }]);
  const read = await deliveryIn(chat, expected, () =>
    mutate('bob', 'markRead', { messageFeedId: chat.feedId, readToSegment: 1 }),
  );
  const times = { createdAt: expect.any(String), updatedAt: expect.any(String) };
  expect(read.data.contentMarkers).toEqual([{ ...markers, readCount: 1, deliveredCount: 1, ...times }]);
  expect(read.data.feedMarkers).toMatchObject([{ feedId: chat.feedId, entityId: chat.internalId, lastSegment: 2 }]);
});

test('marker.feed-updated has the new segment and the new message', async () => {
  const chat = await createChat();
  const { data } = await deliveryIn(chat, { event: 'marker.feed-updated', as: 'bob' }, () => send(chat));
  expect(data.feedMarkers).toMatchObject([{ feedId: chat.feedId, entityId: chat.internalId, lastSegment: 1 }]);
  expect(data.contentMarkers).toMatchObject([{ feedId: chat.feedId, readCount: 0, deliveredCount: 0 }]);
});

test('marker.user-sync has the totals of a user who read, marker.userFeed-updated the segments of the feeds', async () => {
  const chat = await createChat();
  await send(chat);
  await send(chat);
  const path = `default/marker/user/${await internalIdOf('bob')}`;
  const of = (event: EventName) => ({ event, as: 'bob', type: 'MarkerEvent', path, actorId: 'bob' });
  const readTo = (readToSegment: number) => () =>
    mutate('bob', 'markRead', { messageFeedId: chat.feedId, readToSegment });
  const { data: sync } = await expectDelivery(gateway, of('marker.user-sync'), readTo(1));
  expect(Object.keys(sync)).toEqual(['userMarkers', 'userEntityMarkers', 'userFeedMarkers']);
  expect(sync.userMarkers).toMatchObject([{ unreadCount: expect.any(Number) }]);
  expect(sync.userEntityMarkers).toMatchObject([{ entityId: chat.internalId, unreadCount: 1 }]);
  expect(sync.userFeedMarkers).toMatchObject([{ feedId: chat.feedId, readToSegment: 1, unreadCount: 1 }]);
  const { data: moved } = await expectDelivery(gateway, of('marker.userFeed-updated'), readTo(2));
  expect(Object.keys(moved)).toEqual(['userFeedMarkers', 'feedMarkers']);
  expect(moved.userFeedMarkers).toMatchObject([{ feedId: chat.feedId, readToSegment: 2, unreadCount: 0 }]);
  expect(moved.feedMarkers).toMatchObject([{ feedId: chat.feedId, lastSegment: 2 }]);
});

test('a vote is reported as poll.updated, in which each receiver finds their own votes', async () => {
  const poll = { question: 'Which one?', answers: [{ data: 'This' }, { data: 'That' }] };
  const { pollId, answers } = (await mutate('alice', 'createPoll', poll, 'poll { pollId answers { answerId } }')).poll;
  const post = { targetType: 'COMMUNITY', targetId: 'gardeners', dataType: 'poll', data: { text: 'Vote', pollId } };
  await mutate('alice', 'createPost', post);
  const vote = (as: string) => () => mutate(as, 'votePoll', { pollId, answerIds: [answers[0].answerId] });
  const path = `default/poll/${pollId}`;
  const of = (as: string) => ({ event: 'poll.updated', as, type: 'PollEvent', path, actorId: null }) as const;
  const { data: own } = await expectDelivery(gateway, of('bob'), vote('bob'));
  expect(own.polls).toMatchObject([{ isVoted: true, answers: [{ isVotedByUser: true, voteCount: 1 }, {}] }]);
  const { data: others } = await expectDelivery(gateway, of('alice'), vote('carol'));
  expect(others.polls).toMatchObject([{ isVoted: false, answers: [{ isVotedByUser: false, voteCount: 2 }, {}] }]);
});

test('a participant of a room is the actor of the event that reports them', async () => {
  const input = { targetType: 'COMMUNITY', targetId: 'gardeners', title: 'Bench', type: 'CO_HOSTS' };
  const { roomId, path } = (await mutate('alice', 'createRoom', input, 'room { roomId path }')).room;
  const of = (event: EventName) => ({ event, as: 'alice', type: 'RoomParticipantEvent', path, actorId: 'alice' });
  for (const [event, operation] of [
    ['room.participantJoined', 'addRoomParticipants'],
    ['room.participantRemoved', 'removeRoomParticipants'],
  ] as const) {
    const { data } = await expectDelivery(gateway, of(event), () =>
      mutate('alice', operation, { roomId, userIds: ['bob'] }),
    );
    expect(data.eventActor).toEqual({ userInternalId: await internalIdOf('bob') });
    expect(data.rooms).toMatchObject([{ roomId }]);
  }
});

test('live reactions sent over REST are delivered to users who see the post', async () => {
  const room = { targetType: 'COMMUNITY', targetId: 'gardeners', title: 'Bench' };
  const { roomId } = (await mutate('alice', 'createRoom', room, 'room { roomId }')).room;
  const post = { targetType: 'COMMUNITY', targetId: 'gardeners', dataType: 'room', data: { text: 'Come', roomId } };
  const { postId, internalId, path } = (await mutate('alice', 'createPost', post, 'post { postId internalId path }'))
    .post;
  await mutate('alice', 'startRoom', { roomId });
  const reaction = { reactionName: 'clap', occurredAt: '2026-01-01T00:00:00.000Z' };
  const body = { roomId, reactions: [{ ...reaction, referencePublicId: postId, referenceType: 'post' }] };
  let answer: Payload = {};
  const { data } = await expectDelivery(
    gateway,
    {
      event: 'liveReaction.created',
      as: 'carol',
      type: 'LiveReactionEvent',
      path: `${path}/liveReaction`,
      actorId: 'bob',
    },
    async () => {
      answer = await gateway.rest('/api/v1/reactions/live', { method: 'POST', as: 'bob', body });
    },
  );
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body).toEqual({ addedIds: [expect.any(String)] });
  expect(data.reactions).toMatchObject([
    { ...reaction, userId: 'bob', referenceId: internalId, referencePublicId: postId, referenceType: 'post' },
  ]);
});

/** An event about the messages or the receipts of a chat. */
function deliveryIn(
  { internalId, feedId }: Chat,
  { event, as }: { event: EventName; as: string },
  work: () => Promise<unknown>,
) {
  const isReceipt = event.startsWith('marker.');
  const path = isReceipt ? `default/marker/channel/${internalId}/message/${feedId}` : expect.any(String);
  const type = isReceipt ? 'FeedMarkerEvent' : 'MessageEvent';
  const actorId = event === 'marker.marked-message' ? 'bob' : 'alice';
  return expectDelivery(gateway, { event, as, type, path, actorId }, work);
}

test('events of the members of a community contain the membership of the receiver last', async () => {
  const input = { communityId: 'gardeners' };
  const { path } = (await ask(gateway, '{ community(communityId: "gardeners") { path } }')).community;
  const delivered = async (event: 'community.joined' | 'community.left', operation: string) => {
    const about = { event, as: 'carol', type: 'CommunityUsersEvent', path, actorId: 'erin' };
    const { data } = await expectDelivery(gateway, about, () => mutate('erin', operation, input));
    return data.communityUsers;
  };
  const receiver = { userId: 'carol', communityMembership: 'member' };
  expect(await delivered('community.joined', 'joinCommunity')).toMatchObject([
    { userId: 'erin', communityMembership: 'member' },
    receiver,
  ]);
  expect(await delivered('community.left', 'leaveCommunity')).toMatchObject([
    { userId: 'erin', communityMembership: 'none' },
    receiver,
  ]);
});
