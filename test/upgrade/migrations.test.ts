import { type Db, MongoClient, ObjectId } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { postRecord } from '../../src/sample/builders/content.ts';
import { userRecord } from '../../src/sample/builders/user.ts';
import { createSampleContext } from '../../src/sample/context.ts';
import { LockLost, type MigrationState, takeLock } from '../../src/store/migrations/lock.ts';
import type { Migration } from '../../src/store/migrations/migration.ts';
import { MIGRATIONS_COLLECTION, migrate, NewerDataError } from '../../src/store/migrations/run.ts';
import type { SearchEntryRecord } from '../../src/store/records/search.ts';
import { entriesOf } from '../../src/store/search/entries.ts';
import { freshDatabaseName, openTestStore, type TestStore } from '../support/store.ts';
import { type Counted, countUp } from './count-up.ts';
import { killMigration } from './kill-migration.ts';

let store: TestStore;
let client: MongoClient;
let db: Db;
beforeAll(async () => {
  // The locks of a killed process are released when the lifetime of its transaction is over.
  store = await openTestStore({ transactionLifetimeMs: 2_000 });
  client = await MongoClient.connect(store.uri);
});
beforeEach(() => {
  db = client.db(freshDatabaseName());
});
afterAll(async () => {
  await client.close();
  await store.close();
});

const schema = () => db.collection<MigrationState>(MIGRATIONS_COLLECTION).findOne({ _id: 'schema' });
const schemaVersion = async (): Promise<number | undefined> => (await schema())?.version;

/** Data as the first release left it: without a recorded version. */
async function fillAsFirstRelease(count: number): Promise<void> {
  await db.collection('networks').insertOne({ networkId: 'default' });
  const records = Array.from({ length: count }, () => ({ _id: new ObjectId(), n: 0 }));
  await db.collection<Counted>('counted').insertMany(records);
}

const countsOf = async (): Promise<Record<number, number>> => {
  const counts: Record<number, number> = {};
  for (const { n } of await db.collection<Counted>('counted').find().hint('_id_').toArray()) {
    counts[n] = (counts[n] ?? 0) + 1;
  }
  return counts;
};

