import { ObjectId } from 'mongodb';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { createContext } from '../../src/context.ts';
import { MAX_BATCH } from '../../src/domain/batch.ts';
import { createLoginLink } from '../../src/domain/session/login-link.ts';
import { openTestNetwork, signIn, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';
import { openConnections } from '../support/open-connections.ts';

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

test('revokeAllSessions closes the WebSockets, event streams and MQTT connections of all sessions', async () => {
  const gateway = await openNetwork();
  const sessions = await Promise.all(
    ['dave', 'judy'].map(async (userId) => ({ userId, token: await signIn(gateway, userId, `open ${userId}`) })),
  );
  const opened = await Promise.all(sessions.map((session) => openConnections(gateway, session)));
  onTestFinished(async () => void (await Promise.all(opened.map((one) => one.close()))));
  await mutations(gateway)('admin', 'revokeAllSessions', { keepsOwn: true }, 'success');
  await Promise.all(opened.flatMap(({ closed }) => Object.values(closed)));
  for (const session of sessions) await expect(openConnections(gateway, session)).rejects.toThrow('REST: 401');
});

test('revokeAllSessions removes the devices of sessions that expired before, and none that was registered meanwhile', async () => {
  const [gateway, elsewhere] = [await openNetwork(), await openNetwork()];
  const { pushDevices } = gateway.services.store.collections;
  const later = new Date(Date.now() + 60_000);
  const device = (networkId: string, deviceId: string, updatedAt = new Date()) => ({
    _id: new ObjectId(),
    networkId,
    userId: 'dave',
    deviceId,
    platform: 'ios' as const,
    token: deviceId,
    createdAt: new Date(),
    updatedAt,
  });
  const expired = Array.from({ length: MAX_BATCH + 1 }, (_, index) => device(gateway.networkId, `expired ${index}`));
  await pushDevices.insertMany([
    ...expired,
    device(gateway.networkId, 'registered meanwhile', later),
    device(elsewhere.networkId, 'of another network'),
  ]);
  await mutations(gateway)('admin', 'revokeAllSessions', { keepsOwn: true }, 'success');
  const networkId = { $in: [gateway.networkId, elsewhere.networkId] };
  const left = await pushDevices.distinct('deviceId', { networkId });
  expect(left.sort()).toEqual(['of another network', 'registered meanwhile']);
});
