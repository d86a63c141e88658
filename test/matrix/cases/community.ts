import { PLACE_IDS } from '../actors.ts';
import type { Fixtures, RestRequest, Variables } from '../fixtures.ts';
import { emptyIn, isMissingFrom, type MatrixCase, mutationCase, type Rest } from '../matrix-case.ts';
import { createJoinRequest, createPlace, ensureUser } from '../places.ts';

const isEmpty = (answer: unknown) => (answer as { edges: unknown[] }).edges.length === 0;
const isEmptyList = (answer: unknown) => (answer as unknown[]).length === 0;
const PRIVATE = { isPublic: false };
const HIDDEN = { isPublic: false, isDiscoverable: false };
const v3 = '/api/v3/communities';
const v4 = '/api/v4/communities';

type Input = { communityId: string; userIds?: string[]; roleIds?: string[] };
const inputOf = (variables: Variables) => variables.input as Input;

/** The most members of all, so that the first page has the community. */
let largest = 900_000;

const popular = Object.entries({ recommendedCommunities: 'recommended', trendingCommunities: 'top-trending' }).flatMap(
  ([operation, path]) =>
    (
      [
        ['a public one', {}, false],
        ['a private one', PRIVATE, false],
        ['a private one that can be found, if requested', PRIVATE, true],
      ] as const
    ).map(([situation, given, includeDiscoverable]): MatrixCase => {
      let communityId: string;
      return {
        operation,
        situation,
        document: `query ($includeDiscoverable: Boolean) {
          answer: ${operation}(first: 100, includeDiscoverable: $includeDiscoverable) { edges { node { communityId } } } }`,
        async prepare(fixtures) {
          largest += 1;
          ({ communityId } = await createPlace(fixtures, { ...given, membersCount: largest }));
          return { includeDiscoverable, communityId };
        },
        isAbsent: (answer) =>
          !(answer as { edges: Array<{ node: { communityId: string } }> }).edges.some(
            ({ node }) => node.communityId === communityId,
          ),
        isAbsentInRest: isMissingFrom('communities', 'communityId'),
        rest: () => ({
          method: 'GET',
          path: `${v3}/${path}?options[limit]=100&includeDiscoverablePrivateCommunity=${includeDiscoverable}`,
        }),
      };
    }),
);

const READS: MatrixCase[] = [
  ...popular,
  ...Object.entries({ 'a public one': {}, 'a private one': PRIVATE, 'a deleted one': { isDeleted: true } }).map(
    ([situation, given]): MatrixCase => ({
      operation: 'community',
      situation,
      document: 'query ($communityId: String!) { answer: community(communityId: $communityId) { communityId } }',
      prepare: async (fixtures) => ({ communityId: (await createPlace(fixtures, given)).communityId }),
      rest: ({ communityId }) => ({ method: 'GET', path: `${v3}/${communityId}` }),
    }),
  ),
  ...Object.entries({ 'a public one': PLACE_IDS.community, 'a private one': PLACE_IDS.privateCommunity }).flatMap(
    ([situation, communityId]): MatrixCase[] => [
      {
        operation: 'communities',
        situation,
        document:
          'query ($keyword: String!) { answer: communities(keyword: $keyword) { edges { node { communityId } } } }',
        prepare: () => ({ keyword: communityId }),
        isAbsent: isEmpty,
        isAbsentInRest: emptyIn('communities'),
        rest: () => ({ method: 'GET', path: `${v3}?keyword=${communityId}` }),
      },
      {
        operation: 'communitiesByIds',
        situation,
        document: 'query ($ids: [String!]!) { answer: communitiesByIds(communityIds: $ids) { communityId } }',
        prepare: () => ({ ids: [communityId] }),
        isAbsent: isEmptyList,
        isAbsentInRest: emptyIn('communities'),
        rest: () => ({ method: 'GET', path: `${v3}/list?communityIds=${communityId}` }),
      },
    ],
  ),
  {
    operation: 'viewerCommunities',
    situation: 'those joined',
    document: '{ answer: viewerCommunities { edges { node { communityId } } } }',
    prepare: () => ({}),
    isAbsent: isEmpty,
  },
  ...(['published', 'reviewing'] as const).map(
    (feedType): MatrixCase => ({
      operation: 'feed',
      situation: `the ${feedType} one of a public community`,
      document: 'query ($feedId: String!) { answer: feed(feedId: $feedId) { feedId } }',
      async prepare(fixtures) {
        const { feeds } = await createPlace(fixtures);
        return { feedId: feeds.find((feed) => feed.feedType === feedType)!.feedId };
      },
    }),
  ),
];

