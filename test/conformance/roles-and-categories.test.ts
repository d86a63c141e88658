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

const ROLE = 'role { roleId displayName permissions rank isDeleted }';
const CATEGORY = 'category { categoryId name isDeleted metadata viewerCanEdit }';

describe('a role', () => {
  test('changes immediately for all its holders, in communities and in the network', async () => {
    const fields = { roleId: 'pinner', displayName: 'Pinner', permissions: [] as string[], rank: 10 };
    expect((await mutate('admin', 'createRole', fields, ROLE)).role).toMatchObject(fields);
    const hold = { communityId: 'gardeners', roleIds: ['pinner'], userIds: ['bob'] };
    await mutate('alice', 'addCommunityRoles', hold, 'members { userId }');
    const rename = { communityId: 'gardeners', description: 'Soil' };
    const edit = () => mutate('bob', 'updateCommunity', rename, 'community { description }');
    expect((await edit()).code).toBe('PERMISSION_DENIED');
    await mutate('admin', 'updateRole', { roleId: 'pinner', permissions: ['EDIT_COMMUNITY'] }, ROLE);
    expect((await edit()).community).toEqual({ description: 'Soil' });
    const { body } = await gateway.rest('/api/v3/communities/gardeners/users?search=Bob');
    expect(body.communityUsers[0].permissions).toEqual(['EDIT_COMMUNITY']);
    expect((await mutate('admin', 'deleteRole', { roleId: 'pinner' }, ROLE)).role.isDeleted).toBe(true);
    expect((await edit()).code).toBe('PERMISSION_DENIED');

    await mutate('admin', 'createRole', { ...fields, roleId: 'banner', permissions: ['BAN_USER'] }, ROLE);
    await mutate('admin', 'addUserRoles', { userId: 'carol', roleIds: ['banner'] }, 'user { userId }');
    const ban = () => mutate('carol', 'banUser', { userId: 'kim' }, 'user { userId }');
    expect((await ban()).user).toEqual({ userId: 'kim' });
    await mutate('admin', 'updateRole', { roleId: 'banner', permissions: [] }, ROLE);
    expect((await ban()).code).toBe('PERMISSION_DENIED');
  });

  test('is rejected without mentioning a duplicate when its id belongs to a deleted role that the creator does not see', async () => {
    const fields = { displayName: 'Old', permissions: [], rank: 1 };
    await mutate('admin', 'createRole', { ...fields, roleId: 'retired' }, ROLE);
    await mutate('admin', 'deleteRole', { roleId: 'retired' }, ROLE);
    await mutate('admin', 'createRole', { ...fields, roleId: 'creator', permissions: ['CREATE_ROLE'] }, ROLE);
    await mutate('admin', 'addUserRoles', { userId: 'mia', roleIds: ['creator'] }, 'user { userId }');
    const create = (as: string, roleId: string) => mutate(as, 'createRole', { ...fields, roleId }, ROLE);
    expect(await create('mia', 'retired')).toMatchObject({ code: 'INVALID_PARAMETERS', path: ['roleId'] });
    expect(await create('mia', 'creator')).toMatchObject({ code: 'DUPLICATE' });
    expect(await create('admin', 'retired')).toMatchObject({ code: 'DUPLICATE' });
  });

  test('cannot have permissions or a rank that its creator lacks', async () => {
    const roleId = 'role-maker';
    const permissions = ['CREATE_ROLE', 'EDIT_ROLE', 'DELETE_ROLE', 'PIN_COMMUNITY_POST'];
    await mutate('admin', 'createRole', { roleId, displayName: 'Maker', permissions, rank: 50 }, ROLE);
    await mutate('admin', 'addUserRoles', { userId: 'leo', roleIds: [roleId] }, 'user { userId }');
    const make = (given: object) =>
      mutate('leo', 'createRole', { roleId: 'small', displayName: 'S', permissions: [], rank: 1, ...given }, ROLE);
    expect(await make({ permissions: ['BAN_USER'] })).toMatchObject({
      code: 'PERMISSION_DENIED',
      path: ['permissions'],
    });
    expect(await make({ rank: 51 })).toMatchObject({ code: 'PERMISSION_DENIED', path: ['rank'] });
    expect((await make({ permissions: ['PIN_COMMUNITY_POST'] })).role.rank).toBe(1);
    expect((await make({})).code).toBe('DUPLICATE');
    const change = (given: object) => mutate('leo', 'updateRole', { roleId: 'small', ...given }, ROLE);
    expect((await change({ permissions: ['BAN_USER'] })).code).toBe('PERMISSION_DENIED');
    expect((await change({ rank: 60 })).code).toBe('PERMISSION_DENIED');
    expect((await mutate('leo', 'updateRole', { roleId: 'moderator', rank: 1 }, ROLE)).code).toBe('PERMISSION_DENIED');
    expect((await mutate('leo', 'deleteRole', { roleId: 'moderator' }, ROLE)).code).toBe('BAD_REQUEST');
  });

  test('is rejected with the name of the invalid field', async () => {
    const given = { roleId: 'fine', displayName: 'Fine', permissions: [] as string[], rank: 1 };
    for (const [fault, path] of [
      [{ roleId: 'white space' }, 'roleId'],
      [{ displayName: '' }, 'displayName'],
      [{ permissions: ['EVERYTHING'] }, 'permissions'],
      [{ rank: 101 }, 'rank'],
      [{ rank: -1 }, 'rank'],
    ] as const) {
      const answer = await mutate('admin', 'createRole', { ...given, ...fault }, ROLE);
      expect([answer.code, answer.path?.[0]]).toEqual(['INVALID_PARAMETERS', path]);
    }
  });
});

describe('a category', () => {
  test('is created, updated and deleted; its communities remain', async () => {
    const { category } = await mutate('admin', 'createCategory', { name: 'Ponds', metadata: { $ne: 1 } }, CATEGORY);
    expect(category).toMatchObject({ name: 'Ponds', metadata: { $ne: 1 }, viewerCanEdit: true });
    const { categoryId } = category;
    const filed = await mutate(
      'alice',
      'createCommunity',
      { displayName: 'Frogs', categoryIds: [categoryId] },
      'community { communityId }',
    );
    const renamed = await mutate('admin', 'updateCategory', { categoryId, name: 'Lakes', metadata: null }, CATEGORY);
    expect(renamed.category).toMatchObject({ name: 'Lakes', metadata: {} });
    expect((await gateway.rest(`/api/v3/community-categories/${categoryId}`)).body.categories[0].name).toBe('Lakes');
    expect((await mutate('admin', 'deleteCategory', { categoryId }, CATEGORY)).category.isDeleted).toBe(true);
    expect((await gateway.rest(`/api/v3/community-categories/${categoryId}`)).status).toBe(404);
    expect((await gateway.rest(`/api/v3/communities/${filed.community.communityId}`)).status).toBe(200);
    const late = await mutate(
      'alice',
      'createCommunity',
      { displayName: 'Toads', categoryIds: [categoryId] },
      'community { communityId }',
    );
    expect(late).toMatchObject({ code: 'NOT_FOUND', path: ['categoryIds'] });
    expect((await mutate('admin', 'updateCategory', { categoryId, name: 'x' }, CATEGORY)).code).toBe('NOT_FOUND');
    expect((await mutate('bob', 'createCategory', { name: 'x' }, CATEGORY)).code).toBe('PERMISSION_DENIED');
  });
});
