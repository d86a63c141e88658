import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EventName } from '../../src/events/catalogue.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type LiveClient, type LiveSubscription, liveClient } from '../support/live.ts';
import { ask, mutations, type Payload } from '../support/mutate.ts';
import { newComment, newPoll, newPost, newRoom, newStory, newStream } from './rows/made.ts';
import { newChannel, newCommunity, newFeed, newMessage, userOf } from './rows/people-made.ts';
import type { World } from './rows/row.ts';

let gateway: TestGateway;
let world: World;
const clients = new Map<string, LiveClient>();
const VIEWERS = ['admin', 'alice', 'bob', 'carol', 'erin', 'dave'] as const;
type Viewer = (typeof VIEWERS)[number];

beforeAll(async () => {
  gateway = await startTestGateway();
  world = { gateway, make: mutations(gateway) };
  for (const viewer of VIEWERS) clients.set(viewer, await liveClient(gateway, viewer));
});
afterAll(async () => {
  for (const client of clients.values()) await client.close();
  await gateway.close();
});

const make = (as: string, operation: string, input: object, select = 'clientMutationId') =>
  world.make(as, operation, input, select).then((payload: Payload) => {
    expect(payload.code, JSON.stringify(payload)).toBeUndefined();
    return payload;
  });

interface Row {
  event: EventName;
  of: string;
  /** Makes it; what comes back takes it away. */
  prepare(): Promise<() => Promise<unknown>>;
  /** Everybody else hears nothing. */
  hears: readonly Viewer[];
}

/** In a community of alice, which bob and carol are members of. */
const privately = async () =>
  newCommunity(world, {
    fields: { isPublic: false },
    members: await Promise.all(['bob', 'carol'].map((userId) => userOf(gateway, userId))),
  });
const within = ({ communityId }: { communityId: string }) => ({ targetType: 'COMMUNITY', targetId: communityId });
/** A post of alice there that shows what is named. */
const showing = (community: { communityId: string }, dataType: string, data: object) =>
  make('alice', 'createPost', { ...within(community), dataType, data: { text: 'Look', ...data } });
const bobAndCarol = () => Promise.all(['bob', 'carol'].map((userId) => userOf(gateway, userId)));
const withChannel = async (fields: object) => newChannel(world, { fields, members: await bobAndCarol() });

const EVERYBODY = VIEWERS;
/** In the public sample community, where dave is banned. */
const NOT_THE_BANNED = ['admin', 'alice', 'bob', 'carol', 'erin'] as const;
/** Of the private community or channel: its members, and whoever sees everything. */
const MEMBERS = ['admin', 'alice', 'bob', 'carol'] as const;

