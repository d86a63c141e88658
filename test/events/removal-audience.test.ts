import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EventName } from '../../src/events/catalogue.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type LiveClient, type LiveSubscription, liveClient } from '../support/live.ts';
import { ask, mutations, type Payload } from '../support/mutate.ts';
import {
  createComment,
  createPoll,
  createPost,
  createRoom,
  createStory,
  createStream,
} from './cases/content-fixtures.ts';
import type { CaseContext } from './cases/event-case.ts';
import {
  createChannel,
  createCommunity,
  createFeed,
  createMessage,
  firstFeedOf,
  userOf,
} from './cases/people-fixtures.ts';

let gateway: TestGateway;
let context: CaseContext;
const clients = new Map<string, LiveClient>();
const VIEWERS = ['admin', 'alice', 'bob', 'carol', 'erin', 'dave'] as const;
type Viewer = (typeof VIEWERS)[number];

beforeAll(async () => {
  gateway = await startTestGateway();
  context = { gateway, mutate: mutations(gateway) };
  for (const viewer of VIEWERS) clients.set(viewer, await liveClient(gateway, viewer));
});
afterAll(async () => {
  for (const client of clients.values()) await client.close();
  await gateway.close();
});

const mutate = (as: string, operation: string, input: object, select = 'clientMutationId') =>
  context.mutate(as, operation, input, select).then((payload: Payload) => {
    expect(payload.code, JSON.stringify(payload)).toBeUndefined();
    return payload;
  });

interface RemovalCase {
  event: EventName;
  subject: string;
  /** Creates the record and returns a function that deletes it. */
  prepare(): Promise<() => Promise<unknown>>;
  /** All other viewers receive nothing. */
  receivers: readonly Viewer[];
}

/** A private community of alice whose members are bob and carol. */
const createPrivateCommunity = async () =>
  createCommunity(context, {
    fields: { isPublic: false },
    members: await loadBobAndCarol(),
  });
const targeting = ({ communityId }: { communityId: string }) => ({ targetType: 'COMMUNITY', targetId: communityId });
/** A post of alice in the community that shows a poll, stream or room. */
const createPostShowing = (community: { communityId: string }, dataType: string, data: object) =>
  mutate('alice', 'createPost', { ...targeting(community), dataType, data: { text: 'Look', ...data } });
const loadBobAndCarol = () => Promise.all(['bob', 'carol'].map((userId) => userOf(gateway, userId)));
const createChannelWithMembers = async (fields: object) =>
  createChannel(context, { fields, members: await loadBobAndCarol() });

const EVERYONE = VIEWERS;
/** In the public sample community, where dave is banned. */
const ALL_BUT_BANNED = ['admin', 'alice', 'bob', 'carol', 'erin'] as const;
/** The members of the private community or channel, and the administrator. */
const MEMBERS = ['admin', 'alice', 'bob', 'carol'] as const;