const change = (
  operation: string,
  situation: string,
  testCase: {
    given?: object;
    input?: (fixtures: Fixtures) => Promise<object> | object;
    select?: string;
    rest: Rest | Rest[];
  },
): MatrixCase =>
  mutationCase(operation, situation, {
    select: testCase.select ?? 'community { communityId }',
    async prepare(fixtures) {
      const { communityId } = await createPlace(fixtures, testCase.given);
      return { communityId, ...(await testCase.input?.(fixtures)) };
    },
    rest: testCase.rest,
  });

const update = { input: () => ({ displayName: 'Renamed' }) };
const one =
  (method: RestRequest['method'], path = '', version = v3): Rest =>
  (variables) => ({ method, path: `${version}/${inputOf(variables).communityId}${path}` });
const putOne: Rest = (variables) => ({ ...one('PUT')(variables), body: inputOf(variables) });
const deleteOne = one('DELETE');
const join = [one('POST', '/join'), one('POST', '/join', v4)];
const leave = one('DELETE', '/leave');

const CHANGES: MatrixCase[] = [
  mutationCase('createCommunity', 'a new one', {
    select: 'community { communityId }',
    prepare: (fixtures) => ({ displayName: fixtures.uniqueId('community') }),
    // Some published clients append a slash.
    rest: [v3, `${v3}/`].map((path) => (variables) => ({ method: 'POST', path, body: inputOf(variables) })),
  }),
  change('updateCommunity', 'a public one', { ...update, rest: putOne }),
  change('updateCommunity', 'a private one', { ...update, given: PRIVATE, rest: putOne }),
  change('deleteCommunity', 'a public one', { rest: deleteOne }),
  change('deleteCommunity', 'a private one', { given: PRIVATE, rest: deleteOne }),
  change('joinCommunity', 'a public one', { rest: join }),
  change('joinCommunity', 'a public one that approves its members', {
    given: { requiresJoinApproval: true },
    rest: join,
  }),
  change('joinCommunity', 'a private one that can be found', { given: PRIVATE, rest: join }),
  change('joinCommunity', 'a private one that cannot be found', { given: HIDDEN, rest: join }),
  change('leaveCommunity', 'a public one', { rest: leave }),
  change('leaveCommunity', 'a private one', { given: PRIVATE, rest: leave }),
];

const users =
  (method: RestRequest['method'], path = ''): Rest =>
  (variables) => ({ ...one(method, `/users${path}`)(variables), body: inputOf(variables) });
const withUser = (userId: string) => ({ input: () => ({ userIds: [userId] }) });
const newUser = {
  input: async (fixtures: Fixtures) => ({
    userIds: [(await ensureUser(fixtures, fixtures.uniqueId('new-user'))).userId],
  }),
};

const MEMBERS: MatrixCase[] = [
  change('addCommunityMembers', 'to a public community', { ...newUser, rest: users('POST') }),
  change('addCommunityMembers', 'to a private community', { ...newUser, given: PRIVATE, rest: users('POST') }),
  change('removeCommunityMembers', 'a member', { ...withUser('bystander'), rest: users('DELETE') }),
  change('removeCommunityMembers', 'another moderator', { ...withUser('second'), rest: users('DELETE') }),
  change('removeCommunityMembers', 'a super-moderator of the network', {
    ...withUser('highRanking'),
    rest: users('DELETE'),
  }),
  change('removeCommunityMembers', 'a member of a private community', {
    ...withUser('bystander'),
    given: PRIVATE,
    rest: users('DELETE'),
  }),
  change('banCommunityMembers', 'a member', { ...withUser('bystander'), rest: users('PUT', '/ban') }),
  change('banCommunityMembers', 'a super-moderator of the network', {
    ...withUser('highRanking'),
    rest: users('PUT', '/ban'),
  }),
  change('unbanCommunityMembers', 'a banned user', { ...withUser('banned'), rest: users('PUT', '/unban') }),
];

