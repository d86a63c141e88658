import { type Collection, type Document, Double, Int32, Long, MongoClient } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startEngine, type TestEngine } from './engine-support.ts';

let engine: TestEngine;
let client: MongoClient;
let docs: Collection<Document>;
let round = 0;

beforeAll(async () => {
  engine = await startEngine({ ttlSweepMs: 50 });
  client = await MongoClient.connect(engine.uri);
});
afterAll(async () => {
  await client.close();
  await engine.close();
});
beforeEach(() => {
  docs = client.db('indexes').collection(`c${round++}`);
});

/** The stages of the winning plan from the top down, with the index. */
async function planOf(filter: Document, options: Document = {}): Promise<string[]> {
  const { queryPlanner } = await docs.find(filter, options).explain('queryPlanner');
  const stages: string[] = [];
  for (let stage = queryPlanner.winningPlan; stage; stage = stage.inputStage ?? stage.inputStages?.[0]) {
    stages.push(stage.indexName ? `${stage.stage} ${stage.indexName}` : stage.stage);
  }
  return stages;
}

describe('a unique index', () => {
  it('reports the index, the pattern and the value of a duplicate key', async () => {
    await docs.createIndex({ network: 1, 'name.first': -1 }, { unique: true });
    await docs.insertOne({ _id: 1 as never, network: 'n', name: { first: 'x' } });
    await expect(docs.insertOne({ network: 'n', name: { first: 'x' } })).rejects.toMatchObject({
      code: 11000,
      keyPattern: { network: 1, 'name.first': -1 },
      keyValue: { network: 'n', 'name.first': 'x' },
      message: `E11000 duplicate key error collection: ${docs.namespace} index: network_1_name.first_-1 dup key: { network: "n", name.first: "x" }`,
    });
    await docs.insertOne({ network: 'n' });
    await expect(docs.insertOne({ network: 'n', name: { first: null } })).rejects.toMatchObject({ code: 11000 });
    await expect(
      docs.updateOne({ network: 'n', 'name.first': null }, { $set: { 'name.first': 'x' } }),
    ).rejects.toMatchObject({
      code: 11000,
    });
    await docs.replaceOne({ _id: 1 as never }, { network: 'n', name: { first: 'x' }, more: 1 });
  });

  it('applies to numbers of any type and to keys longer than storage keys', async () => {
    await docs.createIndex({ key: 1 }, { unique: true });
    await docs.insertOne({ key: 1 });
    await expect(docs.insertOne({ key: 1.0 })).rejects.toMatchObject({ code: 11000 });
    const long = 'é'.repeat(5000);
    await docs.insertMany([{ key: `${long}a` }, { key: `${long}b` }]);
    await expect(docs.insertOne({ key: `${long}a` })).rejects.toMatchObject({ code: 11000 });
    expect(await docs.countDocuments({ key: `${long}a` })).toBe(1);
    expect(await docs.countDocuments({ key: { $gt: long } })).toBe(2);
    expect((await docs.find({ key: { $gte: long } }, { sort: { key: -1 } }).toArray())[0]?.key).toBe(`${long}b`);
    expect(await client.db('indexes').command({ validate: docs.collectionName })).toMatchObject({ valid: true });
  });

  it('that is sparse or partial allows duplicates of values it does not contain', async () => {
    await docs.createIndex({ a: 1 }, { unique: true, sparse: true });
    await docs.createIndex({ b: 1 }, { unique: true, partialFilterExpression: { live: true } });
    await docs.insertMany([{ b: 1 }, { b: 1 }, { b: 1, live: true }]);
    await expect(docs.insertOne({ b: 1, live: true })).rejects.toMatchObject({ code: 11000 });
    await expect(
      docs.updateMany({ b: 1, live: { $exists: false } }, { $set: { live: true } }, { hint: { _id: 1 } }),
    ).rejects.toMatchObject({ code: 11000 });
    await docs.updateOne({ b: 1, live: true }, { $set: { live: false } });
    await docs.insertOne({ b: 1, live: true });
  });

  it('is not built over duplicates, and a failed build leaves no trace', async () => {
    await docs.insertMany([{ a: 1 }, { a: 1 }]);
    await expect(docs.createIndex({ a: 1 }, { unique: true })).rejects.toMatchObject({ code: 11000 });
    expect((await docs.indexes()).map(({ name }) => name)).toEqual(['_id_']);
    await docs.createIndex({ a: 1 });
    expect(await docs.countDocuments({ a: 1 })).toBe(2);
  });
});

