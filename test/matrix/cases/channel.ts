import { ObjectId } from 'mongodb';
import { insertIndexed } from '../../support/insert-indexed.ts';
import { PLACE_IDS } from '../actors.ts';
import type { Fixtures, RestRequest } from '../fixtures.ts';
import { emptyIn, type MatrixCase, mutationCase, type Rest } from '../matrix-case.ts';

const PLACES = [
  ['a public channel', PLACE_IDS.channel],
  ['a private channel', PLACE_IDS.privateChannel],
] as const;
const isEmpty = (answer: unknown) => (answer as unknown[]).length === 0;

/** A channel for one cell, with the same memberships as the shared channels. */
async function copyOf(fixtures: Fixtures, channelId: string): Promise<string> {
  const { channels, channelUsers, messageFeeds } = fixtures.gateway.services.store.collections;
  const name = fixtures.uniqueId('channel');
  const channel = (await channels.findOne({ networkId: 'default', channelId }))!;
  const members = await channelUsers.find({ networkId: 'default', channelId }).toArray();
  const _id = new ObjectId();
  const ids = { channelId: name, channelInternalId: _id.toHexString() };
  const feed = (await messageFeeds.findOne({ networkId: 'default', channelId }))!;
  const defaultMessageFeedId = _id.toHexString();
  const copy = { ...channel, _id, channelId: name, displayName: name, defaultMessageFeedId };
  await insertIndexed(fixtures.gateway.services.store.collections, 'channels', [copy]);
  await messageFeeds.insertOne({ ...feed, ...ids, _id, messageFeedId: defaultMessageFeedId });
  await channelUsers.insertMany(members.map((member) => ({ ...member, ...ids, _id: new ObjectId() })));
  return name;
}

const restOf =
  ([method, path]: readonly [RestRequest['method'], string]): Rest =>
  ({ input }) => {
    const { channelId, ...body } = input as { channelId: string };
    const hasBody = Object.keys(body).length > 0;
    return { method, path: path.replace(':id', channelId), ...(hasBody && { body }) };
  };

/** An operation on a channel or its members, over GraphQL and REST. */
function onChannel(
  operation: string,
  [situation, channelId]: readonly [string, string],
  { rest, input = {}, select = 'channel { channelId }', before }: OnChannel,
): MatrixCase {
  return mutationCase(operation, situation, {
    select,
    prepare: async (fixtures) => {
      const copy = await copyOf(fixtures, channelId);
      if (before) await setBystander(fixtures, copy, before);
      return { channelId: copy, ...input };
    },
    ...(rest && { rest: restOf(rest) }),
  });
}

interface OnChannel {
  rest?: readonly [RestRequest['method'], string];
  input?: object;
  select?: string;
  /** Fields of the membership of `bystander` before the mutation. */
  before?: object;
}

async function setBystander(fixtures: Fixtures, channelId: string, fields: object): Promise<void> {
  const { channelUsers } = fixtures.gateway.services.store.collections;
  await channelUsers.updateOne({ networkId: 'default', channelId, userId: 'bystander' }, { $set: fields });
}

const userIds = ['bystander'];
const ON_CHANNEL: { [operation: string]: OnChannel } = {
  updateChannel: { rest: ['PUT', '/api/v3/channels/:id'], input: { displayName: 'Renamed' } },
  deleteChannel: { rest: ['DELETE', '/api/v3/channels/:id'] },
  joinChannel: { rest: ['POST', '/api/v3/channels/:id/join'] },
  leaveChannel: { rest: ['DELETE', '/api/v3/channels/:id/leave'] },
  addChannelMembers: {
    rest: ['POST', '/api/v3/channels/:id/users'],
    input: { userIds },
    before: { membership: 'none' },
  },
  removeChannelMembers: { rest: ['DELETE', '/api/v3/channels/:id/users'], input: { userIds } },
  banChannelMembers: { rest: ['PUT', '/api/v3/channels/:id/users/ban'], input: { userIds } },
  unbanChannelMembers: {
    rest: ['PUT', '/api/v3/channels/:id/users/unban'],
    input: { userIds },
    before: { membership: 'banned' },
  },
  muteChannelMembers: { rest: ['PUT', '/api/v2/channel/:id/users/mute'], input: { userIds, mutePeriod: -1 } },
  muteChannel: { rest: ['PUT', '/api/v2/channel/:id/mute'], input: { mutePeriod: 1_000 } },
  setChannelRateLimit: { input: { rateLimit: 5, rateLimitWindow: 1_000 } },
};

