import {
  Binary,
  type ClientBulkWriteOptions,
  type ClientSession,
  type Document,
  MongoClient,
  MongoClientBulkWriteError,
} from 'mongodb';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startEngine, type TestEngine } from './engine-support.ts';

/** The command `bulkWrite` of MongoDB 8.0, which writes to several collections. */
let engine: TestEngine;
let client: MongoClient;
beforeAll(async () => {
  engine = await startEngine({ refuseUnindexed: false });
  client = await MongoClient.connect(engine.uri);
});
afterAll(async () => {
  await client.close();
  await engine.close();
});
beforeEach(async () => {
  await client.db('bulk').dropDatabase();
  await client.db('bulk').collection('a').createIndex({ n: 1 }, { unique: true });
});

type Record = Document & { _id: number };
const all = (name: string) => client.db('bulk').collection<Record>(name).find().sort({ _id: 1 }).toArray();
const insert = (name: string, document: Record) => ({ name: 'insertOne', namespace: `bulk.${name}`, document });
/** Ids are numbers here. */
const bulkWrite = (models: Document[], options: ClientBulkWriteOptions & { session?: ClientSession } = {}) =>
  client.bulkWrite(models as never, options);
const send = (command: Document) => client.db('admin').command({ bulkWrite: 1, ...command });

it('inserts, updates and deletes in several collections, in order', async () => {
  const result = await bulkWrite(
    [
      insert('a', { _id: 1, n: 1, tags: ['x', 'y'] }),
      insert('b', { _id: 1, n: 1 }),
      insert('b', { _id: 2, n: 2 }),
      { name: 'updateOne', namespace: 'bulk.a', filter: { _id: 1 }, update: { $inc: { n: 4 } } },
      {
        name: 'updateOne',
        namespace: 'bulk.a',
        filter: { _id: 1 },
        update: { $set: { 'tags.$[tag]': 'z' } },
        arrayFilters: [{ tag: 'y' }],
      },
      { name: 'updateMany', namespace: 'bulk.b', filter: {}, update: { $set: { seen: true } } },
      { name: 'updateOne', namespace: 'bulk.a', filter: { _id: 7 }, update: { $set: { n: 7 } }, upsert: true },
      { name: 'replaceOne', namespace: 'bulk.b', filter: { _id: 2 }, replacement: { n: 9 } },
      { name: 'deleteOne', namespace: 'bulk.b', filter: { _id: 1 } },
      { name: 'updateOne', namespace: 'bulk.a', filter: { _id: 99 }, update: { $set: { n: 0 } } },
    ],
    { verboseResults: true },
  );
  expect(result).toMatchObject({
    insertedCount: 3,
    matchedCount: 5,
    modifiedCount: 5,
    upsertedCount: 1,
    deletedCount: 1,
  });
  expect(result.updateResults!.get(6)).toEqual({ matchedCount: 1, modifiedCount: 0, didUpsert: true, upsertedId: 7 });
  expect(result.updateResults!.get(9)).toMatchObject({ matchedCount: 0, didUpsert: false });
  expect(await all('a')).toEqual([
    { _id: 1, n: 5, tags: ['x', 'z'] },
    { _id: 7, n: 7 },
  ]);
  expect(await all('b')).toEqual([{ _id: 2, n: 9 }]);
});

it('reports the operation that failed, and executes the later ones only if unordered', async () => {
  const models = [insert('a', { _id: 1, n: 1 }), insert('a', { _id: 2, n: 1 }), insert('b', { _id: 3 })];
  const ordered = await bulkWrite(models).catch((error: unknown) => error);
  expect(ordered).toBeInstanceOf(MongoClientBulkWriteError);
  expect([...(ordered as MongoClientBulkWriteError).writeErrors]).toMatchObject([[1, { code: 11_000 }]]);
  expect(await all('b')).toEqual([]);

  await client.db('bulk').collection('a').deleteMany({});
  const unordered = await bulkWrite(models, { ordered: false }).catch((error: unknown) => error);
  expect([...(unordered as MongoClientBulkWriteError).writeErrors.keys()]).toEqual([1]);
  expect((unordered as MongoClientBulkWriteError).partialResult).toMatchObject({ insertedCount: 2 });
  expect(await all('b')).toEqual([{ _id: 3 }]);
});

it('starts a transaction, and aborts it if an operation fails', async () => {
  await client.withSession(async (session) => {
    session.startTransaction();
    await bulkWrite([insert('a', { _id: 1, n: 1 }), insert('b', { _id: 1 })], { session });
    expect(await all('a')).toEqual([]);
    await session.commitTransaction();
    expect(await all('a')).toHaveLength(1);

    session.startTransaction();
    const models = [insert('b', { _id: 2 }), insert('a', { _id: 2, n: 1 })];
    await expect(bulkWrite(models, { session })).rejects.toBeInstanceOf(MongoClientBulkWriteError);
    await expect(session.commitTransaction()).rejects.toMatchObject({ code: 251 });
    expect(await all('b')).toEqual([{ _id: 1 }]);
  });
});

it('conflicts with a transaction that changed the same record', async () => {
  await client.db('bulk').collection<Record>('a').insertOne({ _id: 1, n: 1 });
  const update = { name: 'updateOne', namespace: 'bulk.a', filter: { _id: 1 }, update: { $inc: { n: 1 } } };
  await client.withSession((one) =>
    client.withSession(async (other) => {
      one.startTransaction();
      other.startTransaction();
      await bulkWrite([update], { session: one });
      const refused = await bulkWrite([update], { session: other }).catch((error: unknown) => error as Error);
      expect((refused as Error).cause).toMatchObject({ code: 112, errorLabels: ['TransientTransactionError'] });
      await one.commitTransaction();
    }),
  );
  expect(await all('a')).toEqual([{ _id: 1, n: 2 }]);
});