const CASES: RemovalCase[] = [
  {
    event: 'community.deleted',
    subject: 'a public community',
    async prepare() {
      const { communityId } = await createCommunity(context);
      return () => mutate('alice', 'deleteCommunity', { communityId });
    },
    receivers: EVERYONE,
  },
  {
    event: 'community.deleted',
    subject: 'a private community',
    async prepare() {
      const { communityId } = await createPrivateCommunity();
      return () => mutate('alice', 'deleteCommunity', { communityId });
    },
    receivers: MEMBERS,
  },
  {
    event: 'channel.deleted',
    subject: 'a private community',
    async prepare() {
      const { communityId } = await createPrivateCommunity();
      return () => mutate('alice', 'deleteCommunity', { communityId });
    },
    receivers: MEMBERS,
  },
  {
    event: 'channel.deleted',
    subject: 'a private channel',
    async prepare() {
      const { channelId } = await createChannelWithMembers({ isPublic: false });
      return () => mutate('alice', 'deleteChannel', { channelId });
    },
    receivers: MEMBERS,
  },
  {
    event: 'channel.deleted',
    subject: 'a public channel',
    async prepare() {
      const { channelId } = await createChannelWithMembers({ isPublic: true });
      return () => mutate('alice', 'deleteChannel', { channelId });
    },
    receivers: EVERYONE,
  },
  {
    event: 'message-feed.deleted',
    subject: 'a private channel',
    async prepare() {
      const { messageFeedId } = await createFeed(context, await createChannelWithMembers({ isPublic: false }));
      return () => mutate('alice', 'deleteMessageFeed', { messageFeedId });
    },
    receivers: MEMBERS,
  },
  {
    event: 'message.deleted',
    subject: 'a private channel',
    async prepare() {
      const { messageId } = await createMessage(context, await createChannelWithMembers({ isPublic: false }));
      return () => mutate('alice', 'deleteMessage', { messageId });
    },
    receivers: MEMBERS,
  },
  {
    event: 'post.deleted',
    subject: 'a private community',
    async prepare() {
      const { postId } = await createPost(context, targeting(await createPrivateCommunity()));
      return () => mutate('alice', 'deletePost', { postId });
    },
    receivers: MEMBERS,
  },
  {
    event: 'post.deleted',
    subject: 'a public community',
    async prepare() {
      const { postId } = await createPost(context);
      return () => mutate('bob', 'deletePost', { postId });
    },
    receivers: ALL_BUT_BANNED,
  },
  {
    event: 'post.deleted',
    subject: 'a post that waited for review',
    async prepare() {
      const community = await createCommunity(context, {
        fields: { needApprovalOnPostCreation: true },
        members: await loadBobAndCarol(),
      });
      const { postId } = await createPost(context, targeting(community));
      return () => mutate('bob', 'deletePost', { postId });
    },
    receivers: ['admin', 'alice', 'bob'],
  },
  {
    event: 'comment.deleted',
    subject: 'a post of a private community',
    async prepare() {
      const { postId } = await createPost(context, targeting(await createPrivateCommunity()));
      const { commentId } = await createComment(context, { referenceType: 'POST', referenceId: postId });
      return () => mutate('bob', 'deleteComment', { commentId });
    },
    receivers: MEMBERS,
  },
  {
    event: 'story.deleted',
    subject: 'a public community',
    async prepare() {
      const { storyId } = await createStory(context);
      return () => mutate('alice', 'deleteStory', { storyId });
    },
    receivers: ALL_BUT_BANNED,
  },
  {
    event: 'poll.deleted',
    subject: 'a poll that no post shows',
    async prepare() {
      const { pollId } = await createPoll(context);
      return () => mutate('alice', 'deletePoll', { pollId });
    },
    receivers: ['admin', 'alice'],
  },
  {
    event: 'poll.deleted',
    subject: 'a post of a private community',
    async prepare() {
      const { pollId } = await createPoll(context);
      await createPostShowing(await createPrivateCommunity(), 'poll', { pollId });
      return () => mutate('alice', 'deletePoll', { pollId });
    },
    receivers: MEMBERS,
  },
  {
    event: 'video-streaming.deleted',
    subject: 'a stream that no post shows',
    async prepare() {
      const { streamId } = await createStream(context);
      return () => mutate('alice', 'deleteVideoStream', { streamId });
    },
    receivers: ['admin', 'alice'],
  },
  {
    event: 'room.deleted',
    subject: 'a room that no post shows',
    async prepare() {
      const { roomId } = await createRoom(context);
      return () => mutate('alice', 'deleteRoom', { roomId });
    },
    receivers: ['admin', 'alice'],
  },
  {
    event: 'video-streaming.deleted',
    subject: 'a post of a private community',
    async prepare() {
      const { streamId } = await createStream(context);
      await createPostShowing(await createPrivateCommunity(), 'liveStream', { streamId });
      return () => mutate('alice', 'deleteVideoStream', { streamId });
    },
    receivers: MEMBERS,
  },
  {
    event: 'room.deleted',
    subject: 'a post of a private community',
    async prepare() {
      const community = await createPrivateCommunity();
      const { roomId } = await createRoom(context, targeting(community));
      await createPostShowing(community, 'room', { roomId });
      return () => mutate('alice', 'deleteRoom', { roomId });
    },
    receivers: MEMBERS,
  },
  {
    event: 'role.deleted',
    subject: 'the network',
    async prepare() {
      await mutate('admin', 'createRole', {
        roleId: 'short-lived',
        displayName: 'Short-lived',
        permissions: [],
        rank: 5,
      });
      return () => mutate('admin', 'deleteRole', { roleId: 'short-lived' });
    },
    receivers: EVERYONE,
  },
  {
    event: 'user.deleted',
    subject: 'the network',
    async prepare() {
      await gateway.tokenOf('short-lived');
      return () => mutate('admin', 'deleteUser', { userId: 'short-lived' });
    },
    receivers: EVERYONE,
  },
  {
    event: 'file.deleted',
    subject: 'the file of a user',
    prepare: async () => () => mutate('bob', 'deleteFile', { fileId: 'tomatoes-yellow' }),
    receivers: ['admin', 'bob'],
  },
];

