import { once } from 'node:events';
import { type Document, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectRaw, type RawClient } from './raw-client.ts';
import {
  expectOk,
  failureOf,
  newSession,
  openWireStore,
  type SessionId,
  starting,
  TRANSIENT,
  type WireStore,
  within,
} from './wire-support.ts';

let store: WireStore;
let client: MongoClient;
let raw: RawClient;
let db: string;

beforeAll(async () => {
  store = await openWireStore();
  ({ client, raw, db } = store);
});
afterAll(() => store.close());

const run = (command: Document): Promise<Document> => raw.command(db, command);
const admin = (command: Document): Promise<Document> => raw.command('admin', command);
const commit = (session: SessionId, number: number) => admin(within(session, number, { commitTransaction: 1 }));
const abort = (session: SessionId, number: number) => admin(within(session, number, { abortTransaction: 1 }));
const idsIn = async (name: string): Promise<unknown[]> =>
  (await client.db(db).collection(name).find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id);
const collectionNames = async (): Promise<string[]> =>
  (await client.db(db).listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);

describe('a transaction belongs to its session', () => {
  it('continues and commits over another connection when its own was closed', async () => {
    await client.db(db).createCollection('sessions');
    const session = newSession();
    const closing = connectRaw(store.uri);
    expectOk(await closing.command(db, starting(session, 1, { insert: 'sessions', documents: [{ _id: 1 }] })));
    const closed = new Promise((resolve) => closing.socket.once('close', resolve));
    closing.close();
    await closed;
    // The server has noticed that the connection closed.
    await new Promise((later) => setTimeout(later, 100));
    const found = expectOk(await run(within(session, 1, { find: 'sessions' })));
    expect(found.cursor.firstBatch).toHaveLength(1);
    expectOk(await commit(session, 1));
    expect(await idsIn('sessions')).toEqual([1]);
  });

  it('survives a driver that closes idle connections', async () => {
    const closing = await MongoClient.connect(store.uri, { maxIdleTimeMS: 50, maxPoolSize: 1 });
    const documents = closing.db(db).collection<{ _id: number }>('sessions');
    await closing.withSession(async (session) => {
      session.startTransaction();
      await documents.insertOne({ _id: 2 }, { session });
      await once(closing, 'connectionClosed');
      await documents.insertOne({ _id: 3 }, { session });
      await session.commitTransaction();
    });
    await closing.close();
    expect(await idsIn('sessions')).toEqual([1, 2, 3]);
  });

  it('can be committed after endSessions, and not after killSessions', async () => {
    const [ended, killed] = [newSession(), newSession()];
    expectOk(await run(starting(ended, 1, { insert: 'sessions', documents: [{ _id: 4 }] })));
    expectOk(await run(starting(killed, 1, { insert: 'sessions', documents: [{ _id: 5 }] })));
    expectOk(await run({ endSessions: [ended] }));
    expectOk(await run({ killSessions: [killed] }));
    expectOk(await commit(ended, 1));
    expect(failureOf(await commit(killed, 1))).toEqual({ code: 251, ...TRANSIENT });
    expect(await idsIn('sessions')).toEqual([1, 2, 3, 4]);
  });

  it('is committed and aborted only through the database admin', async () => {
    const session = newSession();
    expectOk(await run(starting(session, 1, { find: 'sessions', limit: 1 })));
    expect(failureOf(await run(within(session, 1, { commitTransaction: 1 }))).code).toBe(13);
    expect(failureOf(await run({ abortTransaction: 1 })).code).toBe(13);
    await abort(session, 1);
  });
});

describe('a collection created in a transaction', () => {
  it('is visible only to that transaction, and removed when it aborts', async () => {
    const session = newSession();
    expectOk(await run(starting(session, 1, { insert: 'provisional', documents: [{ _id: 1 }] })));
    const upsert = { q: { _id: 2 }, u: { $set: { n: 1 } }, upsert: true };
    expectOk(await run(within(session, 1, { update: 'provisional', updates: [upsert] })));
    expectOk(await run(within(session, 1, { create: 'provisionalToo' })));
    expect((await run(within(session, 1, { find: 'provisional' }))).cursor.firstBatch).toHaveLength(2);
    expect(await collectionNames()).not.toContain('provisional');
    expect(await idsIn('provisional')).toEqual([]);
    expect(failureOf(await run({ listIndexes: 'provisional' })).code).toBe(26);
    expectOk(await abort(session, 1));
    expect(await collectionNames()).not.toContain('provisional');
    expect(await collectionNames()).not.toContain('provisionalToo');
  });

  it('exists for all clients after the commit, with its indexes', async () => {
    const session = newSession();
    const indexes = [{ key: { n: 1 }, name: 'n_1', unique: true }];
    expectOk(await run(starting(session, 1, { create: 'created' })));
    const created = expectOk(await run(within(session, 1, { createIndexes: 'created', indexes })));
    expect(created).toMatchObject({ createdCollectionAutomatically: true });
    expectOk(await run(within(session, 1, { insert: 'created', documents: [{ _id: 1, n: 1 }] })));
    expectOk(await run(within(session, 1, { find: 'created', filter: { n: 1 }, hint: 'n_1' })));
    expectOk(await commit(session, 1));
    expect(await collectionNames()).toContain('created');
    expect((await client.db(db).collection('created').indexes()).map(({ name }) => name)).toEqual(['_id_', 'n_1']);
    const duplicate = client.db(db).collection('created').insertOne({ n: 1 });
    await expect(duplicate).rejects.toMatchObject({ code: 11000 });
    expect(await client.db(db).command({ validate: 'created' })).toMatchObject({ valid: true });
  });

  it('conflicts at the commit with the same collection created concurrently', async () => {
    const session = newSession();
    expectOk(await run(starting(session, 1, { insert: 'raced', documents: [{ _id: 1 }] })));
    await client.db(db).collection<{ _id: number }>('raced').insertOne({ _id: 2 });
    expect(failureOf(await commit(session, 1))).toEqual({ code: 112, ...TRANSIENT });
    expect(await idsIn('raced')).toEqual([2]);
  });

  it('must not exist before', async () => {
    const session = newSession();
    expect(failureOf(await run(starting(session, 1, { create: 'sessions' }))).code).toBe(48);
  });

  it('is the only kind on which the transaction can create indexes', async () => {
    const indexes = [{ key: { n: 1 }, name: 'n_1' }];
    const session = newSession();
    expect(failureOf(await run(starting(session, 1, { createIndexes: 'sessions', indexes }))).code).toBe(263);
    expectOk(await run(starting(session, 2, { insert: 'late', documents: [{ _id: 1 }] })));
    expect(failureOf(await run(within(session, 2, { createIndexes: 'late', indexes }))).code).toBe(263);
  });
});

describe('a transaction sees the collections as they were when it started', () => {
  it('reads a collection that has been dropped since', async () => {
    await client.db(db).collection<{ _id: number }>('dropped').insertOne({ _id: 1 });
    const session = newSession();
    expectOk(await run(starting(session, 1, { find: 'sessions', limit: 1 })));
    expectOk(await run({ drop: 'dropped' }));
    expect((await run(within(session, 1, { find: 'dropped' }))).cursor.firstBatch).toHaveLength(1);
    expectOk(await commit(session, 1));
    expect(await collectionNames()).not.toContain('dropped');
  });
});
