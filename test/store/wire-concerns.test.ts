import { type Document, Long, Timestamp } from 'bson';
import { type Collection, type CommandSucceededEvent, MongoClient } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectRaw, frameOf, type RawClient } from './raw-client.ts';
import { expectOk, failureOf, openWireStore, type WireStore } from './wire-support.ts';

interface Item {
  _id: number;
  a?: number;
}

let store: WireStore;
let client: MongoClient;
let raw: RawClient;
let db: string;
let items: Collection<Item>;
let round = 0;

beforeAll(async () => {
  store = await openWireStore();
  ({ client, raw, db } = store);
});
afterAll(() => store.close());
beforeEach(async () => {
  items = client.db(db).collection<Item>(`items${round++}`);
  await items.insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3 }]);
});

const run = (command: Document): Promise<Document> => raw.command(db, command);
const snapshotFind = (more: Document = {}, concern: Document = {}): Promise<Document> =>
  run({ find: items.collectionName, ...more, readConcern: { level: 'snapshot', ...concern } });

describe('a read with read concern snapshot outside of a transaction', () => {
  it('sees no change after the first read of its session', async () => {
    await client.withSession({ snapshot: true }, async (session) => {
      expect(await items.countDocuments({}, { session })).toBe(3);
      await items.insertOne({ _id: 4 });
      await items.updateOne({ _id: 1 }, { $set: { a: 1 } });
      await items.deleteOne({ _id: 2 });
      expect(await items.find({}, { session }).sort({ _id: 1 }).toArray()).toEqual([
        { _id: 1 },
        { _id: 2 },
        { _id: 3 },
      ]);
      expect(await items.distinct('_id', {}, { session })).toEqual([1, 2, 3]);
      expect(await items.findOne({ _id: 4 }, { session })).toBeNull();
    });
    expect(await items.countDocuments()).toBe(3);
  });

  it('returns its time, at which later reads and its cursor see the same data', async () => {
    const first = expectOk(await snapshotFind({ batchSize: 1 }));
    const atClusterTime = first.cursor.atClusterTime;
    expect(atClusterTime).toBeInstanceOf(Timestamp);
    await items.insertOne({ _id: 9 });
    const again = expectOk(await snapshotFind({}, { atClusterTime }));
    expect(again.cursor.firstBatch).toHaveLength(3);
    expect(again.cursor.atClusterTime).toEqual(atClusterTime);
    const more = expectOk(await run({ getMore: first.cursor.id, collection: items.collectionName }));
    expect(more.cursor.nextBatch).toHaveLength(2);
    const values = expectOk(
      await run({ distinct: items.collectionName, key: '_id', readConcern: { level: 'snapshot', atClusterTime } }),
    );
    expect([values.values.length, values.atClusterTime]).toEqual([3, atClusterTime]);
  });

  it('reads a collection that has been dropped since', async () => {
    const first = expectOk(await snapshotFind());
    await items.drop();
    const again = expectOk(await snapshotFind({}, { atClusterTime: first.cursor.atClusterTime }));
    expect(again.cursor.firstBatch).toHaveLength(3);
    expect(await items.countDocuments()).toBe(0);
  });

  it('is rejected for a time without a snapshot', async () => {
    const refused = await snapshotFind({}, { atClusterTime: new Timestamp({ t: 1000, i: 1 }) });
    expect(failureOf(refused)).toEqual({ code: 239 });
  });
});

describe('causal consistency', () => {
  it('advances the session with every reply, also of find, getMore and aggregate', async () => {
    const monitored = await MongoClient.connect(store.uri, { monitorCommands: true });
    const replies: CommandSucceededEvent[] = [];
    monitored.on('commandSucceeded', (event) => replies.push(event));
    const seen = monitored.db(db).collection<Item>(items.collectionName);
    await monitored.withSession({ causalConsistency: true }, async (session) => {
      await items.insertOne({ _id: 4 });
      expect(await seen.find({}, { session, batchSize: 2 }).toArray()).toHaveLength(4);
      const afterFind = session.operationTime!;
      expect(afterFind).toHaveProperty('_bsontype', 'Timestamp');
      await items.insertOne({ _id: 5 });
      expect(await seen.aggregate([{ $match: { _id: 5 } }], { session }).toArray()).toHaveLength(1);
      expect(session.operationTime!.greaterThan(afterFind)).toBe(true);
      expect(session.clusterTime!.clusterTime.greaterThanOrEqual(session.operationTime!)).toBe(true);
    });
    await monitored.close();
    expect(new Set(replies.map(({ commandName }) => commandName))).toEqual(
      new Set(['find', 'getMore', 'aggregate', 'endSessions']),
    );
    for (const { commandName, reply } of replies as unknown as { commandName: string; reply: Document }[]) {
      if (commandName === 'endSessions') continue;
      expect(reply.operationTime).toHaveProperty('_bsontype', 'Timestamp');
      expect(reply).toHaveProperty(['$clusterTime', 'clusterTime']);
    }
  });

  it('accepts the cluster time of another client, and rejects a read after a later time', async () => {
    const time = new Timestamp({ t: Math.floor(Date.now() / 1000) + 5, i: 1 });
    const find = { find: items.collectionName, readConcern: { afterClusterTime: time } };
    expect(failureOf(await run(find))).toEqual({ code: 72 });
    const signature = { hash: Buffer.alloc(20), keyId: Long.ZERO };
    expectOk(await run({ ping: 1, $clusterTime: { clusterTime: time, signature } }));
    const found = expectOk(await run(find));
    expect(found.operationTime.greaterThanOrEqual(time)).toBe(true);
    const written = expectOk(await run({ insert: items.collectionName, documents: [{ _id: 7 }] }));
    expect(written.operationTime.greaterThan(time)).toBe(true);
  });
});