describe('a deletion is delivered only to users who could see the record', () => {
  test.each(CASES.map((removal) => [`${removal.event}: ${removal.subject}`, removal] as const))(
    '%s',
    async (_, { event, prepare, receivers }) => {
      const remove = await prepare();
      expect(await receiversOf(event, remove)).toEqual([...receivers].sort());
    },
  );
});

test('read positions are delivered only to their user', async () => {
  const { channelId } = await createChannelWithMembers({ isPublic: true });
  const { segment, messageFeedId } = (
    await mutate(
      'alice',
      'sendMessage',
      { channelId, data: { text: 'Read me' } },
      'chatMessage { segment messageFeedId }',
    )
  ).chatMessage;
  const read = () => mutate('bob', 'markRead', { messageFeedId, readToSegment: segment });
  expect(await receiversOf('marker.userFeed-updated', read)).toEqual(['bob']);
});

test.each([
  ['marker.user-sync', ['bob']],
  ['marker.marked-message', [...MEMBERS]],
] as const)('%s in a private channel is delivered to %j', async (event, receivers) => {
  const channel = await createChannelWithMembers({ isPublic: false });
  await createMessage(context, channel);
  const { messageFeedId } = await firstFeedOf(context, channel);
  expect(await receiversOf(event, () => mutate('bob', 'markRead', { messageFeedId, readToSegment: 1 }))).toEqual(
    receivers,
  );
});

test('live reactions are delivered only to users who see the post', async () => {
  const community = await createPrivateCommunity();
  const { roomId } = await createRoom(context, targeting(community));
  const { post } = await mutate(
    'alice',
    'createPost',
    { ...targeting(community), dataType: 'room', data: { text: 'Look', roomId } },
    'post { postId }',
  );
  await mutate('alice', 'startRoom', { roomId });
  const input = { postId: post.postId, roomId, reactions: [{ reactionName: 'clap' }] };
  expect(await receiversOf('liveReaction.created', () => mutate('bob', 'addLiveReactions', input))).toEqual([
    ...MEMBERS,
  ]);
});

/** The viewers who receive an event caused by `work`, which is between two public posts: events before may still arrive. */
async function receiversOf(event: EventName, work: () => Promise<unknown>): Promise<string[]> {
  const type = event.replace(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();
  const { eventCursor: after } = await ask(gateway, '{ eventCursor }');
  const query = `subscription ($after: String) { events(after: $after, types: [${type}, POST_CREATED]) { id type path } }`;
  const subscriptions = [...clients].map(([viewer, client]) => [viewer, client.listen(query, { after })] as const);
  const first = await createMark();
  await work();
  const last = await createMark();
  const received = await Promise.all(
    subscriptions.map(([viewer, subscription]) => receives({ viewer, subscription, type, first, last })),
  );
  return received.flat().sort();
}

/** On a profile, which every viewer can see; no community is visible to all of them. @returns its path */
async function createMark(): Promise<string> {
  const input = { targetType: 'USER', targetId: 'erin', data: { text: 'A mark' } };
  return (await mutate('erin', 'createPost', input, 'post { path }')).post.path;
}

/** @returns the viewer, if they received an event of the type between the two posts */
async function receives(watched: {
  viewer: string;
  subscription: LiveSubscription;
  type: string;
  first: string;
  last: string;
}): Promise<string[]> {
  const { viewer, subscription, type, first, last } = watched;
  const paths = () => subscription.events.map(({ path }) => path);
  await expect.poll(paths, { message: `${viewer} receives the last post`, interval: 10 }).toContain(last);
  subscription.stop();
  expect(subscription.errors).toEqual([]);
  expect(paths()).toContain(first);
  const between = subscription.events.slice(paths().indexOf(first) + 1, paths().indexOf(last));
  return between.some((event) => event.type === type) ? [viewer] : [];
}
