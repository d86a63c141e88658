import { userCalled } from '../places.ts';
import { emptyIn, lacksIn, mutationScene, type Rest, type Scene } from '../scene.ts';
import { STAGE } from '../stage.ts';
import type { RestRequest, Variables, World } from '../world.ts';

const isEmpty = (answer: unknown) => (answer as { edges: unknown[] }).edges.length === 0;
const fresh = async (world: World, given = {}) => (await userCalled(world, world.fresh('user'), given)).userId;
const of =
  (given = {}) =>
  async (world: World) => ({ userId: await fresh(world, given) });
const users = '/api/v3/users';

const READS: Scene[] = [
  ...Object.entries({ 'a live one': {}, 'a deleted one': { isDeleted: true } }).flatMap(
    ([situation, given]): Scene[] => [
      {
        operation: 'user',
        situation,
        document: 'query ($userId: String!) { answer: user(userId: $userId) { userId } }',
        prepare: of(given),
        rest: ({ userId }) => ({ method: 'GET', path: `${users}/${userId}` }),
      },
      {
        operation: 'users',
        situation,
        document:
          'query ($keyword: String!) { answer: users(keyword: $keyword, isDeleted: null) { edges { node { userId } } } }',
        prepare: async (world) => ({ keyword: await fresh(world, given) }),
        isAbsent: isEmpty,
        isAbsentInRest: emptyIn('users'),
        rest: ({ keyword }) => ({ method: 'GET', path: `${users}?keyword=${keyword}` }),
      },
      {
        operation: 'usersByIds',
        situation,
        document: 'query ($ids: [String!]!) { answer: usersByIds(userIds: $ids) { userId } }',
        prepare: async (world) => ({ ids: [await fresh(world, given)] }),
        isAbsent: (answer) => (answer as unknown[]).length === 0,
        isAbsentInRest: emptyIn('users'),
        rest: ({ ids }) => ({ method: 'GET', path: `${users}/list?userIds=${ids}` }),
      },
    ],
  ),
  {
    operation: 'viewerBlockedUsers',
    situation: 'of `author`',
    document: '{ answer: viewerBlockedUsers { edges { node { userId } } } }',
    async prepare(world) {
      const userId = await fresh(world);
      await world.make('author', 'blockUser', { userId }, 'user { userId }');
      return { userId };
    },
    isAbsent: isEmpty,
    // The others have blocked somebody else by then.
    isAbsentInRest: lacksIn('users', 'userId'),
    rest: () => ({ method: 'GET', path: '/api/v4/me/user-blocks' }),
  },
  { operation: 'viewer', situation: 'oneself', document: '{ answer: viewer { userId } }', prepare: () => ({}) },
  {
    operation: 'isUserFlagged',
    situation: 'of a live one',
    document: 'query ($userId: String!) { answer: isUserFlagged(userId: $userId) }',
    prepare: of(),
    rest: ({ userId }) => ({ method: 'GET', path: `${users}/${userId}/isflagbyme` }),
  },
];

const select = 'user { userId }';
const inputOf = (variables: Variables) => variables.input as { userId?: string };
const mine =
  (what: 'flags' | 'user-blocks', method: 'POST' | 'DELETE') =>
  (variables: Variables): RestRequest => ({
    method,
    path: `/api/v4/me/${what}/${inputOf(variables).userId}`,
  });
/** Some clients end it with a slash (legacy-facts §7). */
const put = [users, `${users}/`].map(
  (path): Rest =>
    ({ input }) => ({ method: 'PUT', path, body: input as object }),
);