describe('a write concern that one member cannot meet', () => {
  it('is reported beside the result, and the write is executed', async () => {
    const written = items.insertOne({ _id: 4 }, { writeConcern: { w: 2 } });
    await expect(written).rejects.toMatchObject({ code: 100, name: 'MongoWriteConcernError' });
    expect(await items.countDocuments({ _id: 4 })).toBe(1);
    const tagged = items.updateOne({ _id: 4 }, { $set: { a: 1 } }, { writeConcern: { w: 'elsewhere' as 'majority' } });
    await expect(tagged).rejects.toMatchObject({ code: 79 });
    expect(await items.findOne({ _id: 4 })).toEqual({ _id: 4, a: 1 });
    await items.insertOne({ _id: 5 }, { writeConcern: { w: 'majority', journal: true, wtimeoutMS: 1 } });
  });
});

describe('the Stable API', () => {
  it('is checked by version and, in strict mode, by command', async () => {
    const strict = await MongoClient.connect(store.uri, { serverApi: { version: '1', strict: true } });
    const own = strict.db(db).collection<Item>(items.collectionName);
    expect(await own.find().toArray()).toHaveLength(3);
    await expect(own.distinct('_id')).rejects.toMatchObject({ code: 323, codeName: 'APIStrictError' });
    await strict.close();
    expect(failureOf(await run({ ping: 1, apiVersion: '2' }))).toEqual({ code: 322 });
  });

  it('requires the same parameters for all commands of a cursor', async () => {
    const opened = await run({ find: items.collectionName, batchSize: 1, apiVersion: '1' });
    const more = { getMore: opened.cursor.id, collection: items.collectionName };
    expect(failureOf(await run(more))).toEqual({ code: 347 });
    expectOk(await run({ ...more, apiVersion: '1' }));
  });
});

describe('a message', () => {
  const isAlive = async (one: RawClient): Promise<void> => void expectOk(await one.command('admin', { ping: 1 }));

  /** Sends a frame and resolves with the next reply, or with `isClosed`. */
  async function send(frame: Buffer): Promise<Document> {
    const other = connectRaw(store.uri);
    await isAlive(other);
    const received = await other.send(frame);
    if (!received.isClosed) await isAlive(other);
    other.close();
    return received;
  }

  it('is rejected without a database or with an invalid one', async () => {
    expect(failureOf(await send(frameOf({ ping: 1 })))).toEqual({ code: 40571 });
    expect(failureOf(await send(frameOf({ ping: 1, $db: 5 })))).toEqual({ code: 13111 });
    expect(failureOf(await send(frameOf({ ping: 1, $db: 'a b' })))).toEqual({ code: 73 });
  });

  it('with a wrong checksum closes its connection, with a right one gets a reply with a checksum', async () => {
    const frame = Buffer.concat([frameOf({ ping: 1, $db: 'a' }), Buffer.alloc(4)]);
    frame.writeInt32LE(frame.length, 0);
    frame.writeUInt32LE(1, 16);
    frame.writeUInt32LE(checksumOf(frame.subarray(0, -4)), frame.length - 4);
    expectOk(await send(frame));
    frame.writeUInt32LE((frame.readUInt32LE(frame.length - 4) ^ 1) >>> 0, frame.length - 4);
    expect(await send(frame)).toEqual({ isClosed: true });
  });

  it.each([
    ['find', { find: 'c', filter: { a: '??' } }],
    ['insert', { insert: 'c', documents: [{ a: '??' }] }],
    ['update', { update: 'c', updates: [{ q: { _id: '??' }, u: { $set: { a: 1 } } }] }],
  ])('with text that is not UTF-8 in a %s keeps its connection open', async (_, command) => {
    const frame = frameOf({ ...command, $db: db });
    frame.fill(0xff, frame.indexOf('??'), frame.indexOf('??') + 2);
    const reply = await send(frame);
    // MongoDB accepts such text; the embedded store rejects it by name.
    if (process.env.MONGODB_URI) expectOk(reply);
    else expect(failureOf(reply.writeErrors?.[0] ?? reply).code).toBe(22);
  });
});

/** CRC-32C, computed bit by bit. */
function checksumOf(bytes: Uint8Array): number {
  let value = 0xffff_ffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f6_3b78 : value >>> 1;
  }
  return (value ^ 0xffff_ffff) >>> 0;
}

describe('an expression', () => {
  const evaluate = (expression: Document): Promise<Document> =>
    run({ aggregate: items.collectionName, pipeline: [{ $project: { value: expression } }], cursor: {} });

  it('that creates a string larger than 16 MiB fails with its own code', async () => {
    const long = 'x'.repeat(9 * 1024 * 1024);
    await items.updateOne({ _id: 1 }, { $set: { a: long as unknown as number } });
    const match = { $match: { _id: 1 } };
    const project = { $project: { value: { $concat: ['$a', '$a'] } } };
    const reply = await run({ aggregate: items.collectionName, pipeline: [match, project], cursor: {} });
    expect(failureOf(reply)).toEqual({ code: 16493 });
  });

  it('whose field name is not a constant string fails with a code for the kind of fault', async () => {
    const codes = async (name: string, more: Document): Promise<number[]> => {
      const replies = ['$x', { $add: [1, 1] }, 5].map((field) => evaluate({ [name]: { field, ...more } }));
      return (await Promise.all(replies)).map(({ code }) => Number(code));
    };
    expect(await codes('$setField', { input: {}, value: 1 })).toEqual([4161108, 4161106, 4161107]);
    expect(await codes('$getField', { input: {} })).toEqual([5654600, 5654601, 5654602]);
  });
});
