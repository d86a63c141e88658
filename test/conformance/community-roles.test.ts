import { afterEach, beforeEach, expect, test } from 'vitest';
import { expectConsistent } from '../support/consistency.ts';
import { openTestNetwork, type RestCall, type TestGateway } from '../support/gateway.ts';
import { checkAnswer } from '../support/interface.ts';

const ARRAYS = ['communities', 'communityUsers', 'files', 'users', 'categories', 'feeds', 'joinRequests'];
const MODERATOR = 'community-moderator';
const pathOf = (communityId: string) => `/api/v4/communities/${communityId}/users/roles`;
const GARDENERS = pathOf('gardeners');

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await openTestNetwork();
});
afterEach(async () => {
  await expectConsistent(gateway);
  await gateway.close();
});

const remove = (userIds: string[], options: RestCall = {}, roles = [MODERATOR]) =>
  gateway.rest(GARDENERS, { method: 'DELETE', body: { communityId: 'gardeners', roles, userIds }, ...options });
const add = (userIds: string[], options: RestCall = {}, roles = [MODERATOR]) =>
  gateway.rest(GARDENERS, { method: 'POST', body: { roles, userIds }, ...options });
const moderators = async () => {
  const { communityUsers } = gateway.services.store.collections;
  const found = await communityUsers
    .find({ networkId: gateway.networkId, communityId: 'gardeners', roles: MODERATOR })
    .toArray();
  return found.map((member) => member.userId).sort();
};
const outcome = ({ status, body }: { status: number; body: { code: number } }) => [status, body.code];

test('adds and removes roles and returns every array, field and resolvable reference', async () => {
  const given = await add(['bob', 'carol', 'bob']);
  expect(given.status).toBe(200);
  expect(given.body.communities[0].moderatorMemberCount).toBe(3);
  checkAnswer(given.body, { arrays: ARRAYS });
  await expectConsistent(gateway);

  const taken = await remove(['bob', 'carol']);
  expect(taken.status).toBe(200);
  expect(Object.keys(taken.body)).toEqual(ARRAYS);
  checkAnswer(taken.body, { arrays: ARRAYS });
  expect(taken.body.communities[0]).toMatchObject({ communityId: 'gardeners', moderatorMemberCount: 1 });
  expect(taken.body.communityUsers).toHaveLength(2);
  for (const member of taken.body.communityUsers) expect(member).toMatchObject({ roles: ['member'], permissions: [] });
  expect(taken.body.feeds).toHaveLength(1);
  expect(await moderators()).toEqual(['alice']);
});

test('accepts the lists in the query in every spelling; repeated parameters must agree', async () => {
  await add(['bob', 'carol', 'frank']);
  const ask = (query: string, body?: object) => gateway.rest(`${GARDENERS}?${query}`, { method: 'DELETE', body });
  expect((await ask(`roles[]=${MODERATOR}&userIds[]=bob`)).status).toBe(200);
  expect((await ask(`roles=${MODERATOR}&userIds=carol`)).status).toBe(200);
  expect((await ask(`roles[0]=${MODERATOR}&userIds[0]=frank`, { communityId: 'gardeners' })).status).toBe(200);
  expect(await moderators()).toEqual(['alice']);
  expect(outcome(await ask(`roles[]=${MODERATOR}&userIds[]=bob`, { communityId: 'harvest-fair' }))).toEqual([
    422, 500000,
  ]);
  expect(outcome(await ask(`roles[]=${MODERATOR}&userIds[]=bob`, { userIds: ['carol'] }))).toEqual([422, 500000]);
});

test('removing a role that a user does not hold, or adding one they hold, changes nothing', async () => {
  const before = (await gateway.rest('/api/v3/posts/seedlings')).body.communities[0];
  const taken = await remove(['bob']);
  expect(taken.status).toBe(200);
  expect(taken.body.communityUsers).toMatchObject([{ userId: 'bob', roles: ['member'] }]);
  expect((await add(['alice'])).body.communities[0]).toEqual(before);
});

test('keeps the last moderator, also when two are demoted concurrently', async () => {
  expect(outcome(await remove(['alice'], { as: 'admin' }))).toEqual([403, 400317]);
  await add(['bob']);
  expect(outcome(await remove(['alice', 'bob'], { as: 'admin' }))).toEqual([403, 400317]);
  expect(await moderators()).toEqual(['alice', 'bob']);
  const both = await Promise.all([remove(['alice'], { as: 'admin' }), remove(['bob'], { as: 'admin' })]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 403]);
  expect(await moderators()).toHaveLength(1);
});

test('concurrent calls leave one role and exact counts', async () => {
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, index) => (index % 2 ? add(['carol']) : remove(['carol']))),
  );
  for (const answer of answers) expect(answer.status).toBe(200);
  await add(['carol']);
  expect(await moderators()).toEqual(['alice', 'carol']);
});

