import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { mutations, successfulMutations } from '../support/mutate.ts';

const KEYS = {
  API_KEY: 'answers-api-key',
  SERVER_KEY: 'answers-server-key-of-tests',
  TOKEN_SECRET: 'answers-token-secret-of-at-least-32-characters',
};

/** Two gateways on one store, which both return kept answers. */
let gateways: [TestGateway, TestGateway];
beforeAll(async () => {
  const first = await startTestGateway(KEYS, { knownAnswers: 'returned' });
  const { databaseName } = first.services.store.db;
  gateways = [first, await startTestGateway(KEYS, { knownAnswers: 'returned', databaseName })];
});
afterAll(async () => {
  // The first one to close drops the database.
  await gateways[1].close();
  await gateways[0].close();
});

interface Read {
  /** A REST path, or a GraphQL query. */
  query: string;
  as: string;
}

const POSTS = `{ posts(targetType: COMMUNITY, targetId: "gardeners", first: 20) { edges { node {
  postId data { title text } reactionsCount commentsCount myReactions poll { status }
  author { userId displayName avatar { fileId } isBlockedByViewer }
  latestComments { commentId data author { displayName } } } } pageInfo { hasNextPage endCursor } } }`;
const COMMUNITY = `{ community(communityId: "gardeners") { communityId displayName isPublic membersCount linkedCategories { name }
  members(first: 20) { edges { node { user { userId displayName } roles isBanned } } } } }`;
const VIEWER = '{ viewer { userId displayName roles permissions } }';

const token = async (as: string) => `Bearer ${await gateways[0].tokenOf(as)}`;

/** Reads over HTTP; `isNew` sends a request that was never sent before, so that it is executed. */
async function read(gateway: TestGateway, { query, as }: Read, { isNew = false } = {}): Promise<string> {
  const isRest = query.startsWith('/');
  const unique = isNew ? randomUUID() : '';
  const response = isRest
    ? await fetch(`${gateway.url}${query}${isNew ? `${query.includes('?') ? '&' : '?'}unused=${unique}` : ''}`, {
        headers: { authorization: await token(as) },
      })
    : await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { authorization: await token(as), 'content-type': 'application/json' },
        body: JSON.stringify({ query: isNew ? `${query} # ${unique}` : query }),
      });
  return `${response.status} ${await response.text()}`;
}

/** Reads until the answer is kept and returned. */
async function keep(gateway: TestGateway, one: Read): Promise<string> {
  await read(gateway, one);
  await read(gateway, one);
  const { returned } = gateway.answers.stats;
  const text = await read(gateway, one);
  expect(gateway.answers.stats.returned, `${one.query} is returned`).toBe(returned + 1);
  return text;
}

const POST = '/api/v3/posts/seedlings';

interface Change {
  name: string;
  reads: Read;
  /** Mutation and input of the change, and those that undo it for the tests that follow. */
  change: [as: string, operation: string, input: object];
  undo?: [as: string, operation: string, input: object];
}

