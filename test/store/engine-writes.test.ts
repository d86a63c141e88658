import { type Document, Long, UUID } from 'bson';
import { type Collection, MongoClient } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startEmbeddedStore } from '../../src/embedded/index.ts';
import { openStatementHistory } from '../../src/embedded/storage/sessions.ts';
import type { Storage } from '../../src/embedded/storage/storage.ts';
import { startEngine, type TestEngine } from './engine-support.ts';
import { connectRaw } from './raw-client.ts';

let engine: TestEngine;
let client: MongoClient;
let docs: Collection<Document>;
let round = 0;

beforeAll(async () => {
  engine = await startEngine();
  client = await MongoClient.connect(engine.uri);
});
afterAll(async () => {
  await client.close();
  await engine.close();
});
beforeEach(() => {
  docs = client.db('writes').collection(`c${round++}`);
});

describe('a bulk write', () => {
  it('stops at its first error when ordered and continues when unordered', async () => {
    const operations = [
      { insertOne: { document: { _id: 1 as never } } },
      { insertOne: { document: { _id: 1 as never } } },
      { updateOne: { filter: { _id: 1 as never }, update: { $set: { a: 1 } } } },
      { replaceOne: { filter: { _id: 2 as never }, replacement: { b: 1 }, upsert: true } },
      { deleteOne: { filter: { _id: 1 as never } } },
    ];
    await expect(docs.bulkWrite(operations)).rejects.toMatchObject({ code: 11000, insertedCount: 1, modifiedCount: 0 });
    expect(await docs.countDocuments()).toBe(1);
    await docs.deleteMany({});
    await expect(docs.bulkWrite(operations, { ordered: false })).rejects.toMatchObject({
      code: 11000,
      insertedCount: 1,
      modifiedCount: 1,
      upsertedCount: 1,
      deletedCount: 1,
    });
    expect(await docs.find().toArray()).toEqual([{ _id: 2, b: 1 }]);
  });

  it('accepts more documents than fit in one message', async () => {
    await docs.insertMany(
      Array.from({ length: 60 }, (_, _id) => ({ _id: _id as never, text: 'x'.repeat(1024 * 1024) })),
    );
    expect(await docs.estimatedDocumentCount()).toBe(60);
  });
});

describe('an update', () => {
  it('leaves a document and its bytes as they were when nothing changes', async () => {
    await docs.insertOne({ _id: 1 as never, a: 1, at: new Date(5) });
    expect(await docs.updateOne({ _id: 1 as never }, { $set: { a: 1 } })).toMatchObject({
      matchedCount: 1,
      modifiedCount: 0,
    });
    expect(await docs.updateMany({}, { $inc: { a: 2 } })).toMatchObject({ matchedCount: 1, modifiedCount: 1 });
    expect(await docs.findOne()).toEqual({ _id: 1, a: 3, at: new Date(5) });
  });

  it('upserts a missing document with a generated id', async () => {
    const { upsertedId } = await docs.updateOne(
      { _id: { $gt: 5 as never } },
      { $setOnInsert: { a: 1 } },
      { upsert: true },
    );
    expect(await docs.findOne({ _id: upsertedId! })).toEqual({ _id: upsertedId, a: 1 });
  });

  it('of one document by many clients is applied once for each', async () => {
    await Promise.all(
      Array.from({ length: 100 }, () => docs.updateOne({ _id: 'n' as never }, { $inc: { n: 1 } }, { upsert: true })),
    );
    expect(await docs.findOne()).toEqual({ _id: 'n', n: 100 });
    const tickets = await Promise.all(
      Array.from({ length: 50 }, () =>
        docs.findOneAndUpdate({ _id: 'n' as never }, { $inc: { n: 1 } }, { returnDocument: 'after' }),
      ),
    );
    expect(new Set(tickets.map((ticket) => ticket?.n)).size).toBe(50);
  });
});

describe('a document', () => {
  it('is returned as it was sent, with the same fields and types, and `_id` first', async () => {
    const raw = connectRaw(engine.uri);
    const sent = {
      z: Long.fromNumber(1),
      a: 1.5,
      list: [1, { b: null }, []],
      date: new Date(-1),
      bytes: Buffer.from([1, 2]),
    };
    await raw.command('writes', { insert: docs.collectionName, documents: [{ ...sent, _id: 'x' }] });
    const stored = (await raw.command('writes', { find: docs.collectionName })).cursor.firstBatch[0];
    raw.close();
    expect(Object.keys(stored)).toEqual(['_id', 'z', 'a', 'list', 'date', 'bytes']);
    expect(stored.z).toBeInstanceOf(Long);
    expect(await docs.findOne()).toMatchObject({ z: 1, a: 1.5, list: [1, { b: null }, []], date: new Date(-1) });
  });

  it('may have fields named like properties of JavaScript objects', async () => {
    const odd = JSON.parse('{"_id":1,"__proto__":{"x":1},"constructor":2,"toString":3,"_bsontype":"ObjectId2"}');
    const raw = connectRaw(engine.uri);
    const { _bsontype, ...rest } = odd;
    await raw.command('writes', { insert: docs.collectionName, documents: [rest] });
    await docs.updateOne({ _id: 1 as never }, { $set: { a: 1 } });
    const stored = (await raw.command('writes', { find: docs.collectionName })).cursor.firstBatch[0];
    raw.close();
    expect(Object.keys(stored)).toEqual(['_id', '__proto__', 'constructor', 'toString', 'a']);
    expect(({} as Document).x).toBeUndefined();
  });
});

