import { type Collection, type Document, ObjectId } from 'mongodb';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { MAX_BATCH } from '../../src/domain/batch.ts';
import { finishErasures } from '../../src/erasure/run-erasure.ts';
import { stepsOf } from '../../src/erasure/steps.ts';
import { DELETED_USER_NAME } from '../../src/store/records/anonymous-profile.ts';
import type { UserErasureRecord } from '../../src/store/records/erasure.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
let now = Date.now();
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => gateway.close());

/** Continues the erasures, by the clock of the test. */
const finish = () => finishErasures({ ...gateway.services, now: () => new Date(now) }, gateway.networkId);

/** An erasure that no process has begun, of a person with a name in memberships. */
async function requestErasure(userId: string, { memberships }: { memberships: number }): Promise<void> {
  const { communityUsers, userErasures } = gateway.services.store.collections;
  const { networkId } = gateway;
  const dates = { createdAt: new Date(now), updatedAt: new Date(now) };
  await communityUsers.insertMany(
    Array.from({ length: memberships }, (_, index) => ({
      ...{ _id: new ObjectId(), networkId, ...dates, communityId: `left-${index}`, userId, userInternalId: '' },
      ...{ channelId: '', displayName: 'Former name', communityMembership: 'none' as const, isBanned: false },
      ...{ notMemberReason: null, roles: [], permissions: [], lastActivity: new Date(now), lastJoin: null },
    })),
  );
  await userErasures.insertOne({
    ...{ _id: new ObjectId(), networkId, userId, ...dates, content: 'keep', state: 'running', requestedBy: 'admin' },
    ...{ requestedAt: new Date(now), completedAt: null, completedSteps: [], names: ['Former name'], lease: null },
    leaseEndsAt: new Date(now),
  });
}

async function erasureOf(userId: string): Promise<UserErasureRecord> {
  return (await gateway.services.store.collections.userErasures.findOne({ networkId: gateway.networkId, userId }))!;
}

test('an erasure of a person whose user record is missing is completed', async () => {
  const { networkId, services } = gateway;
  await requestErasure('ghost', { memberships: 2 });
  await finish();
  const erasure = await erasureOf('ghost');
  expect(erasure).toMatchObject({ state: 'completed', names: [], lease: null });
  expect(erasure.completedSteps).toEqual(stepsOf(erasure).map(({ name }) => name));
  const named = services.store.collections.communityUsers.find({ networkId, userId: 'ghost' });
  expect((await named.toArray()).map(({ displayName }) => displayName)).toEqual([DELETED_USER_NAME, DELETED_USER_NAME]);
});

test('each step renews its lease while it runs, so that no other process begins the same step', async () => {
  const { networkId, services } = gateway;
  const { store } = services;
  await gateway.tokenOf('member-of-many');
  await requestErasure('member-of-many', { memberships: 3 * MAX_BATCH });
  await store.collections.users.updateOne(
    { networkId, userId: 'member-of-many' },
    { $set: { isDeleted: true, displayName: DELETED_USER_NAME } },
  );
  const expired: string[] = [];
  const check = async (work: string) => {
    // Each piece of work takes most of a lease.
    now += 40_000;
    const { leaseEndsAt } = await erasureOf('member-of-many');
    if (leaseEndsAt.getTime() <= now) expired.push(work);
  };
  const { transaction } = store;
  vi.spyOn(store, 'transaction').mockImplementation(async (...call: Parameters<typeof transaction>) => {
    await check('a transaction');
    return transaction(...call);
  });
  const { sessions, pushDevices, mqttSessions, userBlocks, keyedWrites } = store.collections;
  for (const typed of [sessions, pushDevices, mqttSessions, userBlocks, keyedWrites] as unknown[]) {
    const collection = typed as Collection<Document>;
    const remove = collection.deleteMany.bind(collection);
    vi.spyOn(collection, 'deleteMany').mockImplementation(async (filter, options) => {
      await check(collection.collectionName);
      return remove(filter, options);
    });
  }
  await finish();
  expect(expired).toEqual([]);
  expect(await erasureOf('member-of-many')).toMatchObject({ state: 'completed' });
});