test('requires the permission to assign roles and a sufficient rank', async () => {
  expect(outcome(await remove(['alice'], { as: 'bob' }))).toEqual([403, 400301]);
  expect(outcome(await add(['erin'], { as: 'erin' }))).toEqual([403, 400301]);
  expect(outcome(await remove(['alice'], { as: 'dave' }))).toEqual([403, 400304]);
  expect(outcome(await add(['alice'], {}, ['global-admin']))).toEqual([403, 400301]);
  expect(outcome(await add(['bob'], {}, [MODERATOR, 'super-moderator']))).toEqual([403, 400301]);
  expect(outcome(await add(['bob'], {}, ['seed-librarian']))).toEqual([200, undefined]);
  expect((await remove(['bob'], {}, ['seed-librarian', 'member'])).body.communityUsers[0].roles).toEqual([]);
  expect(await moderators()).toEqual(['alice']);
});

test('answers 404 for absent, deleted and invisible records', async () => {
  const ask = (communityId: string, as = 'erin') =>
    gateway.rest(pathOf(communityId), { method: 'DELETE', as, body: { roles: [MODERATOR], userIds: ['frank'] } });
  const absent = await ask('no-such-community');
  expect(outcome(absent)).toEqual([404, 400400]);
  expect(await ask('orchard-keepers').then(({ status, body }) => [status, body])).toEqual([absent.status, absent.body]);
  expect(outcome(await ask('potato-club', 'leo'))).toEqual([404, 400400]);
  expect(outcome(await add(['bob'], {}, ['no-such-role']))).toEqual([404, 400400]);
  expect(outcome(await add(['bob'], {}, ['night-watch']))).toEqual([404, 400400]);
  for (const userId of ['nobody', 'erin', 'dave', 'seedshop']) {
    expect(outcome(await add(['bob', userId])), userId).toEqual([404, 400400]);
  }
  expect(await moderators()).toEqual(['alice']);
});

test('accepts lists at their bounds and rejects them beyond', async () => {
  const many = (count: number, of = 'x') => Array.from({ length: count }, (_, index) => `${of}${index}`);
  const bad: Array<[path: string, body: unknown]> = [
    [GARDENERS, undefined],
    [GARDENERS, []],
    [GARDENERS, { roles: [MODERATOR] }],
    [GARDENERS, { userIds: ['bob'] }],
    [GARDENERS, { roles: [], userIds: ['bob'] }],
    [GARDENERS, { roles: [MODERATOR], userIds: [] }],
    [GARDENERS, { roles: many(101), userIds: ['bob'] }],
    [GARDENERS, { roles: [MODERATOR], userIds: many(101) }],
    [GARDENERS, { roles: ['x'.repeat(101)], userIds: ['bob'] }],
    [GARDENERS, { roles: [''], userIds: ['bob'] }],
    [GARDENERS, { roles: [MODERATOR], userIds: ['x'.repeat(51)] }],
    [GARDENERS, { roles: [7], userIds: ['bob'] }],
    [GARDENERS, { roles: { $ne: null }, userIds: ['bob'] }],
    [GARDENERS, { roles: [MODERATOR], userIds: [{ $gt: '' }] }],
    [pathOf('x'.repeat(901)), { roles: [MODERATOR], userIds: ['bob'] }],
  ];
  for (const [path, body] of bad) {
    const answer = await gateway.rest(path, { method: 'DELETE', body });
    expect(outcome(answer), JSON.stringify(body)?.slice(0, 80)).toEqual([422, 500000]);
  }
  const atEdge: Array<[path: string, body: unknown]> = [
    [GARDENERS, { roles: many(100), userIds: ['bob'] }],
    [GARDENERS, { roles: ['x'.repeat(100)], userIds: ['x'.repeat(50)] }],
    [GARDENERS, { roles: [MODERATOR], userIds: many(100) }],
    [pathOf('x'.repeat(900)), { roles: [MODERATOR], userIds: ['bob'] }],
  ];
  for (const [path, body] of atEdge) expect((await gateway.rest(path, { method: 'DELETE', body })).status).toBe(404);
});

test('checks an X-API-Key if there is one; a wrong one changes nothing', async () => {
  await add(['bob']);
  expect(outcome(await remove(['bob'], { headers: { 'x-api-key': 'another-key' } }))).toEqual([401, 400100]);
  expect(await moderators()).toEqual(['alice', 'bob']);
  expect((await remove(['bob'], { headers: { 'x-api-key': gateway.keys.API_KEY } })).status).toBe(200);
});

test('a deleted role confers no rank', async () => {
  const { roles } = gateway.services.store.collections;
  await roles.updateOne({ networkId: gateway.networkId, roleId: MODERATOR }, { $set: { isDeleted: true } });
  expect(outcome(await add(['carol'], {}, ['channel-moderator']))).toEqual([403, 400301]);
});
