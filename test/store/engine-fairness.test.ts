import { BSONRegExp, type Collection, type Document, MongoClient } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startEngine, type TestEngine } from './engine-support.ts';
import { connectRaw, type RawClient } from './raw-client.ts';

/** Enough documents that reading or writing all of them takes many time slices. */
const COUNT = 10_000;
const DB = 'fairness';
const ITEMS = 'items';

let engine: TestEngine;
let client: MongoClient;
let items: Collection<Document>;
/** One connection for the command under test, one for the pings. */
let worker: RawClient;
let pinger: RawClient;

const itemOf = (_id: number): Document => ({
  _id,
  text: 'lorem ipsum '.repeat(10),
  rank: (_id * 37) % 1001,
  tags: [_id % 7, _id % 11, _id % 13],
});
const ALL = Array.from({ length: COUNT }, (_, i) => itemOf(i));

beforeAll(async () => {
  engine = await startEngine({ refuseUnindexed: false });
  client = await MongoClient.connect(engine.uri);
  items = client.db(DB).collection(ITEMS);
  await items.insertMany(ALL);
  worker = connectRaw(engine.uri);
  pinger = connectRaw(engine.uri);
});
afterAll(async () => {
  worker.close();
  pinger.close();
  await client.close();
  await engine.close();
});

const ids = (documents: Document[]): unknown[] => documents.map(({ _id }) => _id);

/** Returns the reply to a command, and the number of pings answered on another connection before it. */
const pingsDuring = (command: Document) => runWithPings(() => worker.command(DB, command));

async function runWithPings<Reply>(run: () => Promise<Reply>): Promise<{ reply: Reply; pings: number }> {
  let isAnswered = false;
  const running = run().finally(() => {
    isAnswered = true;
  });
  let pings = 0;
  while (!isAnswered) {
    await pinger.command('admin', { ping: 1 });
    if (!isAnswered) pings++;
  }
  return { reply: await running, pings };
}

/** Matches nothing, and is slow to evaluate. */
const RARE = { text: { $regex: 'm ([a-z]+ )*z{3}$' } };
const pipeline = (...stages: Document[]): Document => ({ aggregate: ITEMS, pipeline: stages, cursor: {} });
const SEARCH = { q: RARE, u: { $inc: { n: 1 } } };

const COMMANDS: Record<string, Document> = {
  'an insert of many documents': { insert: 'inserted', documents: ALL },
  'an unordered insert of many documents': { insert: 'inserted', documents: ALL, ordered: false },
  'an update of many documents': { update: ITEMS, updates: [{ q: {}, u: { $inc: { n: 1 } }, multi: true }] },
  'many updates': {
    update: ITEMS,
    updates: Array.from({ length: COUNT }, (_, i) => ({ q: { _id: i }, u: { $inc: { n: 1 } } })),
  },
  'many deletions': { delete: ITEMS, deletes: Array.from({ length: COUNT }, (_, i) => ({ q: { _id: -i }, limit: 1 })) },
  'an update of one document after a slow search': { update: ITEMS, updates: [SEARCH] },
  'an update of many documents after a slow search': { update: ITEMS, updates: [{ ...SEARCH, multi: true }] },
  'a deletion of one document after a slow search': { delete: ITEMS, deletes: [{ q: RARE, limit: 1 }] },
  'a deletion of many documents after a slow search': { delete: ITEMS, deletes: [{ q: RARE, limit: 0 }] },
  'findAndModify after a slow search': { findAndModify: ITEMS, query: RARE, update: { $inc: { n: 1 } } },
  'findAndModify with a sort': {
    findAndModify: ITEMS,
    query: {},
    sort: { text: 1, rank: 1 },
    update: { $inc: { n: 1 } },
  },
  'a find without an index': { find: ITEMS, filter: RARE },
  'a find with a sort': { find: ITEMS, sort: { rank: 1, text: -1 }, batchSize: 1 },
  'a count': { count: ITEMS, query: RARE },
  'a distinct': { distinct: ITEMS, key: 'text' },
  $group: pipeline({ $group: { _id: '$_id', tags: { $push: '$tags' }, all: { $addToSet: '$rank' } } }),
  '$group on few keys': pipeline({ $group: { _id: { $mod: ['$_id', 3] }, total: { $sum: '$rank' } } }, { $limit: 1 }),
  $sort: pipeline({ $addFields: { x: { $mod: ['$rank', 7] } } }, { $sort: { x: 1, text: -1 } }, { $limit: 1 }),
  $unwind: pipeline({ $unwind: '$tags' }, { $unwind: '$tags' }, { $match: { tags: 99 } }),
  $lookup: pipeline(
    { $lookup: { from: ITEMS, localField: '_id', foreignField: '_id', as: 'x' } },
    { $match: { x: 1 } },
  ),
  '$lookup without an index': pipeline(
    { $limit: 3 },
    {
      $lookup: {
        from: ITEMS,
        let: { r: '$rank' },
        pipeline: [{ $match: { $expr: { $eq: ['$rank', '$$r'] } } }],
        as: 'x',
      },
    },
    { $project: { _id: 1 } },
  ),
  $facet: pipeline({
    $facet: { a: [{ $sort: { rank: 1 } }, { $limit: 2 }], b: [{ $group: { _id: '$rank' } }, { $count: 'n' }] },
  }),
  $unionWith: pipeline({ $match: RARE }, { $unionWith: { coll: ITEMS, pipeline: [{ $match: RARE }] } }),
  $sample: pipeline({ $sample: { size: 3 } }),
  $sortByCount: pipeline({ $sortByCount: '$rank' }, { $limit: 1 }),
  'a pipeline of expressions': pipeline(
    { $addFields: { x: { $map: { input: { $range: [0, 50] }, in: { $add: ['$$this', '$rank'] } } } } },
    { $match: { x: -1 } },
  ),
  createIndexes: { createIndexes: ITEMS, indexes: [{ key: { text: 1, rank: 1 }, name: 'text_rank' }] },
};

