import { type Document, Long, MongoClient, UUID } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngine, type TestEngine } from './engine-support.ts';
import { connectRaw, type RawClient } from './raw-client.ts';

const DB = 'limits';
const COUNT = 12_000;
const LIMIT_MS = 1;
const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
/** No index serves this filter, and no document matches. */
const SLOW = { text: { $regex: '\\bz{3}\\b$' } };

let engine: TestEngine;
let client: MongoClient;
let raw: RawClient;

beforeAll(async () => {
  engine = await startEngine({ refuseUnindexed: false });
  client = await MongoClient.connect(engine.uri);
  raw = connectRaw(engine.uri);
  for (let from = 0; from < COUNT; from += 4000) {
    await client
      .db(DB)
      .collection<{ _id: number }>('items')
      .insertMany(
        numbers(4000).map((i) => ({ _id: from + i, text: 'lorem ipsum '.repeat(40), rank: i % 1001, group: i % 7 })),
      );
  }
});
afterAll(async () => {
  raw.close();
  await client.close();
  await engine.close();
});

const aggregate = (...pipeline: Document[]): Document => ({ aggregate: 'items', pipeline, cursor: {} });
const transaction = (number: number) => ({ txnNumber: Long.fromNumber(number), autocommit: false });

describe('maxTimeMS ends with error 50', () => {
  const commands: [string, Document][] = [
    ['find', { find: 'items', filter: SLOW }],
    ['find with a sort', { find: 'items', sort: { text: 1, rank: -1 }, projection: { _id: 1 } }],
    ['aggregate with $match', aggregate({ $match: SLOW })],
    ['aggregate with $group', aggregate({ $group: { _id: '$rank', n: { $sum: { $strLenCP: '$text' } } } })],
    ['aggregate with $sort', aggregate({ $sort: { rank: -1, text: 1 } }, { $limit: 1 })],
    [
      'aggregate with $lookup',
      aggregate(
        { $limit: 500 },
        { $lookup: { from: 'items', localField: 'rank', foreignField: 'rank', as: 'same' } },
        { $project: { n: { $size: '$same' } } },
      ),
    ],
    ['aggregate with $unwind', aggregate({ $set: { x: { $range: [0, 100] } } }, { $unwind: '$x' }, { $count: 'n' })],
    ['aggregate with $facet', aggregate({ $facet: { a: [{ $match: SLOW }], b: [{ $match: SLOW }] } })],
    ['count', { count: 'items', query: SLOW }],
    ['distinct', { distinct: 'items', key: 'text' }],
    ['update', { update: 'items', updates: [{ q: SLOW, u: { $set: { x: 1 } } }] }],
    ['update of many', { update: 'items', updates: [{ q: {}, u: { $set: { x: 1 } }, multi: true }] }],
    [
      'update with many statements',
      { update: 'items', updates: numbers(20_000).map((i) => ({ q: { _id: -i }, u: { $set: { x: 1 } } })) },
    ],
    ['delete', { delete: 'items', deletes: [{ q: SLOW, limit: 0 }] }],
    [
      'delete with many statements',
      { delete: 'items', deletes: numbers(20_000).map((i) => ({ q: { _id: -1 - i }, limit: 1 })) },
    ],
    ['findAndModify', { findAndModify: 'items', query: SLOW, update: { $set: { x: 1 } } }],
    ['insert of many', { insert: 'inserted', documents: numbers(30_000).map((n) => ({ n, text: 'inserted' })) }],
    ['createIndexes', { createIndexes: 'items', indexes: [{ key: { text: 1, rank: 1 }, name: 'slow' }] }],
  ];

  it.each(commands)('%s', async (_, command) => {
    const started = performance.now();
    const reply = await raw.command(DB, { ...command, maxTimeMS: LIMIT_MS });
    const limited = performance.now() - started;
    expect(Number(reply.code), JSON.stringify(reply).slice(0, 200)).toBe(50);
    // A few time slices of 5 ms; the bound is generous for a busy machine.
    expect(limited).toBeLessThan(20_000);
  });

  it('getMore', async () => {
    const { cursor } = await raw.command(DB, {
      find: 'items',
      filter: { $or: [{ _id: 0 }, { $expr: { $in: [-1, { $map: { input: { $range: [0, 400] }, in: '$$this' } }] } }] },
      hint: { $natural: 1 },
      batchSize: 1,
      maxTimeMS: 100,
    });
    expect(Number((await raw.command(DB, { getMore: cursor.id, collection: 'items' })).code)).toBe(50);
  });

  const waiting: [string, Document][] = [
    ['update', { update: 'locked', updates: [{ q: { _id: 1 }, u: { $set: { x: 2 } } }] }],
    ['delete', { delete: 'locked', deletes: [{ q: { _id: 1 }, limit: 1 }] }],
    ['findAndModify', { findAndModify: 'locked', query: { _id: 1 }, remove: true }],
    ['insert of a locked key', { insert: 'locked', documents: [{ _id: 2 }] }],
  ];
  it.each(waiting)('a wait for a lock: %s', async (_, command) => {
    await client
      .db(DB)
      .collection<{ _id: number }>('locked')
      .updateOne({ _id: 1 }, { $set: { x: 1 } }, { upsert: true });
    const lsid = { id: new UUID() };
    const locking = {
      update: 'locked',
      updates: [
        { q: { _id: 1 }, u: { $inc: { n: 1 } } },
        { q: { _id: 2 }, u: { $set: { x: 1 } }, upsert: true },
      ],
      ...{ lsid, ...transaction(1), startTransaction: true },
    };
    expect(Number((await raw.command(DB, locking)).n)).toBe(2);
    try {
      expect(Number((await raw.command(DB, { ...command, maxTimeMS: 30 })).code)).toBe(50);
    } finally {
      await raw.command('admin', { abortTransaction: 1, lsid, ...transaction(1) });
    }
  });

  it('leaves the data and the indexes of interrupted commands consistent', async () => {
    expect((await client.db(DB).command({ validate: 'items' })).valid).toBe(true);
    expect(await client.db(DB).collection('items').countDocuments({})).toBe(COUNT);
    const names = (await client.db(DB).collection('items').listIndexes().toArray()).map(({ name }) => name);
    expect(names).toEqual(['_id_']);
  });
});
