import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createContext } from '../../src/context.ts';
import { createLoginLink } from '../../src/domain/session/login-link.ts';
import { openTestNetwork, signIn, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestNetwork();
});
afterAll(() => gateway.close());
const mutate = mutations(() => gateway);

const link = async (userId: string, minutes = 10) => {
  const { networkId, services } = gateway;
  return (await createLoginLink(createContext(services, null), { networkId, userId, minutes })).token;
};
interface Consumed {
  session?: { accessToken: string; expiresAt: string; user: { userId: string } };
  code?: string;
}
const consume = async (token: string): Promise<Consumed> => {
  const { data } = await gateway.graphql<{ consumed: Consumed }>(
    `mutation ($token: String!) { consumed: consumeLoginLink(input: { token: $token }) {
      ... on ConsumeLoginLinkPayload { session { accessToken expiresAt user { userId } } }
      ... on OperationError { code } } }`,
    { as: null, variables: { token } },
  );
  return data.consumed;
};
const statusOf = async (token: string) =>
  (await gateway.rest('/api/v3/sessions', { as: null, headers: { authorization: `Bearer ${token}` } })).status;

test('a login link signs its user in, also one with a network-wide role, for a day', async () => {
  const { session } = await consume(await link('admin'));
  expect(session!.user).toEqual({ userId: 'admin' });
  expect(await statusOf(session!.accessToken)).toBe(200);
  const hours = (Date.parse(session!.expiresAt) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(23);
  expect(hours).toBeLessThanOrEqual(24);
});

test('of ten concurrent uses of a login link one succeeds, and later ones are refused', async () => {
  const token = await link('bob');
  const answers = await Promise.all(Array.from({ length: 10 }, () => consume(token)));
  expect(answers.filter(({ session }) => session)).toHaveLength(1);
  expect(answers.filter(({ code }) => code === 'UNAUTHORIZED')).toHaveLength(9);
  expect(await consume(token)).toEqual({ code: 'UNAUTHORIZED' });
});

test('an expired, changed or foreign login link is refused', async () => {
  const token = await link('bob');
  const { networkId } = gateway;
  expect(await consume(await link('bob', -1))).toEqual({ code: 'UNAUTHORIZED' });
  expect(await consume(`${token}x`)).toEqual({ code: 'UNAUTHORIZED' });
  expect(await consume(token.replace(networkId, 'default'))).toEqual({ code: 'UNAUTHORIZED' });
  expect(await consume('')).toEqual({ code: 'INVALID_PARAMETERS' });
  expect((await consume(token)).session).toBeDefined();
});

test('the database contains no usable login link', async () => {
  const token = await link('bob');
  const stored = JSON.stringify(await gateway.services.store.collections.networks.find().toArray());
  expect(stored).not.toContain(token.split('.')[1]);
});

test('a login link of a user who was banned or deleted since is refused', async () => {
  await gateway.tokenOf('carol');
  const token = await link('carol');
  await mutate('admin', 'banUser', { userId: 'carol' }, 'user { userId }');
  expect(await consume(token)).toEqual({ code: 'GLOBALLY_BANNED' });
  await expect(link('carol')).rejects.toMatchObject({ errorName: 'GLOBALLY_BANNED' });
  await expect(link('nobody-knows')).rejects.toMatchObject({ errorName: 'NOT_FOUND' });
});

test('a login link is refused until the end of a ban, also while the end is not stored yet', async () => {
  await gateway.tokenOf('erin');
  const token = await link('erin');
  const inAnHour = new Date(Date.now() + 3_600_000);
  await mutate('admin', 'banUser', { userId: 'erin', expiresAt: inAnHour.toISOString() }, 'user { userId }');
  await expect(link('erin')).rejects.toMatchObject({ errorName: 'GLOBALLY_BANNED', expiresAt: inAnHour });
  const { users } = gateway.services.store.collections;
  const ended = { $set: { 'ban.expiresAt': new Date(Date.now() - 60_000) } };
  await users.updateOne({ networkId: gateway.networkId, userId: 'erin' }, ended);
  expect((await consume(token)).session!.user).toEqual({ userId: 'erin' });
  expect((await consume(await link('erin'))).session!.user).toEqual({ userId: 'erin' });
});

test('revokeSessions ends all sessions of a user and those of no other', async () => {
  const [phone, tablet, other] = await Promise.all([
    signIn(gateway, 'dave', 'phone'),
    signIn(gateway, 'dave', 'tablet'),
    signIn(gateway, 'judy', 'laptop'),
  ]);
  await mutate('admin', 'revokeSessions', { userId: 'dave' }, 'success');
  expect(await Promise.all([phone, tablet, other].map(statusOf))).toEqual([401, 401, 200]);
  expect(await statusOf(await signIn(gateway, 'dave', 'phone'))).toBe(200);
});

test('revokeSessions removes the unused login links of the user and those of no other', async () => {
  const [own, other] = [await link('dave'), await link('judy')];
  await mutate('admin', 'revokeSessions', { userId: 'dave' }, 'success');
  expect(await consume(own)).toEqual({ code: 'UNAUTHORIZED' });
  expect((await consume(other)).session).toBeDefined();
});

test.each([
  ['before the transaction of revokeSessions reads', 1],
  ['while the transaction of revokeSessions runs', 2],
])('a user who is promoted %s keeps their sessions', async (_, call) => {
  const { users } = gateway.services.store.collections;
  const { networkId } = gateway;
  await mutate('admin', 'addUserRoles', { userId: 'judy', roleIds: ['moderator'] }, 'user { userId }');
  await users.updateOne({ networkId, userId: 'mia' }, { $set: { roles: [] } });
  const token = await signIn(gateway, 'mia', 'phone');
  const moderator = await gateway.tokenOf('judy');
  expect(moderator).toBeDefined();
  const original = users.findOneAndUpdate.bind(users);
  let calls = 0;
  const spy = vi.spyOn(users, 'findOneAndUpdate').mockImplementation((async (...args: Parameters<typeof original>) => {
    calls += 1;
    if (calls === call) await users.updateOne({ networkId, userId: 'mia' }, { $set: { roles: ['global-admin'] } });
    return original(...args);
  }) as never);
  onTestFinished(() => spy.mockRestore());
  const refused = { code: 'PERMISSION_DENIED', message: 'This user ranks higher than you.', path: ['userId'] };
  expect(await mutate('judy', 'revokeSessions', { userId: 'mia' }, 'success')).toMatchObject(refused);
  expect(calls).toBeGreaterThanOrEqual(2);
  expect(await statusOf(token)).toBe(200);
});

const sessionsOf = async (userId: string, as: string) => {
  const query = `{ userSessions(userId: "${userId}") { sessionId deviceId isOfRequest } }`;
  const { data, errors } = await gateway.graphql<{ userSessions: Array<{ sessionId: string; deviceId: string }> }>(
    query,
    {
      as,
    },
  );
  return errors ? errors[0]!.extensions!.code : data.userSessions;
};

test('userSessions lists the sessions that have not ended, newest first, and revokeSessions ends one of them', async () => {
  const phone = await signIn(gateway, 'grace', 'phone');
  const tablet = await signIn(gateway, 'grace', 'tablet');
  await gateway.tokenOf('grace');
  const listed = (await sessionsOf('grace', 'grace')) as Array<{ sessionId: string; deviceId: string }>;
  expect(listed).toMatchObject([
    { deviceId: 'test#grace', isOfRequest: true },
    { deviceId: 'tablet', isOfRequest: false },
    { deviceId: 'phone', isOfRequest: false },
  ]);
  const { sessionId } = listed[2]!;
  const { networkId, services } = gateway;
  const revoke = (as: string, input: object) => mutate(as, 'revokeSessions', input, 'success');
  // Neither of another user, nor with the id of another user.
  expect(await revoke('leo', { userId: 'grace', sessionId })).toMatchObject({ code: 'PERMISSION_DENIED' });
  expect(await revoke('leo', { userId: 'leo', sessionId })).toMatchObject({ code: 'NOT_FOUND' });
  expect(await statusOf(phone)).toBe(200);
  expect(await revoke('admin', { userId: 'grace', sessionId })).toMatchObject({ success: true });
  expect([await statusOf(phone), await statusOf(tablet)]).toEqual([401, 200]);
  expect(await revoke('admin', { userId: 'grace', sessionId })).toMatchObject({ code: 'NOT_FOUND' });
  expect(await sessionsOf('grace', 'admin')).toHaveLength(2);
  const { auditEntries, sessions } = services.store.collections;
  const act = { networkId, action: 'revokeSessions', affectedUserId: 'grace' };
  expect(await auditEntries.findOne(act)).toMatchObject({ actorId: 'admin', details: { sessionId } });
  await sessions.updateMany({ networkId, userId: 'grace' }, { $set: { expiresAt: new Date() } });
  expect(await sessionsOf('grace', 'admin')).toEqual([]);
  expect(await sessionsOf('grace', 'leo')).toBe('PERMISSION_DENIED');
  expect(await sessionsOf('nobody-knows', 'leo')).toBe('PERMISSION_DENIED');
  expect(await sessionsOf('nobody-knows', 'admin')).toBe('NOT_FOUND');
});