describe.each(Object.entries(COMMANDS))('%s', (_, command) => {
  beforeEach(async () => {
    await client.db(DB).collection('inserted').deleteMany({});
    if ('createIndexes' in command) await items.dropIndexes();
  });

  it('lets other commands proceed', async () => {
    const { reply, pings } = await pingsDuring(command);
    expect(reply.errmsg ?? reply.writeErrors).toBeUndefined();
    expect(pings).toBeGreaterThan(3);
  });

  it('ends with error 50 at its time limit', async () => {
    const { reply } = await pingsDuring({ ...command, maxTimeMS: 3 });
    expect(reply).toMatchObject({ codeName: 'MaxTimeMSExpired' });
  });
});

describe('rejects a stage that holds too much in memory:', () => {
  const text = { $concat: Array(10).fill('$text') };
  const many = { $unwind: { path: '$n' } };
  const numbers = { $addFields: { n: { $range: [0, 12] } } };
  const refused: [string, number, Document[]][] = [
    ['$group', 292, [numbers, many, { $group: { _id: { id: '$_id', n: '$n', text } } }]],
    ['$push', 146, [numbers, many, { $group: { _id: 1, all: { $push: text } } }]],
    [
      '$addToSet',
      146,
      [
        numbers,
        many,
        { $group: { _id: 1, all: { $addToSet: { $concat: [text, { $toString: '$_id' }, { $toString: '$n' }] } } } },
      ],
    ],
    ['$sort', 292, [numbers, many, { $addFields: { text } }, { $sort: { n: 1 } }]],
    ['$facet', 292, [numbers, many, { $addFields: { text } }, { $facet: { all: [{ $match: {} }] } }]],
  ];

  it.each(refused)('%s', async (name, code, stages) => {
    const { reply, pings } = await pingsDuring(pipeline(...stages, { $limit: 1 }, { $project: { _id: 1 } }));
    expect({ code: Number(reply.code), message: reply.errmsg }).toEqual({
      code,
      message: expect.stringContaining(name),
    });
    expect(pings).toBeGreaterThan(3);
  });
});

