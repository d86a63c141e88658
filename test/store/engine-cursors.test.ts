import { type Collection, Long, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngine, type TestEngine } from './engine-support.ts';

interface Item {
  _id: number;
  kind: number;
  rank: number;
  tags: string[];
}

const COUNT = 3000;
let engine: TestEngine;
let client: MongoClient;
let items: Collection<Item>;

beforeAll(async () => {
  engine = await startEngine();
  client = await MongoClient.connect(engine.uri);
  items = client.db('cursors').collection('items');
  await items.createIndexes([
    { key: { kind: 1, rank: -1, _id: 1 }, name: 'kind' },
    { key: { tags: 1 }, name: 'tags' },
  ]);
  await items.insertMany(
    Array.from({ length: COUNT }, (_, _id) => ({
      _id,
      kind: _id % 7,
      rank: (_id * 37) % 101,
      tags: [`t${_id % 3}`, `u${_id % 5}`],
    })),
  );
});
afterAll(async () => {
  await client.close();
  await engine.close();
});

const openCursors = async (): Promise<number> =>
  (await client.db('admin').command({ serverStatus: 1 })).metrics.cursor.open.total;

describe('a cursor', () => {
  it('without awaitData rejects maxTimeMS on getMore, and stays open', async () => {
    const db = client.db('cursors');
    const { cursor } = await db.command({ find: 'items', batchSize: 1, limit: 2 });
    const more = { getMore: cursor.id, collection: 'items' };
    await expect(db.command({ ...more, maxTimeMS: 5 })).rejects.toMatchObject({
      code: 2,
      message: 'cannot set maxTimeMS on getMore command for a non-awaitData cursor',
    });
    expect((await db.command(more)).cursor.nextBatch).toHaveLength(1);
  });

  it.each([1, 2, 31, 32, 33, 1000])('yields everything once in batches of %i', async (batchSize) => {
    const ids = await items
      .find({}, { batchSize, limit: batchSize < 5 ? 120 : COUNT })
      .map(({ _id }) => _id)
      .toArray();
    expect(ids).toEqual(Array.from({ length: ids.length }, (_, i) => i));
    expect(await openCursors()).toBe(0);
  });

  it('merges the ranges of an $in into the requested order, forward and backward', async () => {
    const expected = (direction: 1 | -1): number[] =>
      Array.from({ length: COUNT }, (_, _id) => ({ _id, kind: _id % 7, rank: (_id * 37) % 101 }))
        .filter(({ kind }) => [1, 4, 6].includes(kind))
        .sort((a, b) => direction * (b.rank - a.rank || a._id - b._id))
        .map(({ _id }) => _id);
    for (const direction of [1, -1] as const) {
      const sort = { rank: direction === 1 ? -1 : 1, _id: direction } as const;
      const cursor = items.find({ kind: { $in: [6, 1, 4, 4] } }, { sort, batchSize: 50 });
      expect((await cursor.toArray()).map(({ _id }) => _id)).toEqual(expected(direction));
      const plan = await items.find({ kind: { $in: [6, 1, 4] } }, { sort, limit: 5 }).explain('executionStats');
      expect(plan.queryPlanner.winningPlan.inputStage.stage).toBe('SORT_MERGE');
      expect(plan.executionStats.totalDocsExamined).toBe(5);
    }
  });

  it('yields a document once however many of its array elements match', async () => {
    const found = await items.find({ tags: { $in: ['t0', 'u0', 't1', 'u1'] } }, { batchSize: 100 }).toArray();
    expect(new Set(found.map(({ _id }) => _id)).size).toBe(found.length);
    const expected = Array.from({ length: COUNT }, (_, i) => i).filter((i) => i % 3 < 2 || i % 5 < 2);
    expect(found).toHaveLength(expected.length);
  });

  it('continues during changes: returns no deleted documents and none that no longer match', async () => {
    const own = client.db('cursors').collection<{ _id: number; state: string }>('changing');
    await own.createIndex({ state: 1, _id: 1 });
    await own.insertMany(Array.from({ length: 500 }, (_, _id) => ({ _id, state: 'open' })));
    const cursor = own.find({ state: 'open' }, { sort: { _id: 1 }, batchSize: 10 });
    const seen: number[] = [];
    for await (const { _id } of cursor) {
      seen.push(_id);
      if (_id === 100) {
        await own.deleteMany({ state: 'open', _id: { $gte: 200, $lt: 300 } });
        await own.updateMany({ state: 'open', _id: { $gte: 300, $lt: 400 } }, { $set: { state: 'done' } });
      }
    }
    const expected = Array.from({ length: 500 }, (_, i) => i).filter((i) => i < 200 || i >= 400);
    expect(seen).toEqual(expected);
  });

  it('ends when it is killed or closed, and is rejected when unknown', async () => {
    const cursor = items.find({}, { batchSize: 10 });
    await cursor.next();
    expect(await openCursors()).toBe(1);
    await cursor.close();
    expect(await openCursors()).toBe(0);
    const more = client.db('cursors').command({ getMore: Long.fromNumber(77), collection: 'items' });
    await expect(more).rejects.toMatchObject({ code: 43, codeName: 'CursorNotFound' });
  });

  it('ends with its session', async () => {
    const session = client.startSession();
    await items.find({}, { batchSize: 10, session }).next();
    expect(await openCursors()).toBe(1);
    await client.db('admin').command({ killSessions: [session.id] });
    expect(await openCursors()).toBe(0);
    await session.endSession();
  });

  it('returns at most 16 MiB per batch', async () => {
    const large = client.db('cursors').collection<{ _id: number; text: string }>('large');
    for (let _id = 0; _id < 12; _id++) await large.insertOne({ _id, text: 'x'.repeat(3 * 1024 * 1024) });
    expect((await large.find().toArray()).map(({ _id }) => _id)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it('ends at its time limit', async () => {
    const slow = items.aggregate(
      [
        { $match: { kind: { $gte: 0 } } },
        { $lookup: { from: 'items', localField: 'kind', foreignField: 'kind', as: 'all' } },
        { $count: 'n' },
      ],
      { maxTimeMS: 20 },
    );
    await expect(slow.toArray()).rejects.toMatchObject({ code: 50, codeName: 'MaxTimeMSExpired' });
  });
});

describe('a union of whole documents', () => {
  const page = (kind: number, literal: number, stage: '$replaceWith' | '$replaceRoot', record: unknown) => {
    const object = { page: { $literal: literal }, record, last: { $literal: new Long(literal) } };
    return [
      { $match: { kind } },
      { $sort: { rank: -1, _id: 1 } },
      { $skip: 2 },
      { $limit: 50 },
      stage === '$replaceWith' ? { $replaceWith: object } : { $replaceRoot: { newRoot: object } },
    ];
  };
  const unionOf = (stage: '$replaceWith' | '$replaceRoot', record: unknown) => [
    ...page(1, 0, stage, record),
    { $unionWith: { coll: 'items', pipeline: page(2, 1, stage, record) } },
    { $unionWith: { coll: 'items', pipeline: [{ $match: { kind: 3 } }, { $sort: { rank: -1, _id: 1 } }] } },
    { $unionWith: { coll: 'items', pipeline: [{ $match: { kind: 4 } }, { $group: { _id: '$rank' } }] } },
    { $unionWith: { coll: 'absent', pipeline: page(1, 4, stage, record) } },
    { $unionWith: 'absent' },
  ];

  it.each([['$$ROOT'], [['$$ROOT']], [['$$ROOT', 1]], ['$rank']])(
    'returns the same as of decoded ones, %j',
    async (record) => {
      const [raw, decoded] = await Promise.all(
        (['$replaceWith', '$replaceRoot'] as const).map((stage) => items.aggregate(unionOf(stage, record)).toArray()),
      );
      expect(raw!.length).toBeGreaterThan(500);
      expect(raw).toEqual(decoded);
    },
  );

  it('evaluates operators of whole documents', async () => {
    const replaced = (object: unknown) =>
      items.aggregate([{ $match: { kind: 1 } }, { $limit: 1 }, { $replaceWith: object }]);
    expect(await replaced({ $mergeObjects: '$$ROOT' }).next()).toMatchObject({ kind: 1 });
    expect(await replaced({ $mergeObjects: ['$$ROOT'] }).next()).toMatchObject({ kind: 1 });
    await expect(replaced({ $literal: '$$ROOT' }).next()).rejects.toMatchObject({ code: 40228 });
  });

  it('rejects invalid unions after whole documents', async () => {
    const union = (argument: unknown) =>
      items.aggregate([...page(1, 0, '$replaceWith', '$$ROOT'), { $unionWith: argument }]);
    await expect(union({ coll: 'items', other: 1 }).toArray()).rejects.toMatchObject({ code: 40415 });
    await expect(union({ coll: 'items', pipeline: [{ $none: 1 }] }).toArray()).rejects.toMatchObject({ code: 40324 });
  });
});