const inConversation = async (fixtures: Fixtures) =>
  (
    await fixtures.mutate<{ channel: { channelId: string } }>(
      'author',
      'createConversation',
      { userIds: ['member'], isDistinct: false },
      'channel { channelId }',
    )
  ).channel.channelId;

export const CHANNEL_CASES: MatrixCase[] = [
  ...(['updateChannel', 'deleteChannel'] as const).map((operation) =>
    mutationCase(operation, 'a conversation of `member` and `author`', {
      select: 'channel { channelId }',
      prepare: async (fixtures) => ({ channelId: await inConversation(fixtures), ...ON_CHANNEL[operation]!.input }),
      rest: restOf(ON_CHANNEL[operation]!.rest!),
    }),
  ),
  mutationCase('createChannel', 'one that anybody may join', {
    select: 'channel { channelId }',
    prepare: () => ({ displayName: 'New' }),
    rest: ({ input }) => ({ method: 'POST', path: '/api/v3/channels', body: input as object }),
  }),
  mutationCase('createChannel', 'a broadcast', {
    select: 'channel { channelId }',
    prepare: () => ({ displayName: 'New', type: 'BROADCAST' }),
    rest: () => ({ method: 'POST', path: '/api/v3/channels', body: { displayName: 'New', type: 'broadcast' } }),
  }),
  mutationCase('createConversation', 'with `bystander`', {
    select: 'channel { channelId }',
    prepare: () => ({ userIds }),
    rest: () => ({ method: 'POST', path: '/api/v3/channels/conversation', body: { userIds } }),
  }),
  ...Object.entries(ON_CHANNEL).flatMap(([operation, one]) => PLACES.map((place) => onChannel(operation, place, one))),
  {
    operation: 'viewerChannels',
    situation: 'one’s own',
    document: '{ answer: viewerChannels { edges { node { channelId } } } }',
    prepare: () => ({}),
  },
  ...PLACES.flatMap(([situation, channelId]): MatrixCase[] => [
    {
      operation: 'channel',
      situation,
      document: 'query ($channelId: String!) { answer: channel(channelId: $channelId) { channelId } }',
      prepare: () => ({ channelId }),
      rest: () => ({ method: 'GET', path: `/api/v3/channels/${channelId}` }),
    },
    {
      operation: 'channels',
      situation,
      document: 'query ($channelId: String!) { answer: channels(channelIds: [$channelId]) { channelId } }',
      prepare: () => ({ channelId }),
      isAbsent: isEmpty,
      rest: () => ({ method: 'GET', path: `/api/v3/channels/list?channelIds=${channelId}` }),
    },
    {
      operation: 'channelsByIds',
      situation,
      document: 'query ($channelId: String!) { answer: channelsByIds(channelIds: [$channelId]) { channelId } }',
      prepare: () => ({ channelId }),
      isAbsent: isEmpty,
    },
    {
      operation: 'networkChannels',
      situation,
      document:
        'query ($keyword: String!) { answer: networkChannels(keyword: $keyword) { edges { node { channelId } } } }',
      async prepare(fixtures) {
        return { keyword: await copyOf(fixtures, channelId) };
      },
      isAbsent: (answer) => (answer as { edges: unknown[] }).edges.length === 0,
      isAbsentInRest: emptyIn('channels'),
      rest: ({ keyword }) => ({ method: 'GET', path: `/api/v3/channels?keyword=${keyword}` }),
    },
    ...(['addChannelRole', 'removeChannelRole'] as const).map((operation) =>
      mutationCase(operation, situation, {
        select: 'channelUsers { roles }',
        prepare: async (fixtures) => {
          const role = 'channel-moderator';
          const roles = operation === 'addChannelRole' ? ['member'] : ['member', role];
          await setBystander(fixtures, channelId, { roles });
          return { channelId, role, userIds };
        },
        rest: ({ input }) => ({
          method: operation === 'addChannelRole' ? 'POST' : 'DELETE',
          path: `/api/v3/channels/${channelId}/users/roles`,
          body: input as object,
        }),
      }),
    ),
  ]),
];
