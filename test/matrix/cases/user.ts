import { ObjectId } from 'mongodb';
import { createContext } from '../../../src/context.ts';
import { exchangeLoginCode, loginCodeOf, newLoginCode } from '../../../src/domain/session/login-code.ts';
import { consumeLoginLink, createLoginLink } from '../../../src/domain/session/login-link.ts';
import { refreshSession } from '../../../src/domain/session/refresh-session.ts';
import { signInWithIdentity } from '../../../src/domain/session/sign-in-with-identity.ts';
import { PLACE_IDS } from '../actors.ts';
import { administratorToken, type Fixtures, type RestRequest, type Variables } from '../fixtures.ts';
import { emptyIn, isMissingFrom, type MatrixCase, mutationCase, type Rest } from '../matrix-case.ts';
import { ensureUser, insertErasure, insertFollow } from '../places.ts';
import { prepareSetting } from '../prepare-setting.ts';

const isEmpty = (answer: unknown) => (answer as { edges: unknown[] }).edges.length === 0;
const uniqueId = async (fixtures: Fixtures, given = {}) =>
  (await ensureUser(fixtures, fixtures.uniqueId('user'), given)).userId;
const of =
  (given = {}) =>
  async (fixtures: Fixtures) => ({ userId: await uniqueId(fixtures, given) });
const users = '/api/v3/users';

