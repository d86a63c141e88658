import { afterAll, beforeAll, expect, test } from 'vitest';
import { userRecord } from '../../src/sample/builders/user.ts';
import { createSampleContext } from '../../src/sample/context.ts';
import { createFind, type Find } from '../../src/store/find.ts';
import { openTestStore, type TestStore } from '../support/store.ts';

const networkId = 'find';
const context = createSampleContext({ networkId, now: new Date(0) });

let store: TestStore;
let find: Find;
beforeAll(async () => {
  store = await openTestStore();
  find = createFind(store.db);
});
afterAll(() => store.close());

const read = async (userId: string) => (await find('users', { networkId, userId }))[0];

test('find returns the same record as the driver', async () => {
  const user = userRecord(context, {
    userId: 'ann',
    displayName: 'Ann',
    metadata: { deep: [{ list: [1, 2.5, null] }] },
  });
  await store.collections.users.insertOne(user);
  expect(await read('ann')).toEqual(await store.collections.users.findOne({ networkId, userId: 'ann' }));
  expect(await read('nobody')).toBeUndefined();
});

test('the next read sees a change, and an unchanged record is the same object', async () => {
  await store.collections.users.insertOne(userRecord(context, { userId: 'bea', displayName: 'Bea' }));
  const before = await read('bea');
  expect(await read('bea')).toBe(before);
  await store.collections.users.updateOne({ networkId, userId: 'bea' }, { $set: { displayName: 'Zoe' } });
  expect((await read('bea'))?.displayName).toBe('Zoe');
  expect(before?.displayName).toBe('Bea');
  await store.collections.users.deleteOne({ networkId, userId: 'bea' });
  expect(await read('bea')).toBeUndefined();
});

test('shared records cannot be changed', async () => {
  await store.collections.users.insertOne(
    userRecord(context, { userId: 'cay', displayName: 'Cay', roles: ['moderator'] }),
  );
  const record = (await read('cay'))!;
  expect(() => Object.assign(record, { displayName: 'Eve' })).toThrow(TypeError);
  expect(() => record.roles.push('global-admin')).toThrow(TypeError);
  expect(() => Object.assign(record.feeds[0]!, { postCount: 9 })).toThrow(TypeError);
});

test('find returns more records than fit in one reply', async () => {
  const description = 'x'.repeat(2_000_000);
  for (let index = 0; index < 10; index++) {
    const many = { userId: `many-${index}`, displayName: 'Many', description };
    await store.collections.users.insertOne(userRecord(context, many));
  }
  const found = await find('users', {
    networkId,
    userId: { $in: Array.from({ length: 10 }, (_, index) => `many-${index}`) },
  });
  expect(found.map((user) => user.userId).sort()).toEqual(Array.from({ length: 10 }, (_, index) => `many-${index}`));
});