const CHANGES: Change[] = [
  {
    name: 'a new comment',
    reads: { query: POST, as: 'carol' },
    change: ['bob', 'createComment', { referenceId: 'seedlings', data: { text: 'One more.' } }],
  },
  {
    name: 'an edited author',
    reads: { query: POST, as: 'carol' },
    change: ['alice', 'updateUser', { displayName: 'Alice the Gardener' }],
  },
  {
    name: 'an edited text',
    reads: { query: POSTS, as: 'carol' },
    change: ['alice', 'updatePost', { postId: 'seedlings', data: { text: 'Twelve days.' } }],
  },
  {
    name: 'a reaction of the viewer',
    reads: { query: POSTS, as: 'carol' },
    change: ['carol', 'addReaction', { referenceType: 'POST', referenceId: 'compost', reactionName: 'love' }],
    undo: ['carol', 'removeReaction', { referenceType: 'POST', referenceId: 'compost', reactionName: 'love' }],
  },
  {
    name: 'a flag of the viewer',
    reads: { query: '/api/v3/posts/compost/isflagbyme', as: 'grace' },
    change: ['grace', 'flagPost', { postId: 'compost' }],
  },
  {
    name: 'a new post in a list',
    reads: { query: POSTS, as: 'heidi' },
    change: ['alice', 'createPost', { targetType: 'COMMUNITY', targetId: 'gardeners', data: { text: 'Rain.' } }],
  },
  {
    name: 'a block',
    reads: { query: POSTS, as: 'heidi' },
    change: ['heidi', 'blockUser', { userId: 'bob' }],
    undo: ['heidi', 'unblockUser', { userId: 'bob' }],
  },
  {
    name: 'a role of a member',
    reads: { query: COMMUNITY, as: 'carol' },
    change: [
      'alice',
      'addCommunityRoles',
      { communityId: 'gardeners', userIds: ['kim'], roleIds: ['community-moderator'] },
    ],
  },
  {
    name: 'a ban of a member from a community',
    reads: { query: COMMUNITY, as: 'judy' },
    change: ['alice', 'banCommunityMembers', { communityId: 'gardeners', userIds: ['judy'] }],
    undo: ['alice', 'unbanCommunityMembers', { communityId: 'gardeners', userIds: ['judy'] }],
  },
  {
    name: 'a community that becomes private',
    reads: { query: POST, as: 'erin' },
    change: ['alice', 'updateCommunity', { communityId: 'gardeners', isPublic: false }],
    undo: ['alice', 'updateCommunity', { communityId: 'gardeners', isPublic: true }],
  },
  {
    name: 'a banned viewer',
    reads: { query: VIEWER, as: 'leo' },
    change: ['admin', 'banUser', { userId: 'leo' }],
  },
  {
    name: 'a deleted post',
    reads: { query: '/api/v3/posts/tomatoes', as: 'carol' },
    change: ['admin', 'deletePost', { postId: 'tomatoes' }],
  },
];

for (const { name, reads, change, undo } of CHANGES) {
  test(`another gateway's write is noticed by the next request: ${name}`, async () => {
    const [first, second] = gateways;
    const succeed = successfulMutations(second);
    // Signed in through the second gateway too.
    const before = await keep(first, reads);
    await succeed(...change);
    const after = await read(first, reads);
    expect(after).toBe(await read(first, reads, { isNew: true }));
    expect(after).not.toBe(before);
    if (undo) await succeed(...undo);
    expect(await read(first, reads)).toBe(await read(first, reads, { isNew: true }));
  });
}

const HOLDERS: { [name: string]: { query: string; viewers: string[] } } = {
  'members in a list': {
    query:
      '{ community(communityId: "gardeners") { members(first: 20) { edges { node { user { userId } permissions } } } } }',
    viewers: ['carol', 'grace'],
  },
  'a user': { query: '{ user(userId: "ivan") { userId permissions } }', viewers: ['carol', 'grace'] },
  'a right of the viewer in a community': {
    query: '{ post(postId: "seedlings") { postId viewerCanModerate } }',
    viewers: ['ivan'],
  },
};

for (const [name, { query, viewers }] of Object.entries(HOLDERS)) {
  test(`another gateway's change of a role is noticed by the next request of each viewer: ${name}`, async () => {
    const [first, second] = gateways;
    const succeed = successfulMutations(second);
    const roleId = randomUUID();
    const role = { roleId, displayName: roleId, rank: 1, permissions: ['EDIT_COMMUNITY_POST'] };
    await succeed('admin', 'createRole', role);
    await succeed('alice', 'addCommunityRoles', { communityId: 'gardeners', userIds: ['ivan'], roleIds: [roleId] });
    if (name === 'a user') await succeed('admin', 'addUserRoles', { userId: 'ivan', roleIds: [roleId] });
    const before: string[] = [];
    for (const as of viewers) before.push(await keep(first, { query, as }));
    expect(new Set(before).size).toBe(1);
    await succeed('admin', 'updateRole', { roleId, permissions: ['EDIT_COMMUNITY'] });
    for (const as of viewers) {
      const after = await read(first, { query, as });
      expect(after).not.toBe(before[0]);
      expect(after).toBe(await read(first, { query, as }, { isNew: true }));
    }
  });
}

test('a request with a kept answer needs no more commands than an executed one', async () => {
  const [gateway] = gateways;
  for (const query of [POST, POSTS, COMMUNITY]) {
    const one = { query, as: 'grace' };
    await keep(gateway, one);
    const executed = await gateway.commandsOf(() => read(gateway, one, { isNew: true }));
    const { returned } = gateway.answers.stats;
    const repeated = await gateway.commandsOf(() => read(gateway, one));
    expect(gateway.answers.stats.returned).toBe(returned + 1);
    expect(repeated.length).toBeLessThanOrEqual(executed.length);
  }
});

