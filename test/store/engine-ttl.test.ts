import { type Collection, type Document, Long, MongoClient, Timestamp } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startEngine, type TestEngine } from './engine-support.ts';

type Row = Document & { _id: string | number };

const SWEEP_MS = 50;

let engine: TestEngine;
let client: MongoClient;
let rows: Collection<Row>;
let round = 0;

beforeAll(async () => {
  engine = await startEngine({ ttlSweepMs: SWEEP_MS, refuseUnindexed: false });
  client = await MongoClient.connect(engine.uri);
});
afterAll(async () => {
  await client.close();
  await engine.close();
});
beforeEach(() => {
  rows = client.db('ttl').collection<Row>(`c${round++}`);
});

const ago = (seconds: number): Date => new Date(Date.now() - seconds * 1000);
const ids = async (): Promise<unknown[]> => (await rows.find({}, { sort: { _id: 1 } }).toArray()).map(({ _id }) => _id);
const waitFor = (left: unknown[]): Promise<void> => expect.poll(ids, { timeout: 30_000 }).toEqual(left);
/** Time for several sweeps, to see that nothing else is removed. */
const rest = (): Promise<void> => new Promise((done) => setTimeout(done, 6 * SWEEP_MS));

describe('a TTL index', () => {
  it('removes documents with an old enough date, also in an array, as MongoDB 7.0 does', async () => {
    await rows.createIndex({ at: 1 }, { expireAfterSeconds: 3600 });
    await rows.createIndex({ p: -1 }, { expireAfterSeconds: 0, partialFilterExpression: { live: false } });
    await rows.insertMany([
      { _id: 'array', at: [ago(100), ago(4000)] },
      { _id: 'array of others', at: ['x', 5] },
      { _id: 'array, mixed', at: ['x', 5, ago(4000)] },
      { _id: 'before all time', at: new Date(-1e15) },
      { _id: 'empty array', at: [] },
      { _id: 'nested array', at: [[ago(4000)]] },
      { _id: 'nothing' },
      { _id: 'null', at: null },
      { _id: 'number', at: 5 },
      { _id: 'object', at: { at: ago(4000) } },
      { _id: 'old', at: ago(3700) },
      { _id: 'partial', p: ago(5), live: false },
      { _id: 'partial, not in it', p: ago(5), live: true },
      { _id: 'partial, yet to come', p: ago(-1000), live: false },
      { _id: 'timestamp', at: new Timestamp({ t: 1, i: 1 }) },
      { _id: 'young', at: ago(100) },
    ]);
    const left = [
      'array of others',
      'empty array',
      'nested array',
      'nothing',
      'null',
      'number',
      'object',
      'partial, not in it',
      'partial, yet to come',
      'timestamp',
      'young',
    ];
    await waitFor(left);
    await rest();
    expect(await ids()).toEqual(left);
    expect(await client.db('ttl').command({ validate: rows.collectionName })).toMatchObject({ valid: true });
  });

  it('uses the current date of a document', async () => {
    await rows.createIndex({ at: 1 }, { expireAfterSeconds: 1 });
    await rows.insertMany([
      { _id: 1, at: ago(-100) },
      { _id: 2, at: ago(-100) },
    ]);
    await rows.updateOne({ _id: 1 }, { $set: { at: ago(2) } });
    await waitFor([2]);
  });

  it('never removes a document with the largest possible expiry', async () => {
    await rows.createIndex({ at: 1 }, { expireAfterSeconds: 2_147_483_647 });
    await rows.insertOne({ _id: 1, at: ago(1000) });
    await rest();
    expect(await ids()).toEqual([1]);
  });

  it('waits for a transaction that has written to an expired document, without delaying other commands', async () => {
    await rows.createIndex({ at: 1 }, { expireAfterSeconds: 10 });
    const [first, last] = [{ _id: 'first' }, { _id: 'last' }];
    await rows.insertMany([first, last, { _id: 'other', at: ago(20) }].map((row) => ({ at: ago(-100), ...row })));
    await waitFor(['first', 'last']);
    const session = client.startSession();
    session.startTransaction();
    await rows.updateOne(first, { $set: { at: ago(30) } }, { session });
    await rows.updateOne(last, { $set: { at: ago(20), more: 1 } });
    await waitFor(['first']);
    await rows.insertMany(Array.from({ length: 50 }, (_, i) => ({ _id: i, at: ago(25) })));
    await waitFor(['first']);
    await session.commitTransaction();
    await waitFor([]);
    await session.endSession();
  });

  it('continues after a locked document that takes longer to read than a step', async () => {
    await rows.createIndex({ at: 1 }, { expireAfterSeconds: 1000 });
    await rows.insertOne({ _id: 'large', at: ago(200), numbers: Array.from({ length: 90_000 }, (_, i) => i) });
    await rows.insertOne({ _id: 'next', at: ago(100) });
    const session = client.startSession();
    session.startTransaction();
    await rows.updateOne({ _id: 'large' }, { $set: { more: 1 } }, { session });
    await client.db('ttl').command({
      collMod: rows.collectionName,
      index: { name: 'at_1', expireAfterSeconds: 10 },
    });
    await waitFor(['large']);
    await session.abortTransaction();
    await waitFor([]);
    await session.endSession();
  });
});