describe('a retried write', () => {
  it('gets the same reply and runs once, even after a restart', async () => {
    const folder = engine.folder.replace('colloquy-engine-', 'colloquy-retry-');
    const first = await startEngine({ folder, durability: 'flushed' });
    const lsid = { id: new UUID() };
    const write = (uri: string): Promise<Document> => {
      const raw = connectRaw(uri);
      const updates = [
        { q: { _id: 1 }, u: { $inc: { n: 1 } }, upsert: true },
        { q: { _id: 1 }, u: { $inc: { n: 10 } } },
      ];
      return raw.command('writes', { update: 'retry', updates, lsid, txnNumber: Long.ONE }).finally(raw.close);
    };
    const reply = await write(first.uri);
    expect(reply.n.valueOf()).toBe(2);
    const same = { n: reply.n, upserted: reply.upserted, nModified: reply.nModified };
    expect(await write(first.uri)).toMatchObject(same);

    const store = await startEmbeddedStore({ folder: first.folder }).catch((error: Error) => error.message);
    expect(store).toContain('in use');
    const copy = await restart(first);
    expect(await write(copy.uri)).toMatchObject(same);
    const other = await MongoClient.connect(copy.uri);
    expect(await other.db('writes').collection('retry').find().toArray()).toEqual([{ _id: 1, n: 11 }]);
    await other.close();
    await copy.close();
  });

  it('runs once with many updates, of which others match, insert or change nothing', async () => {
    const folder = engine.folder.replace('colloquy-engine-', 'colloquy-updates-');
    const first = await startEngine({ folder, durability: 'flushed' });
    const lsid = { id: new UUID() };
    const updates = Array.from({ length: 600 }, (_, index) => ({
      q: { _id: index },
      u: index % 100 === 7 ? { $set: { n: 0 } } : { $inc: { n: 1 } },
      upsert: index % 100 === 3,
    }));
    const write = (uri: string): Promise<Document> => {
      const raw = connectRaw(uri);
      const command = { update: 'retry', updates, ordered: false, lsid, txnNumber: Long.ONE };
      return raw.command('writes', command).finally(raw.close);
    };
    const records = async (uri: string) => {
      const connected = await MongoClient.connect(uri);
      const found = await connected.db('writes').collection('retry').find().sort({ _id: 1 }).toArray();
      await connected.close();
      return found.map(({ _id, n }) => [_id, n]);
    };
    const connected = await MongoClient.connect(first.uri);
    const filled = Array.from({ length: 590 }, (_, index) => index).filter((index) => index % 100 !== 3);
    await connected
      .db('writes')
      .collection('retry')
      .insertMany(filled.map((_id) => ({ _id: _id as never, n: 0 })));
    await connected.close();
    const { n, nModified, upserted } = await write(first.uri);
    expect([n.valueOf(), nModified.valueOf(), upserted.length]).toEqual([590, 578, 6]);
    const written = await records(first.uri);
    expect(await write(first.uri)).toMatchObject({ n, nModified, upserted });
    const copy = await restart(first);
    expect(await write(copy.uri)).toMatchObject({ n, nModified, upserted });
    expect(await records(copy.uri)).toEqual(written);
    await copy.close();
  });

  it('stores the results of consecutive updates of one document each as one range', () => {
    const sizes: number[] = [];
    const rows = new Map<string, Buffer>();
    const storage = {
      sessions: { get: (key: Buffer) => rows.get(key.toString('hex')) },
      putSession(key: Buffer, value: Buffer) {
        sizes.push(value.length);
        rows.set(key.toString('hex'), value);
      },
    } as unknown as Storage;
    for (let step = 0; step < 3; step += 1) {
      const history = openStatementHistory(storage, '01', 1n);
      for (let id = step * 1_000; id < (step + 1) * 1_000; id += 1) history.remember(id, { n: 1, nModified: 1 });
      history.save();
    }
    expect(Math.max(...sizes)).toBeLessThan(300);
    const { recall } = openStatementHistory(storage, '01', 1n);
    expect([recall(0), recall(2_999), recall(3_000)]).toEqual([
      { n: 1, nModified: 1 },
      { n: 1, nModified: 1 },
      undefined,
    ]);
  });

  it('runs once even if its reply is too large to store', async () => {
    await docs.createIndex({ kind: 1 });
    await docs.insertOne({ _id: 1 as never, n: 0 });
    const part = 'x'.repeat(1024 * 1024);
    const longId = [{ $set: { _id: { $concat: [...Array(6).fill('$part'), '$kind'] } } }];
    const updates = [
      { q: { _id: 1 }, u: { $inc: { n: 1 } } },
      ...['a', 'b', 'c'].map((kind) => ({ q: { kind, part }, u: longId, upsert: true })),
    ];
    const lsid = { id: new UUID() };
    const raw = connectRaw(engine.uri);
    const write = () => raw.command('writes', { update: docs.collectionName, updates, lsid, txnNumber: Long.ONE });
    expect((await write()).code?.valueOf()).toBe(10334);
    expect((await write()).writeErrors).toMatchObject([{ code: expect.objectContaining({ value: 217 }) }]);
    raw.close();
    expect(await docs.findOne({ _id: 1 as never })).toEqual({ _id: 1, n: 1 });
    expect(await docs.countDocuments({ kind: { $in: ['a', 'b', 'c'] } })).toBe(3);
  });
});

async function restart(running: TestEngine): Promise<TestEngine> {
  await running.stop();
  return startEngine({ folder: running.folder, durability: 'flushed' });
}