const CHANGES: Scene[] = [
  mutationScene('updateUser', 'one’s own profile', { select, prepare: () => ({ description: 'Me' }), rest: put }),
  mutationScene('updateUser', 'that of another', {
    select,
    prepare: async (world) => ({ userId: await fresh(world), description: 'Them' }),
    rest: put,
  }),
  mutationScene('flagUser', 'another', { select, prepare: of(), rest: mine('flags', 'POST') }),
  mutationScene('flagUser', 'oneself', {
    select,
    prepare: (_, actor) => ({ userId: actor }),
    rest: mine('flags', 'POST'),
  }),
  mutationScene('blockUser', 'another', { select, prepare: of(), rest: mine('user-blocks', 'POST') }),
  mutationScene('blockUser', 'oneself', {
    select,
    prepare: (_, actor) => ({ userId: actor }),
    rest: mine('user-blocks', 'POST'),
  }),
  mutationScene('unblockUser', 'another', { select, prepare: of(), rest: mine('user-blocks', 'DELETE') }),
  mutationScene('unflagUser', 'another', { select, prepare: of(), rest: mine('flags', 'DELETE') }),
  mutationScene('clearUserFlags', 'of another', { select, prepare: of() }),
  mutationScene('banUser', 'another', { select, prepare: of() }),
  mutationScene('banUser', 'a super-moderator', { select, prepare: of({ roles: ['super-moderator'] }) }),
  mutationScene('unbanUser', 'somebody banned', { select, prepare: of({ isGlobalBan: true }) }),
  mutationScene('deleteUser', 'another', { select, prepare: of() }),
  mutationScene('addUserRoles', '`moderator`', {
    select,
    prepare: async (world) => ({ userId: await fresh(world), roleIds: ['moderator'] }),
  }),
  mutationScene('removeUserRoles', '`moderator`', {
    select,
    prepare: async (world) => ({ userId: await fresh(world, { roles: ['moderator'] }), roleIds: ['moderator'] }),
  }),
];

const serverKey = ({ gateway }: World) => ({ 'x-server-key': gateway.keys.SERVER_KEY });
const apiKey = ({ gateway }: World) => ({ 'x-api-key': gateway.keys.API_KEY });
const assign = async (world: World) => ({ userId: await fresh(world), roleIds: ['moderator'] });

const sessions = ['v5', 'v4', 'v3'].map(
  (version): Rest =>
    ({ input }) => ({ method: 'POST', path: `/api/${version}/sessions`, body: input as object }),
);
const tokens: Rest[] = [
  ({ input }) => ({ method: 'POST', path: '/api/v4/authentication/token', body: input as object }),
  (variables) => ({ method: 'GET', path: `/api/v3/authentication/token?userId=${inputOf(variables).userId}` }),
];

/** What is not asked in anybody's name. */
const SESSIONS: Scene[] = [
  mutationScene('assignNetworkRoles', 'with the server key', { select, prepare: assign, headers: serverKey }),
  mutationScene('assignNetworkRoles', 'without it', { select, prepare: assign }),
  mutationScene('createSession', 'with the API key', {
    select: 'session { expiresAt }',
    prepare: of(),
    headers: apiKey,
    rest: sessions,
  }),
  mutationScene('createSession', 'without it', {
    select: 'session { expiresAt }',
    prepare: of(),
    rest: sessions,
  }),
  mutationScene('mintAuthToken', 'with the server key', {
    select: 'authToken',
    prepare: of(),
    headers: serverKey,
    rest: tokens,
  }),
  mutationScene('mintAuthToken', 'without it', {
    select: 'authToken',
    prepare: of(),
    rest: tokens,
  }),
  mutationScene('revokeSession', 'one’s own', {
    select: 'success',
    prepare: () => ({}),
    async headers(world, actor): Promise<Record<string, string>> {
      if (actor === 'nobody') return {};
      // A session of its own, for the others go on.
      const userId = world.fresh('leaver');
      return { authorization: `Bearer ${await world.gateway.tokenOf(userId)}` };
    },
    rest: () => ({ method: 'DELETE', path: '/api/v4/sessions' }),
  }),
];

const OTHERS: Scene[] = [
  {
    operation: 'eventCursor',
    situation: 'that of one’s network',
    document: '{ answer: eventCursor }',
    prepare: () => ({}),
  },
  {
    operation: 'networkSettings',
    situation: 'those of one’s network',
    document: '{ answer: networkSettings { chat } }',
    prepare: () => ({}),
    rest: ['chat', 'social', 'webhook'].map((part) => () => ({
      method: 'GET',
      path: `/api/v3/network-settings/${part}`,
    })),
  },
  ...Object.entries({ 'a public community': STAGE.community, 'a private community': STAGE.privateCommunity }).flatMap(
    ([situation, communityId]): Scene[] => {
      const id = Buffer.from(`Community:${communityId}`).toString('base64url');
      return [
        {
          operation: 'node',
          situation,
          document: 'query ($id: ID!) { answer: node(id: $id) { id } }',
          prepare: () => ({ id }),
        },
        {
          operation: 'nodes',
          situation,
          document: 'query ($ids: [ID!]!) { answer: nodes(ids: $ids) { id } }',
          prepare: () => ({ ids: [id] }),
          isAbsent: (answer) => (answer as unknown[])[0] === null,
        },
      ];
    },
  ),
];

export const USER_SCENES: Scene[] = [...READS, ...CHANGES, ...SESSIONS, ...OTHERS];
