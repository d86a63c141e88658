import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { waitFor } from '../support/live.ts';
import { type MqttEvent, type TestMqttClient, useMqttClients } from '../support/mqtt-client.ts';
import { successfulMutations } from '../support/mutate.ts';

/** Each event reaches the topic on which published clients expect it, with the arrays that they read. */

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const mutate = successfulMutations(() => gateway);
const connect = useMqttClients();

async function listen(as: string, ...topics: string[]): Promise<TestMqttClient> {
  const client = await connect(gateway, as);
  const granted = await client.subscribe(...topics.map((topic) => topic.replace('{me}', client.userInternalId)));
  expect(granted).toEqual(topics.map(() => 0));
  return client;
}

async function eventOf({ events }: TestMqttClient, type: string): Promise<MqttEvent> {
  const find = () => events.find(({ eventType }) => eventType === type);
  await waitFor(() => find() !== undefined).catch(() => undefined);
  expect(find(), `${type}; received: ${events.map(({ eventType }) => eventType)}`).toBeDefined();
  return find()!;
}

async function internalIdOf(collection: 'users' | 'communities' | 'channels', filter: object): Promise<string> {
  const record = await gateway.services.store.collections[collection].findOne({
    networkId: 'default',
    ...filter,
  } as never);
  return record!._id.toHexString();
}
const gardeners = () => internalIdOf('communities', { communityId: 'gardeners' });
const IN_GARDENERS = { targetType: 'COMMUNITY', targetId: 'gardeners' };
const createPost = async (fields: object = {}): Promise<{ postId: string; path: string }> =>
  (await mutate('alice', 'createPost', { ...IN_GARDENERS, data: { text: 'x' }, ...fields }, 'post { postId path }'))
    .post;
const withoutNetwork = (path: string) => path.replace('default/', '');

test('follows, to the topics of both users', async () => {
  const followed = await listen('leo', 'membership/{me}/+/+');
  const follower = await listen('kim', 'membership/+/{me}/+');
  await mutate('kim', 'followUser', { userId: 'leo' });
  for (const client of [followed, follower]) {
    const { data } = await eventOf(client, 'follow.created');
    expect(data.follows).toMatchObject([{ from: 'kim', to: 'leo', status: 'accepted' }]);
    expect(data.users.map(({ userId }: { userId: string }) => userId).sort()).toEqual(['kim', 'leo']);
  }
  await mutate('kim', 'unfollowUser', { userId: 'leo' });
  for (const client of [followed, follower]) {
    const { data } = await eventOf(client, 'follow.unfollowed');
    expect(data.follows).toMatchObject([{ from: 'kim', to: 'leo', status: 'none' }]);
  }
});

test('read positions, to the reader and to the members of the message feed', async () => {
  const channel = await internalIdOf('channels', { channelId: 'alice-and-bob' });
  const sender = await listen('alice', `marker/channel/${channel}/message/${channel}`);
  const reader = await listen('bob', 'marker/user/{me}');
  const { chatMessage } = await mutate(
    'alice',
    'sendMessage',
    { channelId: 'alice-and-bob', data: { text: 'x' } },
    'chatMessage { messageId messageFeedId segment }',
  );
  const { messageId: contentId, messageFeedId: feedId, segment } = chatMessage;
  expect((await eventOf(sender, 'marker.feed-updated')).data).toMatchObject({
    contentMarkers: [{ contentId, feedId }],
    feedMarkers: [{ feedId, lastSegment: segment }],
  });
  await mutate('bob', 'markRead', { messageFeedId: feedId, readToSegment: segment });
  expect((await eventOf(sender, 'marker.marked-message')).data).toMatchObject({
    contentMarkers: [{ contentId, feedId, readCount: 1 }],
    feedMarkers: [{ feedId }],
  });
  expect((await eventOf(reader, 'marker.userFeed-updated')).data).toMatchObject({
    feedMarkers: [{ feedId }],
    userFeedMarkers: [{ feedId, readToSegment: segment }],
  });
  expect((await eventOf(reader, 'marker.user-sync')).data).toMatchObject({
    userMarkers: [{}],
    userEntityMarkers: [{ entityId: channel }],
    userFeedMarkers: [{ feedId }],
  });
});

test('stories, their comments and their reactions, to the target and to the story', async () => {
  const bob = await listen('bob', 'social/community/gardeners/story/#');
  const input = { ...IN_GARDENERS, dataType: 'TEXT', data: { text: 'x' } };
  const { storyId } = (await mutate('alice', 'createStory', input, 'story { storyId }')).story;
  const carol = await listen('carol', `social/community/gardeners/story/${storyId}/#`);
  expect((await eventOf(bob, 'story.created')).data.stories).toMatchObject([{ storyId }]);
  await mutate('carol', 'addReaction', { referenceType: 'STORY', referenceId: storyId, reactionName: 'like' });
  const comment = { referenceType: 'STORY', referenceId: storyId, data: { text: 'x' } };
  const { commentId } = (await mutate('carol', 'createComment', comment, 'comment { commentId }')).comment;
  for (const client of [bob, carol]) {
    const { data } = await eventOf(client, 'story.reactionAdded');
    expect(data).toMatchObject({ stories: [{ storyId }], reactions: [{ userId: 'carol', reactionName: 'like' }] });
    expect((await eventOf(client, 'comment.created')).data.comments).toMatchObject([{ commentId }]);
    expect((await eventOf(client, 'story.updated')).data.stories).toMatchObject([{ storyId }]);
  }
  await mutate('alice', 'deleteStory', { storyId });
  for (const client of [bob, carol]) await eventOf(client, 'story.deleted');
});

