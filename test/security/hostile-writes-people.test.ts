import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectConsistent } from '../support/consistency.ts';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';

let gateway: TestGateway;
const mutate = mutations(() => gateway);
beforeAll(async () => {
  gateway = await openTestNetwork();
});
afterAll(async () => {
  await expectConsistent(gateway);
  await gateway.close();
});

const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  '$where',
  'a.b',
  '‮drowssap',
  'nul\0here',
  '{"$ne":1}',
];
const LONG_ID = 'x'.repeat(900);

/** The number of records in each collection that these mutations write. */
async function counts(): Promise<number[]> {
  const { collections } = gateway.services.store;
  const counted = [
    'users',
    'communities',
    'communityUsers',
    'channels',
    'channelUsers',
    'roles',
    'categories',
    'files',
    'joinRequests',
    'flags',
  ] as const;
  return Promise.all(
    counted.map((name) =>
      (collections[name] as typeof collections.users).countDocuments({ networkId: gateway.networkId }),
    ),
  );
}

describe('names that clients choose', () => {
  test.each(NAMES)('stores a name such as %j unchanged', async (name) => {
    const metadata = JSON.parse(`{"prototype": {"x": 1}, "constructor": 1, "$set": {"a.b": ${JSON.stringify(name)}}}`);
    const input = { displayName: name, description: name, tags: [name], metadata };
    const { community } = await mutate(
      'alice',
      'createCommunity',
      input,
      'community { communityId displayName description tags metadata }',
    );
    expect(community).toMatchObject({ displayName: name, description: name, tags: [name] });
    expect(JSON.stringify(community.metadata)).toBe(JSON.stringify(metadata));
    const read = await gateway.rest(`/api/v3/communities/${community.communityId}`);
    expect(read.body.communities[0].displayName).toBe(name);
    const { user } = await mutate(
      'alice',
      'updateUser',
      { displayName: name, metadata },
      'user { displayName metadata }',
    );
    expect(user.displayName).toBe(name);
    expect(JSON.stringify(user.metadata)).toBe(JSON.stringify(metadata));
    const { category } = await mutate('admin', 'createCategory', { name, metadata }, 'category { name }');
    expect(category.name).toBe(name);
    if (!name.includes(' ')) {
      const role = { roleId: name, displayName: name, permissions: [], rank: 1 };
      expect((await mutate('admin', 'createRole', role, 'role { roleId }')).role).toEqual({ roleId: name });
      const withRole = await mutate(
        'admin',
        'addUserRoles',
        { userId: 'kim', roleIds: [name] },
        'user { roles permissions }',
      );
      expect(withRole.user.roles).toContain(name);
      expect(withRole.user.permissions).toEqual([]);
      await mutate('admin', 'removeUserRoles', { userId: 'kim', roleIds: [name] }, 'user { roles }');
    }
  });
});

