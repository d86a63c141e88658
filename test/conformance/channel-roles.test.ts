import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { CHANNEL_ARRAYS } from '../support/chat-sample.ts';
import { findInconsistencies } from '../support/consistency.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { checkAnswer } from '../support/interface.ts';
import { expectRefusal, INVALID, NOT_FOUND } from '../support/refusals.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterEach(async () => expect(await findInconsistencies(gateway.services.store.db)).toEqual([]));
afterAll(() => gateway.close());

const PATH = '/api/v3/channels/gardeners-chat/users/roles';
const change = (method: 'POST' | 'DELETE', body: object, as = 'alice') => gateway.rest(PATH, { method, body, as });

async function rolesOf(userId: string) {
  const member = await gateway.services.store.collections.channelUsers.findOne({
    networkId: 'default',
    channelId: 'gardeners-chat',
    userId,
  });
  return member!;
}

test('adds and removes a role with its permissions; repetitions change nothing', async () => {
  const body = { channelId: 'gardeners-chat', role: 'channel-moderator', userIds: ['bob', 'carol', 'bob'] };
  const added = await change('POST', body);
  expect(added.status).toBe(200);
  expect(Object.keys(added.body)).toEqual(CHANNEL_ARRAYS);
  checkAnswer(added.body, { arrays: CHANNEL_ARRAYS });
  expect(added.body.channelUsers.map((member: { userId: string }) => member.userId)).toEqual(['bob', 'carol']);
  expect(added.body.channelUsers[0].roles).toEqual(['member', 'channel-moderator']);
  expect(added.body.channelUsers[0].permissions).toContain('ASSIGN_CHANNEL_USER_ROLE');

  const { updatedAt } = await rolesOf('bob');
  expect((await change('POST', body)).status).toBe(200);
  expect((await rolesOf('bob')).updatedAt).toEqual(updatedAt);

  const removed = await change('DELETE', body);
  checkAnswer(removed.body, { arrays: CHANNEL_ARRAYS });
  expect(removed.body.channelUsers[0]).toMatchObject({ roles: ['member'], permissions: [] });
  expect((await change('DELETE', body)).status).toBe(200);
});

test('a new role takes effect immediately', async () => {
  await change('POST', { role: 'channel-moderator', userIds: ['bob'] });
  expect((await change('DELETE', { role: 'channel-moderator', userIds: ['bob'] }, 'bob')).status).toBe(200);
  await expectRefusal(
    gateway,
    PATH,
    { method: 'POST', as: 'bob', body: { role: 'channel-moderator', userIds: ['bob'] } },
    [403, 400301],
  );
});

test('requires the permission, a sufficient rank, no ban and a visible channel', async () => {
  const body = { role: 'channel-moderator', userIds: ['bob'] };
  const refused = (as: string, given: object, refusal: readonly [number, number], path = PATH) =>
    expectRefusal(gateway, path, { method: 'POST', as, body: given }, refusal);
  await refused('carol', body, [403, 400301]);
  await refused('erin', body, [403, 400301]);
  await refused('dave', body, [403, 400304]);
  await refused('alice', { ...body, role: 'moderator' }, [403, 400301]);
  await refused('alice', { ...body, role: 'global-admin' }, [403, 400301]);
  await refused('erin', body, NOT_FOUND, '/api/v3/channels/alice-and-bob/users/roles');
  await refused('alice', body, NOT_FOUND, '/api/v3/channels/no-such-channel/users/roles');
  await refused('alice', { ...body, role: 'no-such-role' }, NOT_FOUND);
  for (const userId of ['no-such-user', 'erin', 'dave'])
    await refused('alice', { ...body, userIds: ['bob', userId] }, NOT_FOUND);
  expect((await rolesOf('bob')).roles).toEqual(['member']);
  expect((await change('POST', { ...body, role: 'moderator' }, 'admin')).status).toBe(200);
  await expectRefusal(gateway, PATH, { method: 'DELETE', body: { ...body, role: 'moderator' } }, [403, 400301]);
  expect((await change('DELETE', { ...body, role: 'moderator' }, 'admin')).status).toBe(200);
});

test('enforces the bounds of role and userIds', async () => {
  const role = 'channel-moderator';
  for (const body of [
    {},
    { role },
    { userIds: ['bob'] },
    { role: '', userIds: ['bob'] },
    { role: 'r'.repeat(101), userIds: ['bob'] },
    { role: { $ne: null }, userIds: ['bob'] },
    { role, userIds: [] },
    { role, userIds: [''] },
    { role, userIds: ['u'.repeat(51)] },
    { role, userIds: Array.from({ length: 101 }, (_, index) => `u${index}`) },
    { role, userIds: { $ne: null } },
    { role, userIds: [{ $ne: null }] },
    { role, userIds: ['bob'], channelId: 'another' },
    [],
  ]) {
    await expectRefusal(gateway, PATH, { method: 'POST', body }, INVALID);
  }
  // Values of the maximum length are valid, but do not exist.
  await expectRefusal(gateway, PATH, { method: 'POST', body: { role: 'r'.repeat(100), userIds: ['bob'] } }, NOT_FOUND);
  await expectRefusal(
    gateway,
    PATH,
    { method: 'POST', body: { role, userIds: Array.from({ length: 100 }, (_, index) => `u${index}`) } },
    NOT_FOUND,
  );
  await expectRefusal(gateway, PATH, { method: 'POST', body: { role, userIds: ['u'.repeat(50)] } }, NOT_FOUND);
});

test('100 concurrent changes leave each role once and the permissions of the remaining roles', async () => {
  const calls = Array.from({ length: 100 }, (_, index) =>
    change(
      index % 4 === 0 ? 'DELETE' : 'POST',
      { role: index % 2 === 0 ? 'channel-moderator' : 'super-moderator', userIds: ['bob', 'carol'] },
      'admin',
    ),
  );
  const answers = await Promise.all(calls);
  expect(answers.map((answer) => answer.status).filter((status) => status !== 200)).toEqual([]);
  expect((await rolesOf('bob')).roles).toContain('super-moderator');
});