test('polls, to the topics of the post that shows them, with the choice of the receiver', async () => {
  const poll = { question: 'Which?', answers: [{ data: 'a' }, { data: 'b' }] };
  const { pollId, answers } = (await mutate('alice', 'createPoll', poll, 'poll { pollId answers { answerId } }')).poll;
  const { path } = await createPost({ dataType: 'poll', data: { text: 'x', pollId } });
  const voter = await listen('bob', `social/community/${await gardeners()}/post/#`);
  const other = await listen('carol', withoutNetwork(path));
  await mutate('bob', 'votePoll', { pollId, answerIds: [answers[0].answerId] });
  for (const [client, isVoted] of [
    [voter, true],
    [other, false],
  ] as const) {
    const { data } = await eventOf(client, 'poll.updated');
    expect(data.polls).toMatchObject([{ pollId, isVoted }]);
  }
});

test('rooms, to their viewers and their participants, and live reactions, to the post', async () => {
  const input = { ...IN_GARDENERS, title: 'x', type: 'CO_HOSTS' };
  const { roomId } = (await mutate('alice', 'createRoom', input, 'room { roomId }')).room;
  const { postId, path } = await createPost({ dataType: 'room', data: { text: 'x', roomId } });
  const streamer = await listen('alice', `room/${roomId}/streamer`);
  const viewer = await listen('bob', `room/${roomId}`, `${withoutNetwork(path)}/liveReaction`);
  await mutate('alice', 'startRoom', { roomId });
  for (const client of [streamer, viewer]) {
    expect((await eventOf(client, 'room.startBroadcasting')).data.rooms).toMatchObject([{ roomId }]);
  }
  const reactions = [{ reactionName: 'clap' }];
  await mutate('carol', 'addLiveReactions', { roomId, postId, reactions });
  expect((await eventOf(viewer, 'liveReaction.created')).data.reactions).toMatchObject([
    { userId: 'carol', reactionName: 'clap', referencePublicId: postId, referenceType: 'post' },
  ]);
  await mutate('alice', 'addRoomParticipants', { roomId, userIds: ['carol'] });
  const { data } = await eventOf(viewer, 'room.participantJoined');
  const userInternalId = await internalIdOf('users', { userId: 'carol' });
  expect(data).toMatchObject({ rooms: [{ roomId }], eventActor: { userInternalId } });
});

test('video streams, to the network', async () => {
  const alice = await listen('alice', 'videostreaming');
  const { streamId } = (await mutate('alice', 'createVideoStream', { title: 'x' }, 'videoStream { streamId }'))
    .videoStream;
  expect((await eventOf(alice, 'video-streaming.created')).data.videoStreamings).toMatchObject([{ streamId }]);
});

test('changes of channels, with the flat fields of a mute', async () => {
  const bob = await listen('bob', 'smartfeed/{me}/channels', 'smartfeed/{me}/messagefeeds', 'smartfeed/{me}/messages');
  const create = { displayName: 'x', type: 'COMMUNITY', isPublic: true, userIds: ['bob'] };
  const { channelId } = (await mutate('alice', 'createChannel', create, 'channel { channelId }')).channel;
  const internalId = await internalIdOf('channels', { channelId });
  expect((await eventOf(bob, 'channel.created')).data.channels).toMatchObject([{ channelId }]);
  await mutate('alice', 'muteChannel', { channelId, mutePeriod: 600_000 });
  expect((await eventOf(bob, 'channel.setMuted')).data).toMatchObject({
    channelId: internalId,
    muteTimeout: expect.any(String),
  });
  await mutate('alice', 'createMessageFeed', { channelId, name: 'x' });
  await eventOf(bob, 'message-feed.created');
  const message = { channelId, data: { text: 'x' } };
  const { messageId } = (await mutate('alice', 'sendMessage', message, 'chatMessage { messageId }')).chatMessage;
  await mutate('alice', 'addReaction', { referenceType: 'MESSAGE', referenceId: messageId, reactionName: 'like' });
  expect((await eventOf(bob, 'message.reactionAdded')).data).toMatchObject({
    messages: [{ messageId, reactionCount: 1 }],
    reactions: [{ userId: 'alice', reactionName: 'like' }],
    reactor: { userId: 'alice' },
  });
});