describe('many expired documents', () => {
  it('are removed in small steps, between which others write', async () => {
    const count = 8000;
    for (let from = 0; from < count; from += 4000) {
      await rows.insertMany(
        Array.from({ length: 4000 }, (_, i) => ({ _id: from + i, at: ago(100), text: 'x'.repeat(50) })),
      );
    }
    await rows.createIndex({ text: 1 });
    await rows.createIndex({ at: 1 }, { expireAfterSeconds: 10 });
    const seen: number[] = [];
    for (let left = count; left > 0; left = await rows.countDocuments({ at: { $lt: new Date() } })) {
      await rows.insertOne({ _id: `w${seen.length}` });
      seen.push(left);
    }
    expect(new Set(seen).size).toBeGreaterThan(5);
    expect(await rows.countDocuments()).toBe(seen.length);
    expect(await client.db('ttl').command({ validate: rows.collectionName })).toMatchObject({ valid: true });
  });
});

describe('collMod', () => {
  const change = (index: Document): Promise<Document> =>
    client.db('ttl').command({ collMod: rows.collectionName, index });

  it('changes the expiry, or adds one to an index of one field', async () => {
    await rows.createIndexes([{ key: { at: 1 }, expireAfterSeconds: 100 }, { key: { b: 1 } }]);
    await rows.insertMany([
      { _id: 'at', at: ago(50) },
      { _id: 'b', b: ago(50) },
    ]);
    await rest();
    expect(await change({ keyPattern: { at: 1 }, expireAfterSeconds: 10 })).toMatchObject({
      expireAfterSeconds_old: 100,
      expireAfterSeconds_new: 10,
    });
    await waitFor(['b']);
    expect(await change({ name: 'b_1', expireAfterSeconds: Long.fromNumber(10) })).toEqual(
      expect.not.objectContaining({ expireAfterSeconds_old: expect.anything() }),
    );
    await waitFor([]);
    const changed = (await rows.indexes()).map(({ expireAfterSeconds }) => expireAfterSeconds);
    expect(changed).toEqual([undefined, 10, 10]);
  });

  it('accepts whole seconds up to the largest possible value', async () => {
    await rows.createIndex({ at: 1 }, { expireAfterSeconds: 1.5 });
    expect((await rows.indexes())[1]).toMatchObject({ expireAfterSeconds: 1 });
    expect(await change({ name: 'at_1', expireAfterSeconds: 7.9 })).toMatchObject({ expireAfterSeconds_new: 7 });
    expect(await change({ name: 'at_1', expireAfterSeconds: 2 ** 31 })).toMatchObject({
      expireAfterSeconds_new: 2 ** 31 - 1,
    });
  });

  it.each([
    [{ name: 'at_1', expireAfterSeconds: -1 }, 72],
    [{ name: 'at_1', expireAfterSeconds: Number.NaN }, 72],
    [{ name: 'at_1', expireAfterSeconds: '5' }, 14],
    [{ name: 'at_1' }, 72],
    [{ name: 'at_1', keyPattern: { at: 1 }, expireAfterSeconds: 5 }, 72],
    [{ expireAfterSeconds: 5 }, 72],
    [{ name: '_id_', expireAfterSeconds: 5 }, 72],
    [{ name: 'c_1_d_1', expireAfterSeconds: 5 }, 72],
    [{ name: 'none', expireAfterSeconds: 5 }, 27],
    [{ name: 'at_1', foo: 1 }, 40415],
    [{ name: 'at_1', hidden: true }, 40415],
  ])('rejects %j with error %i', async (index, code) => {
    await rows.createIndexes([{ key: { at: 1 }, expireAfterSeconds: 5 }, { key: { c: 1, d: 1 } }]);
    await expect(change(index)).rejects.toMatchObject({ code });
    expect((await rows.indexes()).map(({ expireAfterSeconds }) => expireAfterSeconds)).toEqual([
      undefined,
      5,
      undefined,
    ]);
  });
});