test('rejects metadata with the key __proto__ over GraphQL and REST', async () => {
  const before = await counts();
  const body = '{"displayName": "x", "metadata": {"__proto__": {"isAdmin": true}}}';
  const rest = await gateway.rest('/api/v3/communities', { method: 'POST', body });
  expect([rest.status, rest.body.status]).toEqual([400, 'error']);
  const query = 'mutation ($input: CreateCommunityInput!) { createCommunity(input: $input) { __typename } }';
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await gateway.tokenOf('alice')}` },
    body: `{"query": ${JSON.stringify(query)}, "variables": {"input": ${body}}}`,
  });
  expect(response.status).toBe(400);
  expect(await counts()).toEqual(before);
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
});

describe('input that is not valid text, too long or too deep', () => {
  test('is rejected over GraphQL without a partial write', async () => {
    const before = await counts();
    let deep: object = {};
    for (let depth = 0; depth < 40; depth += 1) deep = { deep };
    const faults: object[] = [
      { displayName: '\ud800' },
      { displayName: 'x'.repeat(101) },
      { tags: Array.from({ length: 21 }, String) },
      { tags: ['x'.repeat(101)] },
      { metadata: deep },
      { metadata: { text: 'x'.repeat(70_000) } },
      { metadata: { 'a\0b': 1 } },
      { metadata: { a: '\udfff' } },
      { userIds: Array.from({ length: 101 }, (_, index) => `u${index}`) },
      { userIds: ['x'.repeat(51)] },
    ];
    for (const fault of faults) {
      const answer = await mutate(
        'alice',
        'createCommunity',
        { displayName: 'Fine', ...fault },
        'community { communityId }',
      );
      expect([answer.code, answer.path?.[0]], JSON.stringify(fault).slice(0, 60)).toEqual([
        'INVALID_PARAMETERS',
        Object.keys(fault)[0],
      ]);
    }
    expect(await counts()).toEqual(before);
  });

  test('objects in place of text are rejected over GraphQL and REST', async () => {
    const before = await counts();
    const operators: unknown[] = [{ $ne: null }, { $gt: '' }, ['x', { $ne: 1 }], { $regex: '.*' }];
    for (const operator of operators) {
      const calls: Array<[method: string, path: string, body: object]> = [
        ['POST', '/api/v3/communities', { displayName: operator }],
        ['PUT', '/api/v3/communities/gardeners', { displayName: operator }],
        ['POST', '/api/v3/communities/gardeners/users', { userIds: [operator] }],
        ['PUT', '/api/v3/communities/gardeners/users/ban', { userIds: operator }],
        ['POST', '/api/v4/communities/gardeners/join/approve', { userId: operator }],
        ['PUT', '/api/v3/users', { userId: operator, displayName: 'x' }],
        ['PUT', '/api/v3/users', { avatarFileId: operator }],
        ['POST', '/api/v4/me/flags/bob', { reason: operator }],
      ];
      for (const [method, path, body] of calls) {
        const answer = await gateway.rest(path, { method, body });
        expect([answer.status, answer.body.status], `${path} ${JSON.stringify(body)}`).toEqual([422, 'error']);
      }
      const { errors } = await gateway.graphql(
        'mutation ($id: String!) { joinCommunity(input: { communityId: $id }) { __typename } }',
        { variables: { id: operator } },
      );
      expect(errors).toHaveLength(1);
    }
    expect(await counts()).toEqual(before);
  });

  test('16 MB of metadata are rejected', async () => {
    const before = await counts();
    const body = { displayName: 'Fine', metadata: { text: 'x'.repeat(16 * 1_048_576) } };
    expect((await gateway.rest('/api/v3/communities', { method: 'POST', body })).body.status).toBe('error');
    expect(await counts()).toEqual(before);
  });

  test('ids of 900 characters are not found, and longer ones are invalid', async () => {
    const select = { joinCommunity: 'community { communityId }', deleteCommunity: 'community { communityId }' };
    for (const [operation, fields] of Object.entries(select)) {
      expect((await mutate('alice', operation, { communityId: LONG_ID }, fields)).code).toBe('NOT_FOUND');
      expect((await mutate('alice', operation, { communityId: `${LONG_ID}x` }, fields)).code).toBe(
        'INVALID_PARAMETERS',
      );
    }
    expect((await mutate('admin', 'deleteFile', { fileId: LONG_ID }, 'file { fileId }')).code).toBe('NOT_FOUND');
    expect((await mutate('admin', 'banUser', { userId: LONG_ID }, 'user { userId }')).code).toBe('INVALID_PARAMETERS');
  });
});

test('answers a call on a hidden community as if the community did not exist', async () => {
  const { community } = await mutate(
    'alice',
    'createCommunity',
    { displayName: 'Secret', isPublic: false, isDiscoverable: false },
    'community { communityId }',
  );
  for (const [operation, input] of Object.entries({
    joinCommunity: {},
    leaveCommunity: {},
    deleteCommunity: {},
    updateCommunity: { displayName: 'x' },
    banCommunityMembers: { userIds: ['alice'] },
    approveJoinRequest: { userId: 'alice' },
  })) {
    const select = operation === 'approveJoinRequest' ? 'joinRequest { status }' : 'community { communityId }';
    const hidden = await mutate('erin', operation, { communityId: community.communityId, ...input }, select);
    expect(hidden).toEqual(await mutate('erin', operation, { communityId: 'absent', ...input }, select));
    expect(hidden.code).toBe('NOT_FOUND');
  }
});