it('does not conflict with an update that sets equal values, and so changes nothing', async () => {
  await client
    .db('bulk')
    .collection<Record>('a')
    .insertOne({ _id: 1, n: 1, roles: ['member', 'moderator'] });
  const change = (filter: Document, update: Document) => [{ name: 'updateOne', namespace: 'bulk.a', filter, update }];
  const equal = { roles: ['member', 'moderator'] };
  await client.withSession((one) =>
    client.withSession(async (other) => {
      one.startTransaction();
      other.startTransaction();
      const { matchedCount, modifiedCount } = await bulkWrite(change(equal, { $set: equal }), { session: one });
      expect([matchedCount, modifiedCount]).toEqual([1, 0]);
      await bulkWrite(change({ _id: 1 }, { $inc: { n: 1 } }), { session: other });
      await other.commitTransaction();
      await one.commitTransaction();
    }),
  );
  expect(await all('a')).toMatchObject([{ n: 2 }]);
});

it('returns the first results to a repeated command', async () => {
  // Its sessions are new: the test numbers their commands itself.
  const own = await MongoClient.connect(engine.uri);
  const command = {
    bulkWrite: 1,
    ops: [
      { insert: 0, document: { _id: 1, n: 1 } },
      { update: 0, filter: { _id: 1 }, updateMods: { $inc: { n: 1 } }, multi: false },
    ],
    nsInfo: [{ ns: 'bulk.a' }],
    txnNumber: 1n,
  };
  await own.withSession(async (session) => {
    const first = await own.db('admin').command(command, { session });
    const second = await own.db('admin').command(command, { session });
    expect(second.cursor).toEqual(first.cursor);
    expect(second.retriedStmtIds).toEqual([0, 1]);
  });
  await own.close();
  expect(await all('a')).toEqual([{ _id: 1, n: 2 }]);
});

it('answers with one item for each operation, or only with errors', async () => {
  const ops = [
    { insert: 0, document: { _id: 1, n: 1 } },
    { delete: 1, filter: { _id: 5 }, multi: true },
  ];
  const nsInfo = [{ ns: 'bulk.a' }, { ns: 'bulk.b' }];
  expect(await send({ ops, nsInfo })).toMatchObject({
    cursor: {
      id: 0,
      firstBatch: [
        { ok: 1, idx: 0, n: 1 },
        { ok: 1, idx: 1, n: 0 },
      ],
      ns: 'admin.$cmd.bulkWrite',
    },
    ...{ nErrors: 0, nInserted: 1, nMatched: 0, nModified: 0, nUpserted: 0, nDeleted: 0 },
  });
  const { cursor, nErrors } = await send({ ops, nsInfo, errorsOnly: true, ordered: false });
  expect(cursor.firstBatch).toMatchObject([{ ok: 0, idx: 0, code: 11_000, keyPattern: { _id: 1 }, n: 0 }]);
  expect(nErrors).toBe(1);
});

it('stores a large document unchanged between other operations', async () => {
  const data = new Binary(Buffer.alloc(3 * 1024 * 1024, 'large '));
  await bulkWrite([
    insert('b', { _id: 1 }),
    insert('b', { _id: 2, data }),
    insert('b', { _id: 3, data }),
    insert('b', { _id: 4 }),
  ]);
  const stored = await all('b');
  expect(stored.map(({ _id, data: kept }) => [_id, kept?.length() ?? 0])).toEqual([
    [1, 0],
    [2, data.length()],
    [3, data.length()],
    [4, 0],
  ]);
  expect(stored[1]!.data.buffer.equals(data.buffer)).toBe(true);
});

it.each([
  ['another database', { $db: 'bulk' }, 13],
  ['no operation', { ops: [] }, 16],
  ['namespaces that are no array', { nsInfo: 5 }, 14],
  ['an unknown namespace', { ops: [{ insert: 3, document: {} }] }, 2],
  ['a namespace without a collection', { nsInfo: [{ ns: 'bulk' }] }, 73],
  ['a namespace that is no text', { nsInfo: [{ ns: 5 }] }, 14],
  ['an operation of no kind', { ops: [{ document: {} }] }, 2],
  ['an operation of two kinds', { ops: [{ insert: 0, delete: 0, document: {}, filter: {} }] }, 40_415],
  ['an insert without a document', { ops: [{ insert: 0 }] }, 40_414],
  ['an insert of a number', { ops: [{ insert: 0, document: 5 }] }, 40_414],
  ['an update without changes', { ops: [{ update: 0, filter: {} }] }, 40_414],
  ['a delete with a document', { ops: [{ delete: 0, filter: {}, document: {} }] }, 40_415],
  ['an unknown option', { ops: [{ delete: 0, filter: {}, fast: true }] }, 40_415],
  ['a collation', { ops: [{ delete: 0, filter: {}, collation: { locale: 'en' } }] }, 115],
  ['operations that are no array', { ops: 5 }, 14],
])('refuses %s', async (_, change, code) => {
  const { $db = 'admin', ...command } = {
    ops: [{ insert: 0, document: { _id: 1 } }],
    nsInfo: [{ ns: 'bulk.b' }],
    ...change,
  } as Document;
  await expect(client.db($db).command({ bulkWrite: 1, ...command })).rejects.toMatchObject({ code });
  expect(await all('b')).toEqual([]);
});
