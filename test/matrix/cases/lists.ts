import { PLACE_IDS } from '../actors.ts';
import { createMessage, createPost } from '../content.ts';
import type { Fixtures, Variables } from '../fixtures.ts';
import { emptyIn, type IsAbsentInRest, isMissingFrom, type MatrixCase, type Rest } from '../matrix-case.ts';
import { createJoinRequest, createPlace, ensureUser, insertFollow } from '../places.ts';
import { createPin } from '../social-content.ts';

const COMMUNITIES = { 'of a public community': true, 'of a private community': false };
const CHANNELS = { 'of a public channel': PLACE_IDS.channel, 'of a private channel': PLACE_IDS.privateChannel };
const PLACES = { 'in a public channel': PLACE_IDS.channel, 'in a private channel': PLACE_IDS.privateChannel };

interface List {
  operation: string;
  situation: string;
  /** The selection of the parent record by `$id`. */
  of: string;
  /** The selection of each node. */
  select: string;
  prepare: (fixtures: Fixtures) => Promise<Variables> | Variables;
  /** Paths, with `:id`. */
  paths: string[];
  isAbsentInRest: IsAbsentInRest;
}

function list({ of, select, paths, ...testCase }: List): MatrixCase {
  const field = testCase.operation.replace(/^\w+\./, '');
  return {
    ...testCase,
    document: `query ($id: String!) { answer: ${of} { list: ${field} { edges { node { ${select} } } } } }`,
    isAbsent: (answer) => !(answer as { list: { edges: unknown[] } | null } | null)?.list?.edges.length,
    rest: paths.map(
      (path): Rest =>
        ({ id }) => ({ method: 'GET', path: path.replace(':id', String(id)) }),
    ),
  };
}

const followLists = (['followers', 'following'] as const).map((field) =>
  list({
    operation: `User.${field}`,
    situation: 'of `author`',
    of: 'user(userId: $id)',
    select: 'fromUserId',
    async prepare(fixtures) {
      const { userId } = await ensureUser(fixtures, fixtures.uniqueId('fan'));
      const [from, to] = field === 'followers' ? [userId, 'author'] : ['author', userId];
      await insertFollow(fixtures, { userId: from, followedUserId: to, status: 'accepted' });
      return { id: 'author', from };
    },
    paths: [`/api/v4/users/:id/${field}`],
    isAbsentInRest: isMissingFrom('follows', 'from'),
  }),
);

/** Lists of what a user is a member of, which only they can read; REST has lists of the viewer instead. */
const ownLists = (['channels', 'communities'] as const).map((field) =>
  list({
    operation: `User.${field}`,
    situation: 'of `author`',
    of: 'user(userId: $id)',
    select: 'id',
    prepare: () => ({ id: 'author' }),
    paths: [],
    isAbsentInRest: emptyIn(field),
  }),
);

const communityLists = ([situation, isPublic]: [string, boolean]): MatrixCase[] => {
  const of = 'community(communityId: $id)';
  return [
    list({
      operation: 'Community.members',
      situation,
      of,
      select: 'userId',
      prepare: async (fixtures) => ({
        id: (await createPlace(fixtures, { isPublic })).communityId,
        userId: 'bystander',
      }),
      paths: ['/api/v3/communities/:id/users'],
      // The response of a community includes the viewer's own membership.
      isAbsentInRest: isMissingFrom('communityUsers', 'userId'),
    }),
    list({
      operation: 'Community.pins',
      situation,
      of,
      select: 'referenceId',
      async prepare(fixtures) {
        const { communityId } = await createPlace(fixtures, { isPublic });
        await createPin(fixtures, await createPost(fixtures, communityId));
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
      async prepare(fixtures) {
        const { communityId } = await createPlace(fixtures, { isPublic, requiresJoinApproval: true });
        await createJoinRequest(fixtures, fixtures.uniqueId('asker'), communityId);
        return { id: communityId };
      },
      paths: ['/api/v4/communities/:id/join'],
      isAbsentInRest: emptyIn('joinRequests'),
    }),
  ];
};

const channelLists = ([situation, channelId]: [string, string]): MatrixCase[] => [
  list({
    operation: 'Channel.members',
    situation,
    of: 'channel(channelId: $id)',
    select: 'userId',
    prepare: () => ({ id: channelId, userId: 'bystander' }),
    paths: ['/api/v3/channels/:id/users', '/api/v4/channels/:id/users'],
    isAbsentInRest: isMissingFrom('channelUsers', 'userId'),
  }),
  list({
    operation: 'Channel.messages',
    situation,
    of: 'channel(channelId: $id)',
    select: 'messageId',
    async prepare(fixtures) {
      await createMessage(fixtures, channelId);
      return { id: channelId };
    },
    paths: [],
    isAbsentInRest: emptyIn('messages'),
  }),
  list({
    operation: 'Channel.messageFeeds',
    situation,
    of: 'channel(internalId: $id)',
    select: 'messageFeedId',
    async prepare(fixtures) {
      const { channels } = fixtures.gateway.services.store.collections;
      return { id: (await channels.findOne({ networkId: 'default', channelId }))!._id.toHexString() };
    },
    paths: ['/api/v5/message-feeds/channel/:id'],
    isAbsentInRest: emptyIn('messageFeeds'),
  }),
];

const READERS = { readUsers: 'read-users', deliveredUsers: 'delivered-users' };

const messageLists = ([situation, channelId]: [string, string]): MatrixCase[] => [
  list({
    operation: 'MessageFeed.messages',
    situation,
    of: 'messageFeed(messageFeedId: $id)',
    select: 'messageId',
    async prepare(fixtures) {
      const { messageFeedId, messageId } = await createMessage(fixtures, channelId);
      return { id: messageFeedId, messageId };
    },
    paths: ['/api/v5/messages?messageFeedId=:id'],
    isAbsentInRest: isMissingFrom('messages', 'messageId'),
  }),
  ...Object.entries(READERS).map(([field, path]) =>
    list({
      operation: `Message.${field}`,
      situation,
      of: 'message(messageId: $id)',
      select: 'userId',
      async prepare(fixtures) {
        const { messageFeedId, messageId, segment } = await createMessage(fixtures, channelId);
        const moved = 'userFeedMarkers { feedId }';
        await fixtures.mutate('bystander', 'markDelivering', { messageFeedId, messageId }, moved);
        await fixtures.mutate('bystander', 'markRead', { messageFeedId, readToSegment: segment }, moved);
        return { id: messageId, userId: 'bystander' };
      },
      paths: [`/api/v1/markers/messages/:id/${path}`],
      isAbsentInRest: isMissingFrom('users', 'userId'),
    }),
  ),
];

/** Cases of lists that are fields of a record. */
export const LIST_CASES: MatrixCase[] = [
  ...followLists,
  ...ownLists,
  ...Object.entries(COMMUNITIES).flatMap(communityLists),
  ...Object.entries(CHANNELS).flatMap(channelLists),
  ...Object.entries(PLACES).flatMap(messageLists),
];