describe('rejects by name an evaluation that takes too long for one document:', () => {
  const range = (count: number): Document => ({ $range: [0, count] });
  const project = (expression: Document): Document => pipeline({ $limit: 1 }, { $project: { x: expression } });
  const reduce = (initialValue: unknown, expression: Document): Document => ({
    $reduce: { input: range(60), initialValue, in: expression },
  });
  const many = (count: number, make: (i: number) => unknown): unknown[] =>
    Array.from({ length: count }, (_, i) => make(i));
  const refused: [string, Document][] = [
    ['$range', project({ $size: range(3_000_000) })],
    ['nested $map', project({ $map: { input: range(5000), in: { $map: { input: range(5000), in: 1 } } } })],
    [
      'nested $filter',
      project({ $filter: { input: range(5000), cond: { $in: [{ $subtract: [-1, '$$this'] }, range(5000)] } } }),
    ],
    ['$concatArrays that doubles', project({ $size: reduce([1], { $concatArrays: ['$$value', '$$value'] }) })],
    ['$setUnion', project({ $size: { $setUnion: [range(60_000), range(60_000)] } })],
    ['$expr', { find: ITEMS, filter: { $expr: { $in: [-1, { $map: { input: range(400_000), in: '$$this' } }] } } }],
    ['$in of expressions', { find: ITEMS, filter: { text: { $in: many(5000, (i) => new BSONRegExp(`x${i}$`)) } } }],
    ['$or of many branches', { find: ITEMS, filter: { $or: many(16_000, (rank) => ({ rank })) } }],
    [
      '$set of a pipeline',
      { update: ITEMS, updates: [{ q: { _id: 1 }, u: [{ $set: { x: { $size: range(3e6) } } }] }] },
    ],
  ];

  it.each(refused)('%s', async (_, command) => {
    const { reply } = await pingsDuring(command);
    const { code, errmsg } = reply.writeErrors?.[0] ?? reply;
    expect(Number(code)).toBe(146);
    expect(errmsg).toContain('set MONGODB_URI to use a MongoDB server');
  });

  it('but not one that takes long for many documents', async () => {
    const sum = { $sum: { $map: { input: range(1000), in: { $multiply: ['$$this', 2] } } } };
    const { reply } = await pingsDuring(pipeline({ $limit: 500 }, { $group: { _id: null, total: { $sum: sum } } }));
    expect(Number(reply.cursor.firstBatch[0].total)).toBe(500 * 999_000);
    const sorted = { find: ITEMS, sort: { rank: 1 }, limit: 500, projection: { sum }, batchSize: 500 };
    const { reply: found } = await pingsDuring(sorted);
    expect(found.cursor.firstBatch.map((one: Document) => Number(one.sum))).toEqual(Array(500).fill(999_000));
  });
});

describe('a wait for a lock ends with error 50 at the time limit of the command:', () => {
  const waiting: [string, Document][] = [
    ['update', { update: ITEMS, updates: [{ q: { _id: 1 }, u: { $set: { x: 2 } } }] }],
    [
      'update of many',
      { update: ITEMS, updates: [{ q: { _id: { $in: [0, 1] } }, u: { $set: { x: 2 } }, multi: true }] },
    ],
    ['delete', { delete: ITEMS, deletes: [{ q: { _id: 1 }, limit: 1 }] }],
    ['insert', { insert: ITEMS, documents: [{ _id: 'taken' }] }],
    ['findAndModify', { findAndModify: ITEMS, query: { _id: 1 }, update: { $set: { x: 2 } } }],
    ['dropIndexes', { dropIndexes: ITEMS, index: '*' }],
  ];

  it.each(waiting)('%s', async (_, command) => {
    await client.withSession(async (session) => {
      session.startTransaction();
      await items.updateOne({ _id: 1 as never }, { $set: { x: 1 } }, { session });
      await items.insertOne({ _id: 'taken' as never }, { session });
      const { reply, pings } = await pingsDuring({ ...command, maxTimeMS: 400 });
      expect(reply).toMatchObject({ codeName: 'MaxTimeMSExpired' });
      expect(pings).toBeGreaterThan(3);
      // The transaction is unchanged.
      expect(await items.findOne({ _id: 1 as never }, { session })).toMatchObject({ x: 1 });
      await session.abortTransaction();
    });
    expect(await items.findOne({ _id: 1 as never })).not.toHaveProperty('x');
  });
});

it('a query stops when its client disconnects', async () => {
  const gone = connectRaw(engine.uri);
  const endless = pipeline(
    { $lookup: { from: ITEMS, localField: 'text', foreignField: 'text', as: 'x' } },
    { $count: 'n' },
  );
  void gone.command(DB, endless);
  /** The CPU share of this process, including the store's thread. */
  const load = async (): Promise<number> => {
    const used = process.cpuUsage();
    await new Promise((resolve) => setTimeout(resolve, 300));
    const { user, system } = process.cpuUsage(used);
    return (user + system) / 300_000;
  };
  await load();
  gone.close();
  // This query would take hours.
  await expect.poll(load, { timeout: 30_000 }).toBeLessThan(0.15);
});

it('statements of a transaction let other commands proceed, and their effect is complete', async () => {
  await client.withSession(async (session) => {
    session.startTransaction();
    const own = client.db(DB).collection('own');
    const { reply, pings } = await runWithPings(() => own.insertMany(ALL, { session }));
    expect(reply.insertedCount).toBe(COUNT);
    expect(pings).toBeGreaterThan(5);
    expect(await own.countDocuments({})).toBe(0);
    expect(await own.countDocuments({}, { session })).toBe(COUNT);
    const sorted = await runWithPings(async () =>
      ids(await own.find({}, { session, sort: { rank: 1, _id: 1 } }).toArray()),
    );
    expect(sorted.reply.slice(0, 2)).toEqual([0, 1001]);
    expect(sorted.pings).toBeGreaterThan(3);
    await session.abortTransaction();
    expect(await own.countDocuments({})).toBe(0);
  });
});