const roles = (roleId: string, userId: string) => ({ input: () => ({ roleIds: [roleId], userIds: [userId] }) });
const rolesBy =
  (method: 'POST' | 'DELETE'): Rest =>
  (variables) => {
    const { roleIds: roles, ...body } = inputOf(variables);
    return { ...one(method, '/users/roles', v4)(variables), body: { ...body, roles } };
  };

const ROLES: MatrixCase[] = [
  change('addCommunityRoles', '`community-moderator`', {
    ...roles('community-moderator', 'bystander'),
    rest: rolesBy('POST'),
  }),
  change('addCommunityRoles', '`super-moderator`', { ...roles('super-moderator', 'bystander'), rest: rolesBy('POST') }),
  change('removeCommunityRoles', '`community-moderator`', {
    ...roles('community-moderator', 'second'),
    rest: rolesBy('DELETE'),
  }),
];

const answers = (verb: 'approve' | 'reject') =>
  Object.entries({ 'in a public community': {}, 'in a private community': PRIVATE }).map(([situation, given]) =>
    mutationCase(`${verb}JoinRequest`, situation, {
      select: 'joinRequest { status }',
      async prepare(fixtures) {
        const { communityId } = await createPlace(fixtures, { requiresJoinApproval: true, ...given });
        const { requestorId } = await createJoinRequest(fixtures, fixtures.uniqueId('asker'), communityId);
        return { communityId, userId: requestorId };
      },
      rest: (variables) => ({ ...one('POST', `/join/${verb}`, v4)(variables), body: inputOf(variables) }),
    }),
  );

const REQUESTS: MatrixCase[] = [
  ...answers('approve'),
  ...answers('reject'),
  mutationCase('cancelJoinRequest', 'that of `outsider`', {
    select: 'joinRequest { status }',
    async prepare(fixtures) {
      const { communityId } = await createPlace(fixtures, PRIVATE);
      await createJoinRequest(fixtures, 'outsider', communityId);
      return { communityId };
    },
    rest: one('DELETE', '/join', v4),
  }),
  {
    operation: 'joinRequest',
    situation: 'that of `outsider`',
    document: 'query ($id: String!) { answer: joinRequest(joinRequestId: $id) { status } }',
    async prepare(fixtures) {
      const { communityId } = await createPlace(fixtures);
      return { id: (await createJoinRequest(fixtures, 'outsider', communityId)).joinRequestId };
    },
  },
  {
    operation: 'viewerJoinRequest',
    situation: 'that of `outsider`',
    document: 'query ($communityId: String!) { answer: viewerJoinRequest(communityId: $communityId) { status } }',
    async prepare(fixtures) {
      const { communityId } = await createPlace(fixtures);
      await createJoinRequest(fixtures, 'outsider', communityId);
      return { communityId };
    },
    rest: ({ communityId }) => ({ method: 'GET', path: `${v4}/${communityId}/join/me` }),
  },
  {
    operation: 'viewerJoinRequests',
    situation: 'of `outsider`',
    document: '{ answer: viewerJoinRequests(status: APPROVED) { edges { node { status } } } }',
    async prepare(fixtures) {
      const { communityId } = await createPlace(fixtures);
      const { joinRequestId } = await createJoinRequest(fixtures, 'outsider', communityId);
      const { joinRequests } = fixtures.gateway.services.store.collections;
      await joinRequests.updateOne({ networkId: 'default', joinRequestId }, { $set: { status: 'approved' } });
      return {};
    },
    isAbsent: isEmpty,
    isAbsentInRest: emptyIn('joinRequests'),
    rest: () => ({ method: 'GET', path: `${v4}/join/requests?status=approved` }),
  },
];

export const COMMUNITY_CASES: MatrixCase[] = [...READS, ...CHANGES, ...MEMBERS, ...ROLES, ...REQUESTS];