describe('migrations', () => {
  it('do not run on an empty database, which gets the latest version', async () => {
    await migrate({ client, db, migrations: [countUp({ version: 2 })] });
    expect(await schemaVersion()).toBe(2);
    expect(await countsOf()).toEqual({});
  });

  it('process each record of the first release once, and do not run again', async () => {
    await fillAsFirstRelease(1234);
    const messages: string[] = [];
    const migrations = [countUp({ version: 2 }), countUp({ version: 3, batch: 617 })];
    await migrate({ client, db, migrations, onProgress: (message) => messages.push(message) });
    expect(await countsOf()).toEqual({ 2: 1234 });
    expect(messages).toEqual(['Migration 2: count up.', 'Migration 3: count up.']);
    await migrate({ client, db, migrations });
    expect(await countsOf()).toEqual({ 2: 1234 });
    expect(await schemaVersion()).toBe(3);
  });

  it('reject data of a later release and change nothing', async () => {
    await fillAsFirstRelease(3);
    await migrate({ client, db, migrations: [countUp({ version: 2 })] });
    await expect(migrate({ client, db, migrations: [] })).rejects.toThrow(NewerDataError);
    expect(await schemaVersion()).toBe(2);
  });

  it('keep the data usable for releases from the version that a compatible one names', async () => {
    await fillAsFirstRelease(3);
    const older = [countUp({ version: 2 })];
    const compatible: Migration = { ...countUp({ version: 3 }), compatibleFrom: 2 };
    await migrate({ client, db, migrations: [...older, compatible] });
    await migrate({ client, db, migrations: older });
    expect(await schema()).toMatchObject({ version: 3, compatibleFrom: 2 });
    expect(await countsOf()).toEqual({ 2: 3 });
    await expect(migrate({ client, db, migrations: [] })).rejects.toThrow(NewerDataError);
    // A compatible one after one that is not does not bring earlier releases back.
    const last: Migration = { ...countUp({ version: 5 }), compatibleFrom: 2 };
    await migrate({ client, db, migrations: [...older, compatible, countUp({ version: 4 }), last] });
    expect(await schema()).toMatchObject({ version: 5, compatibleFrom: 4 });
    await expect(migrate({ client, db, migrations: [...older, compatible] })).rejects.toThrow(NewerDataError);
  });

  it('exclude earlier releases before the first batch of one that is not compatible', async () => {
    await fillAsFirstRelease(3);
    const older = [countUp({ version: 2 })];
    await migrate({ client, db, migrations: older });
    const run = async () => {
      throw new Error('disk failure');
    };
    const newer = [...older, { ...countUp({ version: 3 }), run }];
    await expect(migrate({ client, db, migrations: newer })).rejects.toThrow('disk failure');
    expect(await schema()).toMatchObject({ version: 2, compatibleFrom: 3 });
    await expect(migrate({ client, db, migrations: older })).rejects.toThrow('The data has version 3');
    await migrate({ client, db, migrations: [...older, countUp({ version: 3 })] });
    expect(await countsOf()).toEqual({ 2: 3 });
  });

  it('continue with the batch that failed', async () => {
    await fillAsFirstRelease(1000);
    let batches = 0;
    const broken: Migration = {
      ...countUp({ version: 2, batch: 100 }),
      async run(step) {
        batches += 1;
        const next = await countUp({ version: 2, batch: 100 }).run(step);
        if (batches === 4) throw new Error('disk failure');
        return next;
      },
    };
    await expect(migrate({ client, db, migrations: [broken] })).rejects.toThrow('disk failure');
    expect(await countsOf()).toEqual({ 0: 700, 1: 300 });
    await migrate({ client, db, migrations: [broken] });
    expect(await countsOf()).toEqual({ 1: 1000 });
  });

  it('run once when many processes start concurrently', async () => {
    await fillAsFirstRelease(600);
    const messages: string[] = [];
    const start = () =>
      migrate({
        client,
        db,
        migrations: [countUp({ version: 2, batch: 50 })],
        onProgress: (message) => messages.push(message),
        pollMs: 20,
      });
    await Promise.all(Array.from({ length: 6 }, start));
    expect(await countsOf()).toEqual({ 1: 600 });
    expect(messages.filter((message) => message.startsWith('Migration 2'))).toHaveLength(1);
    expect(await schemaVersion()).toBe(2);
  });

  it('cannot be committed by a process that has lost its lock', async () => {
    const states = db.collection<MigrationState>(MIGRATIONS_COLLECTION);
    const first = await takeLock(states, 60_000);
    expect(await takeLock(states, 60_000)).toBeUndefined();
    // The first process is suspended, and its lease expires.
    await states.updateOne({ _id: 'lock' }, { $set: { until: new Date(0) } });
    const second = await takeLock(states, 60_000);
    await expect(
      client.withSession((session) => session.withTransaction(() => first!.assertHeld(session))),
    ).rejects.toThrow(LockLost);
    await first!.release();
    await client.withSession((session) => session.withTransaction(() => second!.assertHeld(session)));
    await second!.release();
  });

  it('process every record once even if their process is killed repeatedly', async () => {
    await fillAsFirstRelease(2000);
    // The lifetime of a transaction on a MongoDB server is a minute by default.
    await killMigration({
      uri: store.uri,
      databaseName: db.databaseName,
      migration: 'countUp',
      kills: process.env.MONGODB_URI ? 2 : 6,
    });
    expect(await countsOf()).toEqual({ 1: 2000 });
  });

  it('index every record for search even if their process is killed', async () => {
    const context = createSampleContext({ networkId: 'default', now: new Date() });
    await db.collection('networks').insertOne({ networkId: 'default' });
    const posts = Array.from({ length: 900 }, (_, index) =>
      postRecord(context, {
        ...{ postId: `post-${index}`, postedUserId: 'alice', targetType: 'user', targetId: 'alice' },
        data: { text: `Word${index} of many` },
        isDeleted: index % 10 === 0,
      }),
    );
    const users = ['alice', 'bob'].map((userId) => userRecord(context, { userId, displayName: `The ${userId}` }));
    await db.collection('posts').insertMany(posts);
    await db.collection('users').insertMany(users);
    await killMigration({ uri: store.uri, databaseName: db.databaseName, migration: 'searchEntries', kills: 2 });
    const stored = await db.collection<SearchEntryRecord>('searchEntries').find().hint('_id_').toArray();
    const expected = [...entriesOf('posts', posts), ...entriesOf('users', users)];
    const byId = ({ _id }: SearchEntryRecord, other: SearchEntryRecord) => (String(_id) < String(other._id) ? -1 : 1);
    expect(stored.sort(byId)).toEqual(expected.sort(byId));
  });
});