describe('an array', () => {
  it('has an index entry per element; a document with arrays in two fields of an index is rejected', async () => {
    await docs.createIndex({ a: 1, b: 1 });
    await docs.insertOne({ a: [1, 2, 2], b: 1 });
    expect(await docs.countDocuments({ a: 2, b: 1 })).toBe(1);
    await expect(docs.insertOne({ a: [1], b: [2] })).rejects.toMatchObject({ code: 171 });
    // The same array in two fields counts as two arrays.
    await docs.insertOne({ a: 1, b: [2] });
    await expect(docs.updateOne({ a: 1, b: 2 }, [{ $set: { a: '$b' } }])).rejects.toMatchObject({ code: 171 });
    await docs.updateOne({ a: 2 }, { $pull: { a: 2 } } as Document);
    expect(await docs.countDocuments({ a: 2 })).toBe(0);
    expect(await client.db('indexes').command({ validate: docs.collectionName })).toMatchObject({ valid: true });
  });
});

describe('the plan', () => {
  it('prefers the index with most equality fields, then the one in sort order, then the one with a range', async () => {
    await docs.createIndexes([
      { key: { n: 1 }, name: 'n' },
      { key: { n: 1, t: -1, _id: -1 }, name: 'nt' },
      { key: { n: 1, a: 1, t: -1 }, name: 'nat' },
      { key: { u: 1 }, name: 'u', unique: true },
    ]);
    await docs.insertOne({ n: 1 });
    expect(await planOf({ _id: 1 })).toEqual(['IDHACK']);
    expect(await planOf({ _id: 1, n: 1 })).toEqual(['IDHACK']);
    expect(await planOf({ n: 1, u: 1 })).toEqual(['FETCH', 'IXSCAN u']);
    expect(await planOf({ n: 1, a: 1 })).toEqual(['FETCH', 'IXSCAN nat']);
    expect(await planOf({ n: 1 }, { sort: { t: -1 } })).toEqual(['FETCH', 'IXSCAN nt']);
    expect(await planOf({ n: 1 }, { sort: { t: 1, _id: 1 } })).toEqual(['FETCH', 'IXSCAN nt']);
    expect(await planOf({ n: 1, a: 1 }, { sort: { t: 1 } })).toEqual(['FETCH', 'IXSCAN nat']);
    expect(await planOf({ n: 1, t: { $gt: 1 } })).toEqual(['FETCH', 'IXSCAN nt']);
    expect(await planOf({ n: 1 }, { sort: { z: 1 } })).toEqual(['SORT', 'FETCH', 'IXSCAN n']);
    expect(await planOf({ n: 1, $or: [{ t: 1 }, { _id: 1 }] }, { sort: { t: -1, _id: -1 } })).toEqual([
      'FETCH',
      'IXSCAN nt',
    ]);
    expect(await planOf({ $or: [{ n: 1 }, { _id: 1 }] })).toEqual(['FETCH', 'OR', 'IXSCAN n']);
    expect(await planOf({ a: 1 })).toEqual(['COLLSCAN']);
    expect(await planOf({ n: 1 }, { hint: 'nat' })).toEqual(['FETCH', 'IXSCAN nat']);
    expect(await planOf({}, { sort: { n: 1 } })).toEqual(['FETCH', 'IXSCAN n']);
  });

  it('uses a partial index only where the query implies its filter', async () => {
    await docs.createIndex({ a: 1 }, { name: 'part', partialFilterExpression: { b: { $gte: 5 }, live: true } });
    await docs.insertOne({ a: 1 });
    expect(await planOf({ a: 1, b: 7, live: true })).toEqual(['FETCH', 'IXSCAN part']);
    expect(await planOf({ a: 1, b: { $gt: 6 }, live: true })).toEqual(['FETCH', 'IXSCAN part']);
    expect(await planOf({ a: 1, b: { $in: [5, 6] }, live: true })).toEqual(['FETCH', 'IXSCAN part']);
    for (const filter of [{ a: 1 }, { a: 1, b: 4, live: true }, { a: 1, b: { $gt: 4 }, live: true }, { a: 1, b: 7 }]) {
      expect(await planOf(filter)).toEqual(['COLLSCAN']);
    }
  });

  it.each<{ partial: Document; implying: unknown[]; others: unknown[] }>([
    { partial: { $type: 'int' }, implying: [], others: [5, { $in: [5, 6] }] },
    { partial: { $type: 'number' }, implying: [5, { $in: [5, 6] }], others: ['x'] },
    { partial: { $type: 'null' }, implying: [], others: [null] },
    { partial: { $lte: 5 }, implying: [5, { $lt: 4 }], others: [NaN, { $lte: NaN }] },
    { partial: { $gte: NaN }, implying: [NaN], others: [7, { $gt: 7 }] },
    { partial: { $gt: NaN }, implying: [], others: [7, NaN, { $gt: 7 }] },
  ])('uses a partial index on $partial only where all values that the query finds are in it', async (row) => {
    await docs.createIndex({ a: 1 }, { name: 'part', partialFilterExpression: { b: row.partial } });
    const stored = [new Int32(5), new Double(5), Long.fromNumber(5), 7, NaN, null, 'x'];
    await docs.insertMany([{ a: 1 }, ...stored.map((b) => ({ a: 1, b }))]);
    for (const b of row.implying) expect(await planOf({ a: 1, b })).toEqual(['FETCH', 'IXSCAN part']);
    for (const b of row.others) expect(await planOf({ a: 1, b })).toEqual(['COLLSCAN']);
  });

  it('sorts a range of few entries instead of passing over others in sort order', async () => {
    await docs.createIndex({ place: 1, t: 1, _id: 1 });
    await docs.createIndex({ place: 1, until: 1 });
    await docs.insertMany(Array.from({ length: 400 }, (_, i) => ({ place: i % 2, t: i, until: i < 360 ? i : 1_000 })));
    const live = (place: Document) => ({ place, until: { $gt: 500 } });
    const page = { sort: { t: -1, _id: -1 }, limit: 10 } as const;

    const found = docs.find(live({ $eq: 1 }), page);
    expect((await found.toArray()).map(({ t }) => t)).toEqual(Array.from({ length: 10 }, (_, i) => 399 - 2 * i));
    expect((await found.explain('executionStats')).executionStats).toMatchObject({ totalDocsExamined: 20 });
    const union = docs.find(live({ $in: [0, 1] }), page);
    expect((await union.toArray()).map(({ t }) => t)).toEqual(Array.from({ length: 10 }, (_, i) => 399 - i));
    expect((await union.explain('executionStats')).executionStats).toMatchObject({ totalDocsExamined: 40 });

    await docs.updateMany({ place: 1 }, { $set: { until: 1_000 } });
    const many = await docs.find(live({ $eq: 1 }), page).explain('executionStats');
    expect(many.executionStats).toMatchObject({ totalDocsExamined: 10 });
  });

  it('reads no more entries than a page needs', async () => {
    await docs.createIndex({ n: 1, t: -1, _id: -1 });
    await docs.insertMany(Array.from({ length: 500 }, (_, i) => ({ n: i % 2, t: Math.floor(i / 4) })));
    const page = await docs
      .find({ n: 1, t: { $lte: 60 } }, { sort: { t: -1, _id: -1 }, limit: 10 })
      .explain('executionStats');
    expect(page.executionStats).toMatchObject({ nReturned: 10, totalKeysExamined: 10, totalDocsExamined: 10 });
    const point = await docs.find({ _id: (await docs.findOne())!._id }).explain('executionStats');
    expect(point.executionStats).toMatchObject({ nReturned: 1, totalKeysExamined: 1, totalDocsExamined: 1 });
  });
});

describe('an index with an expiry', () => {
  it('removes only documents whose date has passed', async () => {
    await docs.createIndex({ at: 1 }, { expireAfterSeconds: 60 });
    const ago = (seconds: number): Date => new Date(Date.now() - seconds * 1000);
    await docs.insertMany([
      { _id: 'old' as never, at: ago(61) },
      { _id: 'array' as never, at: [ago(1), ago(100)] },
      { _id: 'young' as never, at: ago(30) },
      { _id: 'number' as never, at: 5 },
      { _id: 'none' as never },
    ]);
    await expect.poll(() => docs.countDocuments(), { timeout: 30_000 }).toBe(3);
    expect((await docs.find().toArray()).map(({ _id }) => _id)).toEqual(['young', 'number', 'none']);
    await client
      .db('indexes')
      .command({ collMod: docs.collectionName, index: { keyPattern: { at: 1 }, expireAfterSeconds: 10 } });
    await expect.poll(() => docs.countDocuments(), { timeout: 30_000 }).toBe(2);
  });
});
