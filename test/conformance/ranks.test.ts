import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectConsistent } from '../support/consistency.ts';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';

let gateway: TestGateway;
const mutate = mutations(() => gateway);
const user = 'user { userId displayName roles viewerCanEdit }';
const members = 'members { userId roles communityMembership }';
beforeAll(async () => {
  gateway = await openTestNetwork();
  // A role of low rank with the permissions to assign roles and edit profiles.
  const role = { displayName: 'Helper', permissions: ['ASSIGN_USER_ROLE', 'EDIT_USER'], rank: 10 };
  await mutate('admin', 'createRole', { roleId: 'helper', ...role }, 'role { roleId }');
  await mutate('admin', 'createRole', { ...role, roleId: 'badge', permissions: [], rank: 1 }, 'role { roleId }');
  for (const [userId, roleIds] of [
    ['kim', ['helper']],
    ['admin', ['badge']],
  ] as const) {
    expect(await mutate('admin', 'addUserRoles', { userId, roleIds }, user)).toMatchObject({ user: { userId } });
  }
});
afterAll(async () => {
  await expectConsistent(gateway);
  await gateway.close();
});

describe('users of lower rank cannot act on users of higher rank', () => {
  test('network roles', async () => {
    for (const operation of ['addUserRoles', 'removeUserRoles']) {
      expect(await mutate('kim', operation, { userId: 'admin', roleIds: ['badge'] }, user)).toMatchObject({
        code: 'PERMISSION_DENIED',
        path: ['userId'],
      });
    }
    const given = await mutate('kim', 'addUserRoles', { userId: 'leo', roleIds: ['badge'] }, user);
    expect(given.user.roles).toEqual(['badge']);
  });

  test('profile, as viewerCanEdit indicates', async () => {
    const refused = await mutate('kim', 'updateUser', { userId: 'admin', displayName: 'Fool' }, user);
    expect(refused).toMatchObject({ code: 'PERMISSION_DENIED', path: ['userId'] });
    const { data } = await gateway.graphql(
      '{ admin: user(userId: "admin") { viewerCanEdit } leo: user(userId: "leo") { viewerCanEdit } }',
      { as: 'kim' },
    );
    expect(data).toEqual({ admin: { viewerCanEdit: false }, leo: { viewerCanEdit: true } });
    expect(await mutate('kim', 'updateUser', { userId: 'leo', displayName: 'Leo L.' }, user)).toMatchObject({
      user: { displayName: 'Leo L.' },
    });
  });

  test('community roles, also when the rank comes from the network', async () => {
    const there = { communityId: 'gardeners', userIds: ['admin'] };
    await mutate('alice', 'addCommunityMembers', there, members);
    const input = { ...there, roleIds: ['community-moderator'] };
    const refused = { code: 'PERMISSION_DENIED', path: ['userIds'] };
    expect(await mutate('alice', 'addCommunityRoles', input, members)).toMatchObject(refused);
    await mutate('admin', 'addCommunityRoles', input, members);
    expect(await mutate('alice', 'removeCommunityRoles', input, members)).toMatchObject(refused);
    const taken = await mutate('admin', 'removeCommunityRoles', input, members);
    expect(taken.members).toEqual([{ userId: 'admin', roles: ['member'], communityMembership: 'MEMBER' }]);
  });
});

test('deleted roles do not protect their holders in a channel', async () => {
  const role = { roleId: 'chief', displayName: 'Chief', permissions: [], rank: 90 };
  await mutate('admin', 'createRole', role, 'role { roleId }');
  const given = await mutate('admin', 'addUserRoles', { userId: 'erin', roleIds: ['chief'] }, user);
  expect(given.user.roles).toContain('chief');
  const channelId = 'seed-exchange';
  const mute = () =>
    mutate('carol', 'muteChannelMembers', { channelId, userIds: ['erin'], mutePeriod: -1 }, 'channelUsers { isMuted }');
  expect(await mute()).toMatchObject({ code: 'PERMISSION_DENIED', path: ['userIds'] });
  await mutate('admin', 'deleteRole', { roleId: 'chief' }, '__typename');
  expect(await mute()).toMatchObject({ channelUsers: [{ isMuted: true }] });
});

test('users cannot ban themselves from a community', async () => {
  const input = { communityId: 'gardeners', userIds: ['alice', 'carol'] };
  expect(await mutate('alice', 'banCommunityMembers', input, members)).toMatchObject({
    code: 'CANNOT_BAN',
    path: ['userIds'],
  });
});

test('the permissions of the admin role cannot be reduced, so that a network cannot lock itself out', async () => {
  for (const change of [{ permissions: [] }, { rank: 0 }]) {
    const refused = await mutate('admin', 'updateRole', { roleId: 'global-admin', ...change }, 'role { roleId }');
    expect(refused).toMatchObject({ code: 'BAD_REQUEST', path: ['roleId'] });
  }
  const named = await mutate(
    'admin',
    'updateRole',
    { roleId: 'global-admin', displayName: 'Chief' },
    'role { displayName }',
  );
  expect(named.role).toEqual({ displayName: 'Chief' });
  expect(await mutate('bob', 'updateRole', { roleId: 'global-admin', rank: 0 }, 'role { roleId }')).toMatchObject({
    code: 'PERMISSION_DENIED',
  });
});

