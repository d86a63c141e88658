import { placeOf, requestOf, userCalled } from '../places.ts';
import { emptyIn, mutationScene, type Rest, type Scene } from '../scene.ts';
import { STAGE } from '../stage.ts';
import type { RestRequest, Variables, World } from '../world.ts';

const isEmpty = (answer: unknown) => (answer as { edges: unknown[] }).edges.length === 0;
const isNoList = (answer: unknown) => (answer as unknown[]).length === 0;
const PRIVATE = { isPublic: false };
const HIDDEN = { isPublic: false, isDiscoverable: false };
const v3 = '/api/v3/communities';
const v4 = '/api/v4/communities';

type Input = { communityId: string; userIds?: string[]; roleIds?: string[] };
const inputOf = (variables: Variables) => variables.input as Input;

const READS: Scene[] = [
  ...Object.entries({ 'a public one': {}, 'a private one': PRIVATE, 'a deleted one': { isDeleted: true } }).map(
    ([situation, given]): Scene => ({
      operation: 'community',
      situation,
      document: 'query ($communityId: String!) { answer: community(communityId: $communityId) { communityId } }',
      prepare: async (world) => ({ communityId: (await placeOf(world, given)).communityId }),
      rest: ({ communityId }) => ({ method: 'GET', path: `${v3}/${communityId}` }),
    }),
  ),
  ...Object.entries({ 'a public one': STAGE.community, 'a private one': STAGE.privateCommunity }).flatMap(
    ([situation, communityId]): Scene[] => [
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
        isAbsent: isNoList,
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
    (feedType): Scene => ({
      operation: 'feed',
      situation: `the ${feedType} one of a public community`,
      document: 'query ($feedId: String!) { answer: feed(feedId: $feedId) { feedId } }',
      async prepare(world) {
        const { feeds } = await placeOf(world);
        return { feedId: feeds.find((feed) => feed.feedType === feedType)!.feedId };
      },
    }),
  ),
];

const change = (
  operation: string,
  situation: string,
  scene: {
    given?: object;
    input?: (world: World) => Promise<object> | object;
    select?: string;
    rest: Rest | Rest[];
  },
): Scene =>
  mutationScene(operation, situation, {
    select: scene.select ?? 'community { communityId }',
    async prepare(world) {
      const { communityId } = await placeOf(world, scene.given);
      return { communityId, ...(await scene.input?.(world)) };
    },
    rest: scene.rest,
  });

const update = { input: () => ({ displayName: 'Renamed' }) };
const one =
  (method: RestRequest['method'], path = '', version = v3): Rest =>
  (variables) => ({ method, path: `${version}/${inputOf(variables).communityId}${path}` });
const putOne: Rest = (variables) => ({ ...one('PUT')(variables), body: inputOf(variables) });
const deleteOne = one('DELETE');
const join = [one('POST', '/join'), one('POST', '/join', v4)];
const leave = one('DELETE', '/leave');

const CHANGES: Scene[] = [
  mutationScene('createCommunity', 'one of one’s own', {
    select: 'community { communityId }',
    prepare: (world) => ({ displayName: world.fresh('community') }),
    // Some clients end it with a slash (legacy-facts §7).
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
const whom = (userId: string) => ({ input: () => ({ userIds: [userId] }) });
const somebody = {
  input: async (world: World) => ({ userIds: [(await userCalled(world, world.fresh('somebody'))).userId] }),
};

const MEMBERS: Scene[] = [
  change('addCommunityMembers', 'to a public community', { ...somebody, rest: users('POST') }),
  change('addCommunityMembers', 'to a private community', { ...somebody, given: PRIVATE, rest: users('POST') }),
  change('removeCommunityMembers', 'a member', { ...whom('bystander'), rest: users('DELETE') }),
  change('removeCommunityMembers', 'another moderator', { ...whom('second'), rest: users('DELETE') }),
  change('removeCommunityMembers', 'a super-moderator of the network', {
    ...whom('highRanking'),
    rest: users('DELETE'),
  }),
  change('removeCommunityMembers', 'a member of a private community', {
    ...whom('bystander'),
    given: PRIVATE,
    rest: users('DELETE'),
  }),
  change('banCommunityMembers', 'a member', { ...whom('bystander'), rest: users('PUT', '/ban') }),
  change('banCommunityMembers', 'a super-moderator of the network', {
    ...whom('highRanking'),
    rest: users('PUT', '/ban'),
  }),
  change('unbanCommunityMembers', 'somebody banned', { ...whom('banned'), rest: users('PUT', '/unban') }),
];

const roles = (roleId: string, userId: string) => ({ input: () => ({ roleIds: [roleId], userIds: [userId] }) });
const rolesBy =
  (method: 'POST' | 'DELETE'): Rest =>
  (variables) => {
    const { roleIds: roles, ...body } = inputOf(variables);
    return { ...one(method, '/users/roles', v4)(variables), body: { ...body, roles } };
  };

const ROLES: Scene[] = [
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
    mutationScene(`${verb}JoinRequest`, situation, {
      select: 'joinRequest { status }',
      async prepare(world) {
        const { communityId } = await placeOf(world, { requiresJoinApproval: true, ...given });
        const { requestorId } = await requestOf(world, world.fresh('asker'), communityId);
        return { communityId, userId: requestorId };
      },
      rest: (variables) => ({ ...one('POST', `/join/${verb}`, v4)(variables), body: inputOf(variables) }),
    }),
  );

const REQUESTS: Scene[] = [
  ...answers('approve'),
  ...answers('reject'),
  mutationScene('cancelJoinRequest', 'that of `outsider`', {
    select: 'joinRequest { status }',
    async prepare(world) {
      const { communityId } = await placeOf(world, PRIVATE);
      await requestOf(world, 'outsider', communityId);
      return { communityId };
    },
    rest: one('DELETE', '/join', v4),
  }),
  {
    operation: 'joinRequest',
    situation: 'that of `outsider`',
    document: 'query ($id: String!) { answer: joinRequest(joinRequestId: $id) { status } }',
    async prepare(world) {
      const { communityId } = await placeOf(world);
      return { id: (await requestOf(world, 'outsider', communityId)).joinRequestId };
    },
  },
  {
    operation: 'viewerJoinRequest',
    situation: 'that of `outsider`',
    document: 'query ($communityId: String!) { answer: viewerJoinRequest(communityId: $communityId) { status } }',
    async prepare(world) {
      const { communityId } = await placeOf(world);
      await requestOf(world, 'outsider', communityId);
      return { communityId };
    },
    rest: ({ communityId }) => ({ method: 'GET', path: `${v4}/${communityId}/join/me` }),
  },
  {
    operation: 'viewerJoinRequests',
    situation: 'of `outsider`',
    document: '{ answer: viewerJoinRequests(status: APPROVED) { edges { node { status } } } }',
    async prepare(world) {
      const { communityId } = await placeOf(world);
      const { joinRequestId } = await requestOf(world, 'outsider', communityId);
      const { joinRequests } = world.gateway.services.store.collections;
      await joinRequests.updateOne({ networkId: 'default', joinRequestId }, { $set: { status: 'approved' } });
      return {};
    },
    isAbsent: isEmpty,
    isAbsentInRest: emptyIn('joinRequests'),
    rest: () => ({ method: 'GET', path: `${v4}/join/requests?status=approved` }),
  },
];

export const COMMUNITY_SCENES: Scene[] = [...READS, ...CHANGES, ...MEMBERS, ...ROLES, ...REQUESTS];
