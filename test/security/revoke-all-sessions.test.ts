import { ObjectId } from 'mongodb';
import { afterAll, expect, test, vi } from 'vitest';
import { createContext } from '../../src/context.ts';
import { MAX_BATCH } from '../../src/domain/batch.ts';
import { createLoginLink } from '../../src/domain/session/login-link.ts';
import { openTestNetwork, signIn, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';

const gateways: TestGateway[] = [];
afterAll(() => Promise.all(gateways.map((gateway) => gateway.close())));

async function openNetwork(): Promise<TestGateway> {
  const gateway = await openTestNetwork();
  gateways.push(gateway);
  return gateway;
}

const statusOf = async (gateway: TestGateway, token: string) =>
  (await gateway.rest('/api/v3/sessions', { as: null, headers: { authorization: `Bearer ${token}` } })).status;

test('revokeAllSessions ends every session of its network, the own one last, and users can sign in again', async () => {
  const [gateway, elsewhere] = [await openNetwork(), await openNetwork()];
  const admin = await gateway.tokenOf('admin');
  const tokens = [
    await signIn(gateway, 'dave', 'phone'),
    await signIn(gateway, 'dave', 'tablet'),
    await signIn(gateway, 'admin', 'phone of admin'),
    await gateway.tokenOf('visitor#a'),
  ];
  const foreign = await elsewhere.tokenOf('dave');
  await mutations(gateway)('admin', 'revokeAllSessions', {}, 'success');
  expect(await Promise.all([admin, ...tokens].map((token) => statusOf(gateway, token)))).toEqual([
    401, 401, 401, 401, 401,
  ]);
  expect(await statusOf(elsewhere, foreign)).toBe(200);
  expect(await statusOf(gateway, await signIn(gateway, 'dave', 'phone'))).toBe(200);
});

test('revokeAllSessions with keepsOwn keeps the session of the request and its device', async () => {
  const gateway = await openNetwork();
  const { networkId, services } = gateway;
  const { pushDevices } = services.store.collections;
  const other = await signIn(gateway, 'admin', 'test#admin');
  const admin = await gateway.tokenOf('admin');
  const dave = await gateway.tokenOf('dave');
  await pushDevices.insertMany(
    ['admin', 'dave'].map((userId) => ({
      _id: new ObjectId(),
      networkId,
      userId,
      deviceId: `test#${userId}`,
      platform: 'ios' as const,
      token: userId,
      createdAt: new Date(),
      updatedAt: new Date(),
    })),
  );
  await mutations(gateway)('admin', 'revokeAllSessions', { keepsOwn: true }, 'success');
  expect(await Promise.all([admin, other, dave].map((token) => statusOf(gateway, token)))).toEqual([200, 401, 401]);
  expect(await pushDevices.distinct('userId', { networkId })).toEqual(['admin']);
});

test('revokeAllSessions ends more sessions than one batch, and removes the unused login links of all users', async () => {
  const gateway = await openNetwork();
  const { networkId, services } = gateway;
  const { sessions, networks } = services.store.collections;
  await gateway.tokenOf('dave');
  const { _id, ...pattern } = (await sessions.findOne({ networkId, userId: 'dave' }))!;
  await sessions.insertMany(
    Array.from({ length: 2 * MAX_BATCH + 1 }, (_, index) => ({
      ...pattern,
      _id: new ObjectId(),
      sessionId: `session-${index}`,
    })),
  );
  await createLoginLink(createContext(services, null), { networkId, userId: 'judy', minutes: 10 });
  await mutations(gateway)('admin', 'revokeAllSessions', {}, 'success');
  expect(await sessions.countDocuments({ networkId, revokedAt: null })).toBe(0);
  expect((await networks.findOne({ networkId }))!.loginLinks).toEqual([]);
});

test('an interrupted revokeAllSessions keeps the own session, is in the audit log, and can be repeated', async () => {
  const gateway = await openNetwork();
  const { networkId, services } = gateway;
  const { sessions, auditEntries } = services.store.collections;
  const [admin, dave] = [await gateway.tokenOf('admin'), await gateway.tokenOf('dave')];
  const mutate = mutations(gateway);
  const failing = vi.spyOn(sessions, 'updateMany').mockRejectedValueOnce(new Error('The database failed.'));
  await expect(mutate('admin', 'revokeAllSessions', {}, 'success')).rejects.toThrow();
  failing.mockRestore();
  expect(await statusOf(gateway, admin)).toBe(200);
  await mutate('admin', 'revokeAllSessions', {}, 'success');
  expect(await Promise.all([admin, dave].map((token) => statusOf(gateway, token)))).toEqual([401, 401]);
  const entries = await auditEntries.find({ networkId, action: 'revokeAllSessions' }).toArray();
  expect(entries.map(({ actorId, subjectType, details }) => [actorId, subjectType, details])).toEqual([
    ['admin', 'network', { keepsOwn: false }],
    ['admin', 'network', { keepsOwn: false }],
  ]);
});
