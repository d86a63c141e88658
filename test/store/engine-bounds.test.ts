import { BSON } from 'bson';
import { type Document, Long, MongoClient, ObjectId, UUID } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngine, type TestEngine } from './engine-support.ts';
import { connectRaw, frameOf, type RawClient } from './raw-client.ts';

const DB = 'bounds';
let engine: TestEngine;
let client: MongoClient;
let worker: RawClient;
let pinger: RawClient;

beforeAll(async () => {
  engine = await startEngine({ refuseUnindexed: false });
  client = await MongoClient.connect(engine.uri);
  worker = connectRaw(engine.uri);
  pinger = connectRaw(engine.uri);
});
afterAll(async () => {
  worker.close();
  pinger.close();
  await client.close();
  await engine.close();
});

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const fields = (count: number, value: (i: number) => unknown = (i) => i): Document =>
  Object.fromEntries(numbers(count).map((i) => [`f${i}`, value(i)]));
const collection = (name: string) => client.db(DB).collection(name);
const codeOf = async (command: Document): Promise<number> => {
  const reply = await worker.command(DB, command);
  return Number((reply.writeErrors?.[0] ?? reply).code ?? 0);
};

/** Returns the reply to a command, and the number of pings answered on another connection before it. */
async function pingsDuring(command: Document): Promise<{ reply: Document; pings: number }> {
  let isAnswered = false;
  const running = worker.command(DB, command).finally(() => {
    isAnswered = true;
  });
  let pings = 0;
  while (!isAnswered) {
    await pinger.command('admin', { ping: 1 });
    if (!isAnswered) pings++;
  }
  return { reply: await running, pings };
}