test('viewerCanEdit and viewerCanDelete of a role agree with the operations', async () => {
  const permissions = ['EDIT_ROLE', 'DELETE_ROLE', 'CREATE_ROLE'];
  await mutate(
    'admin',
    'createRole',
    { roleId: 'clerk', displayName: 'Clerk', permissions, rank: 20 },
    'role { roleId }',
  );
  await mutate(
    'admin',
    'createRole',
    { roleId: 'high', displayName: 'High', permissions: [], rank: 30 },
    'role { roleId }',
  );
  const wide = { roleId: 'wide', displayName: 'Wide', permissions: ['BAN_USER'], rank: 1 };
  await mutate('admin', 'createRole', wide, 'role { roleId }');
  await mutate('admin', 'addUserRoles', { userId: 'mia', roleIds: ['clerk'] }, user);
  for (const [roleId, canEdit, canDelete] of [
    ['badge', true, true],
    ['high', false, false],
    ['wide', false, false],
    ['member', true, false],
  ] as const) {
    const query = `{ role(roleId: "${roleId}") { viewerCanEdit viewerCanDelete } }`;
    const { data } = await gateway.graphql(query, { as: 'mia' });
    expect(data.role, roleId).toEqual({ viewerCanEdit: canEdit, viewerCanDelete: canDelete });
    const edited = await mutate('mia', 'updateRole', { roleId, displayName: 'New' }, 'role { roleId }');
    expect(edited.__typename === 'UpdateRolePayload', roleId).toBe(canEdit);
    const deleted = await mutate('mia', 'deleteRole', { roleId }, 'role { roleId }');
    expect(deleted.__typename === 'DeleteRolePayload', roleId).toBe(canDelete);
  }
});

test('viewerCan fields of a user agree with the operations', async () => {
  await mutate(
    'admin',
    'createRole',
    { roleId: 'guard', displayName: 'Guard', permissions: ['BAN_USER', 'ASSIGN_USER_ROLE'], rank: 20 },
    'role { roleId }',
  );
  await mutate(
    'admin',
    'createRole',
    { roleId: 'pin', displayName: 'Pin', permissions: [], rank: 1 },
    'role { roleId }',
  );
  await mutate('admin', 'addUserRoles', { userId: 'grace', roleIds: ['guard'] }, user);
  for (const userId of ['admin', 'heidi', 'grace']) {
    const query = `{ user(userId: "${userId}") { viewerCanBan viewerCanAssignRoles viewerCanFlag viewerCanEdit viewerCanDelete } }`;
    const { data } = await gateway.graphql<{ user: Record<string, boolean> }>(query, { as: 'grace' });
    const viewerCan = data.user;
    const tries = {
      viewerCanFlag: await mutate('grace', 'flagUser', { userId }, user),
      viewerCanEdit: await mutate('grace', 'updateUser', { userId, description: 'x' }, user),
      viewerCanAssignRoles: await mutate('grace', 'addUserRoles', { userId, roleIds: ['pin'] }, user),
      viewerCanBan: await mutate('grace', 'banUser', { userId }, user),
      viewerCanDelete: userId === 'grace' ? null : await mutate('grace', 'deleteUser', { userId }, user),
    };
    for (const [name, answer] of Object.entries(tries)) {
      if (answer)
        expect([userId, name, answer.__typename !== 'OperationError']).toEqual([userId, name, viewerCan[name]]);
    }
  }
});

test('sign-in rejects lone surrogates in user ids and names', async () => {
  const headers = { 'x-api-key': gateway.keys.API_KEY };
  for (const body of [{ userId: 'half\ud800' }, { userId: 'whole', displayName: '\udc00' }]) {
    const { status, body: answer } = await gateway.rest('/api/v5/sessions', {
      as: null,
      method: 'POST',
      headers,
      body,
    });
    expect([status, answer.code]).toEqual([422, 500000]);
  }
});

test('rejects values in free-form data that the driver would read as its own types', async () => {
  for (const metadata of [{ _bsontype: 'ObjectId', id: 'x' }, { deep: [{ _bsontype: 7 }] }]) {
    const refused = await mutate('bob', 'updateUser', { metadata }, 'user { metadata }');
    expect(refused).toMatchObject({ code: 'INVALID_PARAMETERS', path: ['metadata'] });
  }
});

test('rejects numbers in free-form data that JSON cannot express', async () => {
  const headers = { authorization: `Bearer ${await gateway.tokenOf('bob')}`, 'content-type': 'application/json' };
  const send = async (path: string, method: string, body: string) => {
    const answer = await fetch(`${gateway.url}${path}`, { method, headers, body });
    return { status: answer.status, body: await answer.json() };
  };
  for (const metadata of ['{"big":1e999}', '{"deep":[{"small":-1e999}]}']) {
    const rest = await send('/api/v3/users', 'PUT', `{"userId":"bob","metadata":${metadata}}`);
    expect(rest).toMatchObject({ status: 422, body: { code: 500000 } });
    const query =
      'mutation ($m: JSONObject) { updateUser(input: { metadata: $m }) { ... on OperationError { code path } } }';
    const { body } = await send('/graphql', 'POST', `{"query":"${query}","variables":{"m":${metadata}}}`);
    expect(body.data.updateUser).toEqual({ code: 'INVALID_PARAMETERS', path: ['metadata'] });
  }
  const kept = await send('/api/v3/users', 'PUT', '{"userId":"bob","metadata":{"big":1e308}}');
  expect(kept.body.users[0].metadata).toEqual({ big: 1e308 });
});