const ROWS: Row[] = [
  {
    event: 'community.deleted',
    of: 'a public community',
    async prepare() {
      const { communityId } = await newCommunity(world);
      return () => make('alice', 'deleteCommunity', { communityId });
    },
    hears: EVERYBODY,
  },
  {
    event: 'community.deleted',
    of: 'a private community',
    async prepare() {
      const { communityId } = await privately();
      return () => make('alice', 'deleteCommunity', { communityId });
    },
    hears: MEMBERS,
  },
  {
    event: 'channel.deleted',
    of: 'a private community',
    async prepare() {
      const { communityId } = await privately();
      return () => make('alice', 'deleteCommunity', { communityId });
    },
    hears: MEMBERS,
  },
  {
    event: 'channel.deleted',
    of: 'a private channel',
    async prepare() {
      const { channelId } = await withChannel({ isPublic: false });
      return () => make('alice', 'deleteChannel', { channelId });
    },
    hears: MEMBERS,
  },
  {
    event: 'channel.deleted',
    of: 'a public channel',
    async prepare() {
      const { channelId } = await withChannel({ isPublic: true });
      return () => make('alice', 'deleteChannel', { channelId });
    },
    hears: EVERYBODY,
  },
  {
    event: 'message-feed.deleted',
    of: 'a private channel',
    async prepare() {
      const { messageFeedId } = await newFeed(world, await withChannel({ isPublic: false }));
      return () => make('alice', 'deleteMessageFeed', { messageFeedId });
    },
    hears: MEMBERS,
  },
  {
    event: 'message.deleted',
    of: 'a private channel',
    async prepare() {
      const { messageId } = await newMessage(world, await withChannel({ isPublic: false }));
      return () => make('alice', 'deleteMessage', { messageId });
    },
    hears: MEMBERS,
  },
  {
    event: 'post.deleted',
    of: 'a private community',
    async prepare() {
      const { postId } = await newPost(world, within(await privately()));
      return () => make('alice', 'deletePost', { postId });
    },
    hears: MEMBERS,
  },
  {
    event: 'post.deleted',
    of: 'a public community',
    async prepare() {
      const { postId } = await newPost(world);
      return () => make('bob', 'deletePost', { postId });
    },
    hears: NOT_THE_BANNED,
  },
  {
    event: 'post.deleted',
    of: 'a post that waited for review',
    async prepare() {
      const community = await newCommunity(world, {
        fields: { needApprovalOnPostCreation: true },
        members: await bobAndCarol(),
      });
      const { postId } = await newPost(world, within(community));
      return () => make('bob', 'deletePost', { postId });
    },
    hears: ['admin', 'alice', 'bob'],
  },
  {
    event: 'comment.deleted',
    of: 'a post of a private community',
    async prepare() {
      const { postId } = await newPost(world, within(await privately()));
      const { commentId } = await newComment(world, { referenceType: 'POST', referenceId: postId });
      return () => make('bob', 'deleteComment', { commentId });
    },
    hears: MEMBERS,
  },
  {
    event: 'story.deleted',
    of: 'a public community',
    async prepare() {
      const { storyId } = await newStory(world);
      return () => make('alice', 'deleteStory', { storyId });
    },
    hears: NOT_THE_BANNED,
  },
  {
    event: 'poll.deleted',
    of: 'a poll that no post shows',
    async prepare() {
      const { pollId } = await newPoll(world);
      return () => make('alice', 'deletePoll', { pollId });
    },
    hears: ['admin', 'alice'],
  },
  {
    event: 'poll.deleted',
    of: 'a post of a private community',
    async prepare() {
      const { pollId } = await newPoll(world);
      await showing(await privately(), 'poll', { pollId });
      return () => make('alice', 'deletePoll', { pollId });
    },
    hears: MEMBERS,
  },
  {
    event: 'video-streaming.deleted',
    of: 'a stream that no post shows',
    async prepare() {
      const { streamId } = await newStream(world);
      return () => make('alice', 'deleteVideoStream', { streamId });
    },
    hears: ['admin', 'alice'],
  },
  {
    event: 'room.deleted',
    of: 'a room that no post shows',
    async prepare() {
      const { roomId } = await newRoom(world);
      return () => make('alice', 'deleteRoom', { roomId });
    },
    hears: ['admin', 'alice'],
  },
  {
    event: 'video-streaming.deleted',
    of: 'a post of a private community',
    async prepare() {
      const { streamId } = await newStream(world);
      await showing(await privately(), 'liveStream', { streamId });
      return () => make('alice', 'deleteVideoStream', { streamId });
    },
    hears: MEMBERS,
  },
  {
    event: 'room.deleted',
    of: 'a post of a private community',
    async prepare() {
      const community = await privately();
      const { roomId } = await newRoom(world, within(community));
      await showing(community, 'room', { roomId });
      return () => make('alice', 'deleteRoom', { roomId });
    },
    hears: MEMBERS,
  },
  {
    event: 'role.deleted',
    of: 'the network',
    async prepare() {
      await make('admin', 'createRole', {
        roleId: 'short-lived',
        displayName: 'Short-lived',
        permissions: [],
        rank: 5,
      });
      return () => make('admin', 'deleteRole', { roleId: 'short-lived' });
    },
    hears: EVERYBODY,
  },
  {
    event: 'user.deleted',
    of: 'the network',
    async prepare() {
      await gateway.tokenOf('short-lived');
      return () => make('admin', 'deleteUser', { userId: 'short-lived' });
    },
    hears: EVERYBODY,
  },
  {
    event: 'file.deleted',
    of: 'a user, whose file it was',
    prepare: async () => () => make('bob', 'deleteFile', { fileId: 'tomatoes-yellow' }),
    hears: ['admin', 'bob'],
  },
];

describe('that something went is told to those who saw it, and to nobody else', () => {
  test.each(ROWS.map((row) => [`${row.event}: ${row.of}`, row] as const))(
    '%s',
    async (_, { event, prepare, hears }) => {
      const remove = await prepare();
      expect(await whoHears(event, remove)).toEqual([...hears].sort());
    },
  );
});

test('positions are told to their user alone', async () => {
  const { channelId } = await withChannel({ isPublic: true });
  const { segment, messageFeedId } = (
    await make(
      'alice',
      'sendMessage',
      { channelId, data: { text: 'Read me' } },
      'chatMessage { segment messageFeedId }',
    )
  ).chatMessage;
  const read = () => make('bob', 'markRead', { messageFeedId, readToSegment: segment });
  expect(await whoHears('marker.userFeed-updated', read)).toEqual(['bob']);
});

/** Who is told of an event while `work` runs: everybody has been when they were told of a post that comes after it. */
async function whoHears(event: EventName, work: () => Promise<unknown>): Promise<string[]> {
  const type = event.replace(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();
  const { eventCursor: after } = await ask(gateway, '{ eventCursor }');
  const query = `subscription ($after: String) { events(after: $after, types: [${type}, POST_CREATED]) { id type path } }`;
  const listening = [...clients].map(([viewer, client]) => [viewer, client.listen(query, { after })] as const);
  await work();
  // On a profile, since not everybody is let into any one community.
  const { post } = await make('erin', 'createPost', LAST, 'post { path }');
  const hearing = await Promise.all(
    listening.map(([viewer, heard]) => hears({ viewer, heard, type, last: post.path })),
  );
  return hearing.flat().sort();
}

const LAST = { targetType: 'USER', targetId: 'erin', data: { text: 'The last one' } };

async function hears(one: { viewer: string; heard: LiveSubscription; type: string; last: string }): Promise<string[]> {
  const { viewer, heard, type, last } = one;
  const end = performance.now() + 20_000;
  while (!heard.events.some(({ path }) => path === last)) {
    expect(performance.now(), `${viewer} is told of the last one`).toBeLessThan(end);
    await new Promise((later) => setTimeout(later, 10));
  }
  heard.stop();
  expect(heard.errors).toEqual([]);
  return heard.events.some((event) => event.type === type) ? [viewer] : [];
}