test('answers are kept per session and set of variables', async () => {
  const [gateway] = gateways;
  const query = 'query ($id: String!) { user(userId: $id) { userId displayName viewerCanEdit } }';
  const answers: string[] = [];
  for (const as of ['grace', 'heidi'])
    for (const id of ['grace', 'heidi'])
      for (let round = 0; round < 3; round += 1)
        answers.push(JSON.stringify(await gateway.graphql(query, { as, variables: { id } })));
  expect(new Set(answers).size).toBeGreaterThanOrEqual(2);
  for (let index = 0; index < answers.length; index += 3) expect(new Set(answers.slice(index, index + 3)).size).toBe(1);
});

test('mutations, errors and answers from other sources than records are executed each time', async () => {
  const [gateway] = gateways;
  const { returned } = gateway.answers.stats;
  for (const query of [
    '/api/v3/posts/none',
    '{ __schema { queryType { name } } }',
    '{ posts(targetType: COMMUNITY, targetId: "gardeners", first: 1000) { edges { cursor } } }',
  ])
    for (let round = 0; round < 4; round += 1) await read(gateway, { query, as: 'grace' });
  expect(gateway.answers.stats.returned).toBe(returned);
});

const READS: Read[] = ['bob', 'heidi', 'mia'].flatMap((as) =>
  [
    POST,
    POSTS,
    COMMUNITY,
    VIEWER,
    '/api/v3/comments?referenceId=seedlings&referenceType=post',
    '/api/v3/communities/gardeners',
    '/api/v3/users/bob',
    '/api/v3/polls/none',
    '{ viewerChannels(first: 20) { edges { node { channelId displayName isMuted viewerMarker { unreadCount } } } } }',
    '{ user(userId: "bob") { followCounts { followerCount } viewerFollow { status } } }',
    '{ viewerBlockedUserCount }',
  ].map((query) => ({ query, as })),
);

const WRITES: Array<[as: string, operation: string, input: object]> = [
  ['bob', 'createComment', { referenceId: 'seedlings', data: { text: 'Again.' } }],
  ['bob', 'updateUser', { displayName: 'Bob' }],
  ['bob', 'updateUser', { displayName: 'Robert' }],
  ['heidi', 'blockUser', { userId: 'bob' }],
  ['heidi', 'unblockUser', { userId: 'bob' }],
  ['heidi', 'addReaction', { referenceType: 'POST', referenceId: 'seedlings', reactionName: 'like' }],
  ['heidi', 'removeReaction', { referenceType: 'POST', referenceId: 'seedlings', reactionName: 'like' }],
  ['alice', 'updateCommunity', { communityId: 'gardeners', isPublic: false }],
  ['alice', 'updateCommunity', { communityId: 'gardeners', isPublic: true }],
  ['alice', 'banCommunityMembers', { communityId: 'gardeners', userIds: ['mia'] }],
  ['alice', 'unbanCommunityMembers', { communityId: 'gardeners', userIds: ['mia'] }],
  ['admin', 'flagPost', { postId: 'seedlings' }],
  ['alice', 'updatePost', { postId: 'seedlings', data: { text: 'Edited.' } }],
];

test('reads through two gateways return what execution returns, after writes in any order', async () => {
  const side = fc.constantFrom(0 as const, 1 as const);
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ side, read: fc.constantFrom(...READS) }) },
    { weight: 1, arbitrary: fc.record({ side, write: fc.constantFrom(...WRITES) }) },
  );
  const { returned } = gateways[0].answers.stats;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
      for (const one of steps) {
        const gateway = gateways[one.side];
        // Some repeat an earlier write, and fail.
        if ('write' in one) await mutations(gateway)(...one.write, 'clientMutationId').catch(() => undefined);
        else
          for (let round = 0; round < 3; round += 1)
            expect(await read(gateway, one.read)).toBe(await read(gateway, one.read, { isNew: true }));
      }
    }),
    { numRuns: Number(process.env.ANSWER_RUNS ?? 3), endOnFailure: true },
  );
  expect(gateways[0].answers.stats.returned).toBeGreaterThan(returned);
}, 600_000);