const READS: MatrixCase[] = [
  ...Object.entries({ 'a live one': {}, 'a deleted one': { isDeleted: true } }).flatMap(
    ([situation, given]): MatrixCase[] => [
      {
        operation: 'user',
        situation,
        document: 'query ($userId: String!) { answer: user(userId: $userId) { userId } }',
        prepare: of(given),
        rest: [
          ({ userId }) => ({ method: 'GET', path: `${users}/${userId}` }),
          ({ userId }) => ({ method: 'GET', path: `/api/v5/users/${userId}/followInfo` }),
        ],
      },
      {
        operation: 'users',
        situation,
        document:
          'query ($keyword: String!) { answer: users(keyword: $keyword, isDeleted: null) { edges { node { userId } } } }',
        prepare: async (fixtures) => ({ keyword: await uniqueId(fixtures, given) }),
        isAbsent: isEmpty,
        isAbsentInRest: emptyIn('users'),
        rest: ({ keyword }) => ({ method: 'GET', path: `${users}?keyword=${keyword}` }),
      },
      {
        operation: 'usersByIds',
        situation,
        document: 'query ($ids: [String!]!) { answer: usersByIds(userIds: $ids) { userId } }',
        prepare: async (fixtures) => ({ ids: [await uniqueId(fixtures, given)] }),
        isAbsent: (answer) => (answer as unknown[]).length === 0,
        isAbsentInRest: emptyIn('users'),
        rest: ({ ids }) => ({ method: 'GET', path: `${users}/list?userIds=${ids}` }),
      },
    ],
  ),
  {
    operation: 'userErasure',
    situation: 'of another',
    document: 'query ($userId: String!) { answer: userErasure(userId: $userId) { userId } }',
    async prepare(fixtures) {
      const userId = await uniqueId(fixtures);
      await insertErasure(fixtures, userId);
      return { userId };
    },
  },
  ...Object.entries({
    'those of `author`': () => ({ userId: 'author' }),
    'of another': of(),
    'of a super-moderator': of({ roles: ['super-moderator'] }),
  }).map(
    ([situation, prepare]): MatrixCase => ({
      operation: 'userSessions',
      situation,
      document: 'query ($userId: String!) { answer: userSessions(userId: $userId) { sessionId } }',
      prepare,
    }),
  ),
  {
    operation: 'viewerBlockedUserCount',
    situation: 'one’s own',
    document: '{ answer: viewerBlockedUserCount }',
    prepare: () => ({}),
    rest: () => ({ method: 'GET', path: '/api/v4/me/user-blocks' }),
  },
  {
    operation: 'viewerBlockedUsers',
    situation: 'of `author`',
    document: '{ answer: viewerBlockedUsers { edges { node { userId } } } }',
    async prepare(fixtures) {
      const userId = await uniqueId(fixtures);
      await fixtures.mutate('author', 'blockUser', { userId }, 'user { userId }');
      return { userId };
    },
    isAbsent: isEmpty,
    // The other actors have blocked another user by then.
    isAbsentInRest: isMissingFrom('users', 'userId'),
    rest: () => ({ method: 'GET', path: '/api/v4/me/user-blocks' }),
  },
  {
    operation: 'viewer',
    situation: 'oneself',
    document: '{ answer: viewer { userId } }',
    prepare: () => ({}),
    rest: [
      () => ({ method: 'GET', path: '/api/v3/sessions' }),
      ...['followInfo', 'followers', 'following'].map(
        (name): Rest =>
          () => ({ method: 'GET', path: `/api/v4/me/${name}` }),
      ),
      () => ({ method: 'POST', path: '/api/v3/user-event/video-streaming', body: { streams: [] } }),
    ],
  },
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
const personalPath =
  (what: 'flags' | 'user-blocks' | 'following' | 'followers', method: 'POST' | 'DELETE') =>
  (variables: Variables): RestRequest => ({
    method,
    path: `/api/v4/me/${what}/${inputOf(variables).userId}`,
  });
/** Some published clients append a slash. */
const put = [users, `${users}/`].map(
  (path): Rest =>
    ({ input }) => ({ method: 'PUT', path, body: input as object }),
);

/** The user of the latest cell who ends their own sessions. */
let leaver = '';

/** Adds a key to the network, whose keys of earlier cells are removed. */
async function insertKey({ gateway, uniqueId }: Fixtures) {
  const keyId = uniqueId('key');
  const { networks } = gateway.services.store.collections;
  const key = { keyId, kind: 'api' as const, name: 'Other', hash: keyId, createdBy: null, createdAt: new Date() };
  await networks.updateMany(
    { networkId: { $in: ['default', 'elsewhere'] } },
    { $pull: { keys: { name: { $in: ['Other', 'Another'] } } } },
  );
  await networks.updateOne({ networkId: 'default' }, { $push: { keys: { ...key, expiresAt: null } } });
  return { keyId };
}

const CHANGES: MatrixCase[] = [
  mutationCase('updateUser', 'one’s own profile', { select, prepare: () => ({ description: 'Me' }), rest: put }),
  mutationCase('updateUser', 'another user’s profile', {
    select,
    prepare: async (fixtures) => ({ userId: await uniqueId(fixtures), description: 'Them' }),
    rest: put,
  }),
  mutationCase('flagUser', 'another', { select, prepare: of(), rest: personalPath('flags', 'POST') }),
  mutationCase('flagUser', 'oneself', {
    select,
    prepare: (_, actor) => ({ userId: actor }),
    rest: personalPath('flags', 'POST'),
  }),
  mutationCase('blockUser', 'another', { select, prepare: of(), rest: personalPath('user-blocks', 'POST') }),
  mutationCase('blockUser', 'oneself', {
    select,
    prepare: (_, actor) => ({ userId: actor }),
    rest: personalPath('user-blocks', 'POST'),
  }),
  mutationCase('unblockUser', 'another', { select, prepare: of(), rest: personalPath('user-blocks', 'DELETE') }),
  mutationCase('followUser', 'another', { select, prepare: of(), rest: personalPath('following', 'POST') }),
  mutationCase('followUser', 'oneself', {
    select,
    prepare: (_, actor) => ({ userId: actor }),
    rest: personalPath('following', 'POST'),
  }),
  mutationCase('unfollowUser', 'one who is followed', {
    select,
    prepare: async (fixtures, actor) => {
      const userId = await uniqueId(fixtures);
      await insertFollow(fixtures, { userId: actor, followedUserId: userId, status: 'accepted' });
      return { userId };
    },
    rest: personalPath('following', 'DELETE'),
  }),
  ...(['acceptFollower', 'removeFollower'] as const).map((operation) =>
    mutationCase(operation, operation === 'acceptFollower' ? 'one with a request' : 'a follower', {
      select,
      prepare: async (fixtures, actor) => {
        const userId = await uniqueId(fixtures);
        await insertFollow(fixtures, { userId, followedUserId: actor, status: 'pending' });
        return { userId };
      },
      rest: personalPath('followers', operation === 'acceptFollower' ? 'POST' : 'DELETE'),
    }),
  ),
  mutationCase('unflagUser', 'another', { select, prepare: of(), rest: personalPath('flags', 'DELETE') }),
  mutationCase('clearUserFlags', 'of another', { select, prepare: of({ flagCount: 1 }) }),
  mutationCase('banUser', 'another', { select, prepare: of() }),
  mutationCase('banUser', 'a super-moderator', { select, prepare: of({ roles: ['super-moderator'] }) }),
  mutationCase('unbanUser', 'a banned user', { select, prepare: of({ isGlobalBan: true }) }),
  mutationCase('deleteUser', 'another', { select, prepare: of() }),
  ...Object.entries({ 'a live one': {}, 'a deleted one': { isDeleted: true } }).map(([situation, given]) =>
    mutationCase('eraseUser', situation, {
      select: 'erasure { userId }',
      prepare: async (fixtures) => ({ ...(await of(given)(fixtures)), content: 'KEEP', reason: 'Request 7' }),
    }),
  ),
  mutationCase('exportUser', 'one’s own', { select: 'export { userId }', prepare: () => ({}) }),
  mutationCase('exportUser', 'of another', { select: 'export { userId }', prepare: of() }),
  mutationCase('addUserRoles', '`moderator`', {
    select,
    prepare: async (fixtures) => ({ userId: await uniqueId(fixtures), roleIds: ['moderator'] }),
  }),
  mutationCase('removeUserRoles', '`moderator`', {
    select,
    prepare: async (fixtures) => ({
      userId: await uniqueId(fixtures, { roles: ['moderator'] }),
      roleIds: ['moderator'],
    }),
  }),
];

const serverKey = ({ gateway }: Fixtures) => ({ 'x-server-key': gateway.keys.SERVER_KEY });
const apiKey = ({ gateway }: Fixtures) => ({ 'x-api-key': gateway.keys.API_KEY });
const assign = async (fixtures: Fixtures) => ({ userId: await uniqueId(fixtures), roleIds: ['moderator'] });

const sessions = ['v5', 'v4', 'v3'].map(
  (version): Rest =>
    ({ input }) => ({ method: 'POST', path: `/api/${version}/sessions`, body: input as object }),
);
const tokens: Rest[] = [
  ({ input }) => ({ method: 'POST', path: '/api/v4/authentication/token', body: input as object }),
  (variables) => ({ method: 'GET', path: `/api/v3/authentication/token?userId=${inputOf(variables).userId}` }),
];

/** A registration of a device on which its user is signed in. */
async function deviceWithSession({ gateway, uniqueId }: Fixtures) {
  const deviceId = uniqueId('device');
  const { sessions } = gateway.services.store.collections;
  const session = await sessions.findOne({ networkId: 'default', revokedAt: null });
  await sessions.insertOne({ ...session!, _id: new ObjectId(), sessionId: deviceId, deviceId });
  return { deviceId, userId: session!.userId, platform: 'IOS', token: 'token' };
}

/** Operations without a user. */
const SESSIONS: MatrixCase[] = [
  mutationCase('assignNetworkRoles', 'with the server key', { select, prepare: assign, headers: serverKey }),
  mutationCase('assignNetworkRoles', 'without it', { select, prepare: assign }),
  mutationCase('createSession', 'with the API key', {
    select: 'session { expiresAt }',
    prepare: of(),
    headers: apiKey,
    rest: sessions,
  }),
  mutationCase('createSession', 'without it', {
    select: 'session { expiresAt }',
    prepare: of(),
    rest: sessions,
  }),
  ...(
    [
      ['with the API key', { headers: apiKey }],
      ['without it', {}],
    ] as const
  ).map(([situation, headers]) =>
    mutationCase('createVisitorSession', situation, {
      select: 'session { userType }',
      prepare: (fixtures) => ({ deviceId: fixtures.uniqueId('device') }),
      ...headers,
      rest: ['visitor', 'bot'].map(
        (userType): Rest =>
          ({ input }) => ({ method: 'POST', path: `/api/v5/sessions/${userType}`, body: input as object }),
      ),
    }),
  ),
  mutationCase('mintAuthToken', 'with the server key', {
    select: 'authToken',
    prepare: of(),
    headers: serverKey,
    rest: tokens,
  }),
  mutationCase('mintAuthToken', 'without it', {
    select: 'authToken',
    prepare: of(),
    rest: tokens,
  }),
  ...(
    [
      ['with the API key', { headers: apiKey }],
      ['without it', {}],
    ] as const
  ).flatMap(([situation, headers]): MatrixCase[] => [
    mutationCase('registerPushDevice', situation, {
      select: 'success',
      prepare: deviceWithSession,
      ...headers,
      rest: ({ input }) => ({
        method: 'POST',
        path: '/v1/notification',
        body: { ...(input as object), platform: 'ios' },
      }),
    }),
    mutationCase('unregisterPushDevice', situation, {
      select: 'success',
      prepare: (fixtures) => ({ deviceId: fixtures.uniqueId('device') }),
      ...headers,
      rest: ({ input }) => ({ method: 'DELETE', path: '/v1/notification', body: input as object }),
    }),
  ]),
  mutationCase('revokeSessions', 'one’s own', {
    select: 'success',
    // New users, because the other cases still use the sessions of the actors.
    prepare: (fixtures) => {
      leaver = fixtures.uniqueId('leaver');
      return { userId: leaver };
    },
    async headers({ gateway }, actor): Promise<Record<string, string>> {
      return actor === 'nobody' ? {} : { authorization: `Bearer ${await gateway.tokenOf(leaver)}` };
    },
  }),
  mutationCase('revokeSessions', 'of another', { select: 'success', prepare: of() }),
  mutationCase('revokeSessions', 'of a super-moderator', {
    select: 'success',
    prepare: of({ roles: ['super-moderator'] }),
  }),
  mutationCase('revokeAllSessions', 'those of one’s network', {
    select: 'success',
    // The other cases still use the session of the foreigner.
    prepare: () => ({ keepsOwn: true }),
    // Not in that of the actors, because the other cases still use their sessions.
    networkId: 'signed-out',
    async headers({ gateway }, actor): Promise<Record<string, string>> {
      if (actor !== 'admin') return {};
      return {
        authorization: `Bearer ${await administratorToken(gateway, { networkId: 'signed-out', userId: actor })}`,
      };
    },
  }),
  ...(['with the token of a link', 'with a token that was used'] as const).map((situation) =>
    mutationCase('consumeLoginLink', situation, {
      select: 'session { accessToken }',
      async prepare(fixtures) {
        const networkId = 'default';
        const context = createContext(fixtures.gateway.services, null);
        const link = { networkId, userId: await uniqueId(fixtures), minutes: 10 };
        const { token } = await createLoginLink(context, link);
        if (situation === 'with a token that was used') await consumeLoginLink(context, { token });
        return { token };
      },
    }),
  ),
  ...(['with the code of a sign-in', 'with a code that was used'] as const).map((situation) =>
    mutationCase('exchangeLoginCode', situation, {
      select: 'session { accessToken }',
      async prepare(fixtures) {
        const context = createContext(fixtures.gateway.services, null);
        const { secret, hash } = newLoginCode();
        const { session } = await signInWithIdentity(context, {
          networkId: 'default',
          identity: { issuer: 'https://id.example', subject: fixtures.uniqueId('person') },
          userId: null,
          displayName: null,
          linksUsers: false,
          codeHash: hash,
        });
        const code = loginCodeOf(session, secret);
        if (situation === 'with a code that was used') await exchangeLoginCode(context, { code });
        return { code };
      },
    }),
  ),
  ...(['with the refresh token of a session', 'with a refresh token that was reused'] as const).map((situation) =>
    mutationCase('refreshSession', situation, {
      select: 'session { accessToken }',
      async prepare(fixtures) {
        const context = createContext(fixtures.gateway.services, null);
        const { networkId, userId } = await ensureUser(fixtures, fixtures.uniqueId('user'));
        const { token } = await createLoginLink(context, { networkId, userId, minutes: 10 });
        const { refreshToken } = await consumeLoginLink(context, { token });
        if (situation === 'with a refresh token that was reused') {
          const successor = await refreshSession(context, { refreshToken });
          await refreshSession(context, successor);
        }
        return { refreshToken };
      },
      rest: ({ input }) => ({ method: 'POST', path: '/api/v5/sessions/refresh', body: input as object }),
    }),
  ),
  mutationCase('revokeSession', 'one’s own', {
    select: 'success',
    prepare: () => ({}),
    async headers(fixtures, actor): Promise<Record<string, string>> {
      if (actor === 'nobody') return {};
      // A new session, because the other cases still use theirs.
      const userId = fixtures.uniqueId('leaver');
      return { authorization: `Bearer ${await fixtures.gateway.tokenOf(userId)}` };
    },
    rest: () => ({ method: 'DELETE', path: '/api/v4/sessions' }),
  }),
];

/** A name that never has an address (RFC 6761): only its host is known. */
const UNKNOWN_HOST = 'https://page.invalid/';

const OTHERS: MatrixCase[] = [
  {
    operation: 'eventCursor',
    situation: 'that of one’s network',
    document: '{ answer: eventCursor }',
    prepare: () => ({}),
  },
  {
    operation: 'rateLimits',
    situation: 'one’s own',
    document: '{ answer: rateLimits { class } }',
    prepare: () => ({}),
  },
  {
    operation: 'networkSettings',
    situation: 'those of one’s network',
    document: '{ answer: networkSettings { chat } }',
    prepare: () => ({}),
    rest: [
      ...['chat', 'social', 'webhook', 'shareable-deep-links', 'feed-setting', 'product'].map(
        (part): Rest =>
          () => ({ method: 'GET', path: `/api/v3/network-settings/${part}` }),
      ),
      () => ({ method: 'GET', path: '/api/v1/ads/me' }),
    ],
  },
  {
    operation: 'serverStatus',
    situation: 'that of the server',
    document: '{ answer: serverStatus { version } }',
    prepare: () => ({}),
  },
  {
    operation: 'checkText',
    situation: 'with the rules of one’s network',
    document: '{ answer: checkText(text: "Hello") { rule } }',
    prepare: () => ({}),
    isAbsent: () => false,
  },
  {
    operation: 'contentRules',
    situation: 'those of one’s network',
    document: '{ answer: contentRules { blockedWords } }',
    prepare: () => ({}),
  },
  mutationCase('updateContentRules', 'those of one’s network', {
    select: 'rules { blockedWords }',
    prepare: () => ({ blockedWords: [] }),
  }),
  {
    operation: 'linkPreview',
    situation: 'of a public page',
    document: 'query ($url: String!) { answer: linkPreview(url: $url) { domain } }',
    prepare: () => ({ url: UNKNOWN_HOST }),
    rest: ({ url }) => ({ method: 'GET', path: `/api/v1/link-preview?url=${encodeURIComponent(String(url))}` }),
  },
  {
    operation: 'verifyContent',
    situation: 'of one’s network',
    document: 'query ($texts: [String!]!) { answer: verifyContent(texts: $texts) }',
    prepare: () => ({ texts: ['hello'] }),
    rest: ['allowlists', 'blocklists'].map(
      (lists): Rest =>
        ({ texts }) => ({ method: 'POST', path: `/api/v3/${lists}/verify`, body: { data: texts } }),
    ),
  },
  mutationCase('updateNetworkSettings', 'those of one’s network', {
    select: 'settings { chat createsUnknownUsers }',
    prepare: async (fixtures, actor) => {
      await prepareSetting(fixtures, actor, { path: 'chat.enabled', value: false });
      return { chat: { enabled: true } };
    },
  }),
  mutationCase('updateDeepLinks', 'those of one’s network', {
    select: 'settings { deepLinks }',
    prepare: async (fixtures, actor) => {
      await prepareSetting(fixtures, actor, { path: 'deepLinks', value: { domain: '', patterns: {} } });
      return { domain: 'app.example.com', patterns: { post: '/post/{postId}' } };
    },
  }),
  {
    operation: 'networkKeys',
    situation: 'those of one’s network',
    document: '{ answer: networkKeys { keyId } }',
    prepare: () => ({}),
  },
  mutationCase('createKey', 'for one’s network', {
    select: 'key { keyId } value',
    prepare: () => ({ kind: 'API', name: 'Another' }),
  }),
  mutationCase('renameKey', 'of the network', {
    select: 'key { keyId name prefix lastUsedAt }',
    prepare: async (fixtures) => ({ ...(await insertKey(fixtures)), name: 'Another' }),
  }),
  mutationCase('rotateKey', 'of the network', { select: 'key { keyId }', prepare: insertKey }),
  mutationCase('retireKey', 'of the network', { select: 'key { keyId }', prepare: insertKey }),
  mutationCase('updateSocialSettings', 'those of one’s network', {
    select: 'settings { social }',
    prepare: async (fixtures, actor) => {
      await prepareSetting(fixtures, actor, { path: 'social.userPrivacySetting', value: 'private' });
      return { userPrivacySetting: 'PUBLIC' };
    },
  }),
  ...Object.entries({
    'a public community': PLACE_IDS.community,
    'a private community': PLACE_IDS.privateCommunity,
  }).flatMap(([situation, communityId]): MatrixCase[] => {
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
  }),
];

export const USER_CASES: MatrixCase[] = [...READS, ...CHANGES, ...SESSIONS, ...OTHERS];