/** CPU milliseconds that this process, including the store's thread, spends on some work. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

describe('rejects with error 10334 a document or command with more elements than one step can process:', () => {
  beforeAll(async () => {
    await collection('few').insertMany([{ _id: 1 as never, list: numbers(90_000) }, { _id: 2 as never }]);
    await collection('many').insertMany(numbers(60_000).map((n) => ({ n })));
  });
  const refused: [string, Document][] = [
    ['an inserted array', { insert: 'few', documents: [{ list: numbers(100_000) }] }],
    ['inserted fields', { insert: 'few', documents: [fields(20_000)] }],
    ['fields of a replacement', { update: 'few', updates: [{ q: { _id: 1 }, u: fields(20_000) }] }],
    ['long inserted text other than ASCII', { insert: 'few', documents: [{ text: 'é'.repeat(4_000_000) }] }],
    ['a filter', { find: 'few', filter: { x: { $in: numbers(100_000) } } }],
    ['an update', { update: 'few', updates: [{ q: {}, u: { $set: { x: numbers(100_000) } } }] }],
    [
      'an update in a command with many updates',
      {
        update: 'few',
        updates: [
          { q: {}, u: { $set: { x: 1 } } },
          { q: {}, u: { $set: { x: numbers(100_000) } } },
        ],
      },
    ],
    [
      'the result of an update',
      { update: 'few', updates: [{ q: { _id: 1 }, u: { $push: { list: { $each: numbers(20_000) } } } }] },
    ],
    ['padding of an array', { update: 'few', updates: [{ q: { _id: 1 }, u: { $set: { 'list.1400000': 1 } } }] }],
    [
      'the result of $push',
      {
        aggregate: 'many',
        pipeline: [{ $group: { _id: null, all: { $push: { n: '$n' } } } }, { $project: { _id: 1 } }],
        cursor: {},
      },
    ],
    [
      'the result of $lookup',
      {
        aggregate: 'few',
        pipeline: [{ $lookup: { from: 'many', pipeline: [], as: 'all' } }, { $project: { _id: 1 } }],
        cursor: {},
      },
    ],
    [
      'a document that contains itself many times',
      {
        aggregate: 'few',
        pipeline: [{ $limit: 1 }, ...numbers(60).map(() => ({ $project: { a: ['$$ROOT', '$$ROOT'] } }))],
        cursor: {},
      },
    ],
  ];

  it.each(refused)('%s', async (_, command) => {
    const reply = await worker.command(DB, command);
    const { code, errmsg } = reply.writeErrors?.[0] ?? reply;
    expect(Number(code)).toBe(10334);
    expect(errmsg).toContain('set MONGODB_URI to use a MongoDB server');
  });

  it('but not many documents in one command', async () => {
    const documents = numbers(60_000).map((n) => ({ n, list: [n, n] }));
    expect(await codeOf({ insert: 'small', documents })).toBe(0);
    const updates = numbers(30_000).map((n) => ({ q: { _id: n }, u: { $set: { n } } }));
    expect(await codeOf({ update: 'few', updates })).toBe(0);
  });
});

describe('rejects by name what would take long to compile or to compare:', () => {
  const deep = (parts: number): string => Array(parts).fill('a').join('.');
  const doubled = (use: unknown): unknown =>
    numbers(60).reduce(
      (inner, i) => ({ $let: { vars: { [`v${60 - i}`]: [`$$v${59 - i}`, `$$v${59 - i}`] }, in: inner } }),
      use,
    );
  const project = (x: unknown): Document => ({
    aggregate: 'few',
    pipeline: [{ $limit: 1 }, { $project: { x } }],
    cursor: {},
  });
  const update = (u: unknown, more: Document = {}): Document => ({
    update: 'few',
    updates: [{ q: { _id: 1 }, u, ...more }],
  });
  const refused: [string, number, Document][] = [
    [
      'a comparison of a value that contains itself many times',
      146,
      project({ $let: { vars: { v0: 1 }, in: doubled({ $eq: ['$$v60', ['$$v59', '$$v59']] }) } }),
    ],
    [
      'a set with a value that contains itself many times',
      146,
      project({ $let: { vars: { v0: 1 }, in: doubled({ $setUnion: [['$$v60'], ['$$v59']] }) } }),
    ],
    [
      'arrays nested by an expression',
      15,
      project({ $reduce: { input: { $range: [0, 1000] }, initialValue: [], in: ['$$value'] } }),
    ],
    ['a path of an expression', 15, project({ $add: [`$${deep(10_000)}`, 1] })],
    ['a path of an update', 15, update({ $set: { [deep(10_000)]: 1 } })],
    [
      'a pipeline of 1,001 stages',
      7749501,
      { aggregate: 'few', pipeline: numbers(1001).map(() => ({ $skip: 0 })), cursor: {} },
    ],
    ['an update of 15,000 paths', 146, update({ $set: fields(15_000) })],
    ['a projection of 15,000 fields', 146, { find: 'few', projection: fields(15_000, () => 1) }],
    ['a let of 15,000 variables', 146, { find: 'few', let: fields(15_000) }],
    [
      '5,000 array filters',
      146,
      update(
        { $set: Object.fromEntries(numbers(5000).map((i) => [`list.$[r${i}]`, 1])) },
        { arrayFilters: numbers(5000).map((i) => ({ [`r${i}`]: i })) },
      ),
    ],
    [
      'an $in of 10,000 decimals',
      146,
      { find: 'few', filter: { _id: { $in: numbers(10_000).map((i) => BSON.Decimal128.fromString(`${i}.5`)) } } },
    ],
  ];

  it.each(refused)('%s', async (_, code, command) => {
    expect(await codeOf(command)).toBe(code);
  });

  it('but not many conditions for each of many elements', async () => {
    const $or = numbers(2000).map((i) => ({ r: -1 - i }));
    expect(await codeOf(update({ $inc: { 'list.$[r]': 1 } }, { arrayFilters: [{ $or }] }))).toBe(146);
  });
});

describe('other commands proceed while', () => {
  it('a long message is read', async () => {
    const documents = numbers(20_000).map((n) => ({ n, list: numbers(40) }));
    const { reply, pings } = await pingsDuring({ insert: 'x', documents, nothing: 1 });
    expect(Number(reply.code)).toBe(40415);
    expect(pings).toBeGreaterThan(1);
  });

  it('the statements of a long command are compiled, until its time limit', async () => {
    const updates = numbers(50_000).map(() => ({ q: { _id: -1 }, u: { $inc: { n: 1 } } }));
    const { reply, pings } = await pingsDuring({ update: 'nothing', updates });
    expect(reply.n.valueOf()).toBe(0);
    expect(pings).toBeGreaterThan(3);
    expect(await codeOf({ update: 'nothing', updates, maxTimeMS: 3 })).toBe(50);
  });

  it('a long reply is encoded', async () => {
    await collection('taken').insertOne({ _id: 1 as never });
    const documents = numbers(20_000).map(() => ({ _id: 1 }));
    const { reply, pings } = await pingsDuring({ insert: 'taken', documents, ordered: false });
    expect(reply.writeErrors).toHaveLength(20_000);
    expect(pings).toBeGreaterThan(3);
  });

  it('large documents are sorted', async () => {
    for (let i = 0; i < 60; i += 20) {
      await collection('large').insertMany(numbers(20).map((j) => ({ _id: (i + j) as never, value: numbers(20_000) })));
    }
    const { reply, pings } = await pingsDuring({
      aggregate: 'large',
      pipeline: [{ $addFields: { x: ['$value'] } }, { $sort: { x: -1, _id: 1 } }, { $project: { _id: 1 } }],
      cursor: {},
    });
    expect(reply.cursor.firstBatch.map(({ _id }: Document) => _id.valueOf())).toEqual(numbers(60));
    expect(pings).toBeGreaterThan(3);
  });

  it('a large transaction prepares its commit', async () => {
    await collection('ordered').createIndexes([{ key: { a: 1, b: 1 } }, { key: { b: 1 }, unique: true }]);
    const lsid = { id: new UUID() };
    const inTransaction = { lsid, txnNumber: Long.fromNumber(1), autocommit: false };
    const documents = numbers(8000).map((i) => ({ _id: new ObjectId(), a: i % 7, b: i }));
    const inserted = await worker.command(DB, {
      insert: 'ordered',
      documents,
      ...inTransaction,
      startTransaction: true,
    });
    expect(inserted.n.valueOf()).toBe(8000);
    let isAnswered = false;
    const committed = worker.command('admin', { commitTransaction: 1, ...inTransaction }).finally(() => {
      isAnswered = true;
    });
    let pings = 0;
    for (; !isAnswered; pings++) await pinger.command('admin', { ping: 1 });
    expect((await committed).ok.valueOf()).toBe(1);
    expect(pings).toBeGreaterThan(3);
    expect(await collection('ordered').countDocuments({ b: { $gte: 0 } })).toBe(8000);
    const again = { _id: new ObjectId(), a: 1, b: 17 };
    expect(await codeOf({ insert: 'ordered', documents: [again] })).toBe(11000);
  });
});

it('commits a transaction that updates 25,000 documents', async () => {
  const many = collection('whole');
  await many.insertMany(numbers(25_000).map((i) => ({ _id: i as never, name: 'old' })));
  await client.withSession((session) =>
    session.withTransaction(async () => {
      const { modifiedCount } = await many.updateMany({}, { $set: { name: 'new' } }, { session });
      expect(modifiedCount).toBe(25_000);
    }),
  );
  expect(await many.countDocuments({ name: 'new' })).toBe(25_000);
});

it('refuses a transaction whose writes take more than 256 MiB with error 257', async () => {
  const inTransaction = { lsid: { id: new UUID() }, txnNumber: Long.fromNumber(1), autocommit: false };
  const code = async (i: number): Promise<number> =>
    await codeOf({
      insert: 'huge',
      documents: [{ _id: i, bytes: Buffer.alloc(15_000_000) }],
      ...{ ...inTransaction, ...(i === 0 && { startTransaction: true }) },
    });
  const codes: number[] = [];
  while (codes.length < 20 && !codes.includes(257)) codes.push(await code(codes.length));
  expect(codes.length).toBeGreaterThan(5);
  expect(codes.at(-1)).toBe(257);
  expect(await collection('huge').countDocuments({ _id: { $gte: 0 as never } })).toBe(0);
});

it('changing thousands of keys takes time in proportion to their number', async () => {
  const keyed = collection('keyed');
  await keyed.createIndex({ list: 1 });
  await keyed.insertOne({ _id: 1 as never, list: numbers(5900) });
  const used = await cpuOf(() => keyed.updateOne({ _id: 1 as never }, { $inc: { 'list.$[]': 1_000_000 } }));
  expect(used).toBeLessThan(1500);
  expect(await keyed.countDocuments({ list: 1_000_005 })).toBe(1);
  expect(await keyed.countDocuments({ list: 5 })).toBe(0);
});

it('rejects a document with more than 6,000 keys in all indexes', async () => {
  const indexed = collection('indexed');
  await indexed.createIndexes([{ key: { a: 1 } }, { key: { b: 1 } }]);
  await indexed.insertOne({ a: numbers(2900), b: numbers(2900) });
  await expect(indexed.insertOne({ a: numbers(3500), b: numbers(3500) })).rejects.toMatchObject({ code: 201 });
});

it('updates a document that has keys in an index created later, also in a transaction', async () => {
  const later = collection('later');
  await later.createIndex({ a: 1 });
  await later.insertOne({ _id: 1 as never, a: numbers(4000), b: numbers(4000) });
  await later.createIndex({ b: 1 });
  await later.updateOne({ _id: 1 as never }, { $set: { note: 1 } });
  await later.updateOne({ _id: 1 as never }, { $inc: { 'a.5': 100_000 } });
  const grow = () => later.updateOne({ _id: 1 as never }, { $push: { a: -1 } } as Document);
  await expect(grow()).rejects.toMatchObject({ code: 201 });
  await client.withSession((session) =>
    session.withTransaction(async () => {
      await later.updateOne({ _id: 1 as never }, { $set: { a: numbers(10) } }, { session });
      await later.updateOne({ _id: 1 as never }, { $set: { a: numbers(1900) } }, { session });
    }),
  );
  expect(await later.countDocuments({ a: 1899, b: 3999 })).toBe(1);
  expect(await later.countDocuments({ a: 1900 })).toBe(0);
  await expect(grow()).resolves.toMatchObject({ modifiedCount: 1 });
  await later.deleteOne({ _id: 1 as never });
  expect(await later.countDocuments({ b: { $gte: 0 } })).toBe(0);
});

it('long and short arrays of a reply have null for the deprecated BSON type undefined', async () => {
  for (const count of [10, 100]) {
    const frame = frameOf({
      insert: 'deprecated',
      documents: [{ _id: count, list: [null, ...numbers(count)] }],
      $db: DB,
    });
    const at = frame.indexOf('\x0a0\0', 0, 'latin1');
    frame[at] = 6;
    expect(await worker.send(frame)).toMatchObject({ n: expect.anything() });
    const values: unknown[] = await collection('deprecated').distinct('list', { _id: count as never });
    expect(values).toHaveLength(count + 1);
    expect(values).toContain(null);
  }
});

it('fields named like the statements of a command keep their documents', async () => {
  const named = collection('named');
  const value = { documents: [{ a: 1 }], updates: [{ b: [{ documents: [{ c: 1 }] }] }], deletes: [{}] };
  await named.insertOne({ _id: 1 as never, ...value });
  await named.insertOne({ _id: 2 as never });
  await named.updateOne({ _id: 2 as never }, { $set: value });
  expect(await named.find({ documents: [{ a: 1 }] }, { projection: { _id: 0 } }).toArray()).toEqual([value, value]);
});

it('a read under a new snapshot uses an index that was created after the last change', async () => {
  const seen = collection('seen');
  await seen.insertMany([{ a: 1 }, { a: 2 }]);
  const read = (options: Document) =>
    client.withSession({ snapshot: true }, (session) => seen.find({ a: 2 }, { ...options, session }).toArray());
  expect(await read({})).toHaveLength(1);
  const name = await seen.createIndex({ a: 1 });
  expect(await read({ hint: name })).toHaveLength(1);
});
