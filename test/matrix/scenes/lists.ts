import { placeOf, requestOf } from '../places.ts';
import { emptyIn, type IsAbsentInRest, lacksIn, type Rest, type Scene } from '../scene.ts';
import { pinOf } from '../social-things.ts';
import { STAGE } from '../stage.ts';
import { messageIn, postIn } from '../things.ts';
import type { Variables, World } from '../world.ts';

const COMMUNITIES = { 'of a public community': true, 'of a private community': false };
const CHANNELS = { 'of a public channel': STAGE.channel, 'of a private channel': STAGE.privateChannel };
const PLACES = { 'in a public channel': STAGE.channel, 'in a private channel': STAGE.privateChannel };

interface List {
  operation: string;
  situation: string;
  /** The record it hangs on, by `$id`. */
  of: string;
  /** What each edge holds. */
  select: string;
  prepare: (world: World) => Promise<Variables> | Variables;
  /** Paths, with `:id`. */
  paths: string[];
  isAbsentInRest: IsAbsentInRest;
}

function list({ of, select, paths, ...scene }: List): Scene {
  const field = scene.operation.replace(/^\w+\./, '');
  return {
    ...scene,
    document: `query ($id: String!) { answer: ${of} { list: ${field} { edges { node { ${select} } } } } }`,
    isAbsent: (answer) => !(answer as { list: { edges: unknown[] } | null } | null)?.list?.edges.length,
    rest: paths.map(
      (path): Rest =>
        ({ id }) => ({ method: 'GET', path: path.replace(':id', String(id)) }),
    ),
  };
}

const communityLists = ([situation, isPublic]: [string, boolean]): Scene[] => {
  const of = 'community(communityId: $id)';
  return [
    list({
      operation: 'Community.members',
      situation,
      of,
      select: 'userId',
      prepare: async (world) => ({ id: (await placeOf(world, { isPublic })).communityId, userId: 'bystander' }),
      paths: ['/api/v3/communities/:id/users'],
      // The viewer's own membership comes with the community.
      isAbsentInRest: lacksIn('communityUsers', 'userId'),
    }),
    list({
      operation: 'Community.pins',
      situation,
      of,
      select: 'referenceId',
      async prepare(world) {
        const { communityId } = await placeOf(world, { isPublic });
        await pinOf(world, await postIn(world, communityId));
        return { id: communityId };
      },
      paths: ['/api/v1/pinned-posts/communities/:id', '/api/v1/pinned-posts/communities/:id/default'],
      isAbsentInRest: emptyIn('pins'),
    }),
    list({
      operation: 'Community.joinRequests',
      situation,
      of,
      select: 'status',
      async prepare(world) {
        const { communityId } = await placeOf(world, { isPublic, requiresJoinApproval: true });
        await requestOf(world, world.fresh('asker'), communityId);
        return { id: communityId };
      },
      paths: ['/api/v4/communities/:id/join'],
      isAbsentInRest: emptyIn('joinRequests'),
    }),
  ];
};

const channelLists = ([situation, channelId]: [string, string]): Scene[] => [
  list({
    operation: 'Channel.members',
    situation,
    of: 'channel(channelId: $id)',
    select: 'userId',
    prepare: () => ({ id: channelId, userId: 'bystander' }),
    paths: ['/api/v3/channels/:id/users', '/api/v4/channels/:id/users'],
    isAbsentInRest: lacksIn('channelUsers', 'userId'),
  }),
  list({
    operation: 'Channel.messageFeeds',
    situation,
    of: 'channel(internalId: $id)',
    select: 'messageFeedId',
    async prepare(world) {
      const { channels } = world.gateway.services.store.collections;
      return { id: (await channels.findOne({ networkId: 'default', channelId }))!._id.toHexString() };
    },
    paths: ['/api/v5/message-feeds/channel/:id'],
    isAbsentInRest: emptyIn('messageFeeds'),
  }),
];

const READERS = { readUsers: 'read-users', deliveredUsers: 'delivered-users' };

const messageLists = ([situation, channelId]: [string, string]): Scene[] => [
  list({
    operation: 'MessageFeed.messages',
    situation,
    of: 'messageFeed(messageFeedId: $id)',
    select: 'messageId',
    async prepare(world) {
      const { messageFeedId, messageId } = await messageIn(world, channelId);
      return { id: messageFeedId, messageId };
    },
    paths: ['/api/v5/messages?messageFeedId=:id'],
    isAbsentInRest: lacksIn('messages', 'messageId'),
  }),
  ...Object.entries(READERS).map(([field, path]) =>
    list({
      operation: `Message.${field}`,
      situation,
      of: 'message(messageId: $id)',
      select: 'userId',
      async prepare(world) {
        const { messageFeedId, messageId, segment } = await messageIn(world, channelId);
        const moved = 'userFeedMarkers { feedId }';
        await world.make('bystander', 'markDelivering', { messageFeedId, messageId }, moved);
        await world.make('bystander', 'markRead', { messageFeedId, readToSegment: segment }, moved);
        return { id: messageId, userId: 'bystander' };
      },
      paths: [`/api/v1/markers/messages/:id/${path}`],
      isAbsentInRest: lacksIn('users', 'userId'),
    }),
  ),
];

/** Scenes of lists that hang on a record. */
export const LIST_SCENES: Scene[] = [
  ...Object.entries(COMMUNITIES).flatMap(communityLists),
  ...Object.entries(CHANNELS).flatMap(channelLists),
  ...Object.entries(PLACES).flatMap(messageLists),
];
