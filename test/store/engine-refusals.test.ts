import { randomBytes } from 'node:crypto';
import { BSON, type Document } from 'bson';
import { MongoClient } from 'mongodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startEngine, type TestEngine } from './engine-support.ts';
import { connectRaw, frameOf, type RawClient } from './raw-client.ts';

let engine: TestEngine;
let client: MongoClient;
let raw: RawClient;
const warnings: string[] = [];

beforeAll(async () => {
  engine = await startEngine({ onWarning: (message) => warnings.push(message) });
  client = await MongoClient.connect(engine.uri);
});
afterAll(async () => {
  await client.close();
  await engine.close();
});
beforeEach(() => {
  raw = connectRaw(engine.uri);
});
afterEach(() => raw.close());

const streamOf = (options: Document, ...stages: Document[]): Document => ({
  aggregate: 'c',
  pipeline: [{ $changeStream: options }, ...stages],
  cursor: {},
});

const WAY_OUT = '(not supported by the embedded store; set MONGODB_URI to use a MongoDB server)';

describe('rejects unsupported features by name, with an alternative:', () => {
  it.each<[string, Document, number]>([
    ['renameCollection', { renameCollection: 'a.b', to: 'a.c' }, 59],
    ['mapReduce', { mapReduce: 'c' }, 59],
    ['eval', { eval: '1' }, 59],
    ["option 'min'", { find: 'c', min: { a: 1 } }, 40415],
    ["option 'tailable'", { find: 'c', tailable: true }, 40415],
    ["option 'capped'", { create: 'c', capped: true }, 40415],
    ["option 'validator'", { create: 'c', validator: {} }, 40415],
    ['collation', { find: 'c', collation: { locale: 'fr' } }, 115],
    ['let', { ...streamOf({}), let: { a: 1 } }, 115],
    ["option 'hidden'", { createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a', hidden: true }] }, 40415],
    ["index type 'text'", { createIndexes: 'c', indexes: [{ key: { a: 'text' }, name: 'a' }] }, 67],
    ['$where', { find: 'c', filter: { $where: 'sleep(1)' } }, 2],
    ['$function', { aggregate: 'c', pipeline: [{ $project: { a: { $function: {} } } }], cursor: {} }, 31325],
    ['$out', { aggregate: 'c', pipeline: [{ $out: 'd' }], cursor: {} }, 40324],
    ['showExpandedEvents', streamOf({ showExpandedEvents: true }), 115],
    ['$redact', streamOf({}, { $redact: '$$KEEP' }), 40324],
    ['$changeStreamSplitLargeEvent', streamOf({}, { $changeStreamSplitLargeEvent: {} }), 40324],
    ['$changeStream', { explain: streamOf({}) }, 40324],
  ])('%s', async (name, command, code) => {
    const reply = await raw.command('refusals', command);
    expect(reply.ok.valueOf()).toBe(0);
    expect(reply.errmsg).toContain(name);
    expect(reply.errmsg).toContain(WAY_OUT);
    expect(reply.code.valueOf()).toBe(code);
  });
});

describe('a query that no index serves', () => {
  it('is rejected in tests, with its collection and shape but not its values', async () => {
    const things = client.db('refusals').collection('things');
    await things.insertOne({ a: 1 });
    await things.createIndex({ b: 1, c: 1 });
    const refusal = { code: 96, message: expect.stringContaining('no index serves the query on refusals.things') };
    await expect(things.findOne({ a: 'secret' })).rejects.toMatchObject(refusal);
    await expect(things.findOne({ a: 'secret' })).rejects.not.toThrow('secret');
    await expect(things.findOne({ c: 1 })).rejects.toMatchObject(refusal);
    await expect(things.find().sort({ a: 1 }).toArray()).rejects.toMatchObject(refusal);
    await expect(things.updateOne({ a: 1 }, { $set: { z: 1 } })).rejects.toMatchObject(refusal);
    await expect(things.deleteMany({ a: 1 })).rejects.toMatchObject(refusal);
    await expect(things.countDocuments({ a: 1 })).rejects.toMatchObject(refusal);
    await expect(things.distinct('a', { a: 1 })).rejects.toMatchObject(refusal);
    await expect(things.findOneAndUpdate({ a: 1 }, { $set: { z: 1 } })).rejects.toMatchObject(refusal);
    await expect(things.aggregate([{ $match: { a: 1 } }]).toArray()).rejects.toMatchObject(refusal);
    const joined = [{ $lookup: { from: 'things', localField: 'a', foreignField: 'a', as: 'x' } }];
    await expect(things.aggregate(joined).toArray()).rejects.toMatchObject(refusal);
    await expect(things.findOne({ $or: [{ b: 1 }, { a: 1 }] })).rejects.toMatchObject(refusal);
  });

  it('does not include queries for all documents, and queries that an index serves in part', async () => {
    const things = client.db('refusals').collection('things');
    await things.find().toArray();
    await things.countDocuments();
    await things.find({ b: 1, a: 1 }).sort({ z: 1 }).toArray();
    await things.find({ $or: [{ b: 1, a: 1 }, { _id: 1 as never }] }).toArray();
  });

  it('is reported once per shape where it is not rejected', async () => {
    const messages: string[] = [];
    const lenient = await startEngine({ refuseUnindexed: false, onWarning: (message) => messages.push(message) });
    const other = await MongoClient.connect(lenient.uri);
    const things = other.db('a').collection('things');
    await things.insertOne({ a: 1 });
    for (const a of [1, 2, 3]) await things.find({ a }).toArray();
    await things.find({ a: { $gt: 1 } }).toArray();
    await other.close();
    await lenient.close();
    expect(messages).toEqual([
      'no index serves the query on a.things a eq',
      'no index serves the query on a.things a gt',
    ]);
  });
});

describe('malformed bytes', () => {
  const isAlive = async (): Promise<void> => {
    expect((await client.db('a').command({ ping: 1 })).ok).toBe(1);
  };

  const withHeader = (size: number, opCode: number): Buffer => {
    const frame = Buffer.alloc(16);
    frame.writeInt32LE(size, 0);
    frame.writeInt32LE(opCode, 12);
    return frame;
  };

  it.each<[string, Buffer]>([
    ['a frame shorter than its header', withHeader(3, 2013)],
    ['a frame larger than the maximum', withHeader(48_000_001, 2013)],
    ['a negative size', withHeader(-1, 2013)],
    ['an unknown operation', withHeader(16, 2012)],
    ['a message without a body', Buffer.concat([withHeader(20, 2013), Buffer.alloc(4)])],
    [
      'an unknown flag',
      (() => {
        const frame = frameOf({ ping: 1, $db: 'a' });
        frame.writeUInt32LE(4, 16);
        return frame;
      })(),
    ],
    [
      'a sequence that runs over its frame',
      (() => {
        const frame = Buffer.concat([withHeader(30, 2013), Buffer.alloc(14, 1)]);
        frame.writeUInt32LE(0, 16);
        return frame;
      })(),
    ],
  ])('end their own connection and no other: %s', async (_, bytes) => {
    const closed = new Promise((resolve) => raw.socket.once('close', resolve));
    raw.socket.write(bytes);
    await closed;
    await isAlive();
  });

  it('a corrupt or too deeply nested document gets an error, and the connection continues', async () => {
    const nested = (depth: number): Document => (depth === 0 ? {} : { a: nested(depth - 1) });
    const deep = await raw.command('a', { insert: 'c', documents: [nested(185)] });
    expect([deep.code.valueOf(), deep.codeName]).toEqual([15, 'Overflow']);
    expect((await raw.command('a', { insert: 'c', documents: [nested(150)] })).n.valueOf()).toBe(1);

    const frame = frameOf({ ping: 1, $db: 'a', text: 'abc' });
    frame[frame.length - 2] = 7;
    const reply = raw.command('a', { ping: 1 });
    raw.socket.write(frame);
    await reply;
    await isAlive();
  });

  it('random bytes never stop the store', async () => {
    for (let i = 0; i < 300; i++) {
      const noisy = connectRaw(engine.uri);
      const frame = frameOf({ find: 'c', filter: { a: { $in: [1, 'two', new BSON.ObjectId()] } }, $db: 'a' });
      const at = 16 + Math.floor(Math.random() * (frame.length - 16));
      randomBytes(3).copy(frame, Math.min(at, frame.length - 3));
      noisy.socket.end(frame);
      await new Promise((resolve) => noisy.socket.once('close', resolve));
    }
    await isAlive();
  });

  it('rejects a document larger than 16 MiB', async () => {
    const things = client.db('a').collection('large');
    const tooLarge = { code: 10334 };
    const reply = await raw.command('a', { insert: 'large', documents: [{ a: Buffer.alloc(16 * 1024 * 1024) }] });
    expect(reply.writeErrors[0].code.valueOf()).toBe(2);
    await things.insertOne({ _id: 1 as never, a: Buffer.alloc(10 * 1024 * 1024) });
    const grown = things.updateOne({ _id: 1 as never }, { $set: { b: Buffer.alloc(7 * 1024 * 1024) } });
    await expect(grown).rejects.toMatchObject(tooLarge);
    expect((await things.findOne({ _id: 1 as never }))?.a.length()).toBe(10 * 1024 * 1024);
  });

  it('cause no report of an internal error', () => {
    expect(warnings.filter((message) => message.includes('unexpected'))).toEqual([]);
  });
});
