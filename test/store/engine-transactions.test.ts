import { type Collection, Long, MongoClient, type MongoServerError, UUID } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startEngine, type TestEngine } from './engine-support.ts';
import { connectRaw } from './raw-client.ts';

interface Thing {
  _id: string;
  n: number;
  u?: number;
}

let engine: TestEngine;
let client: MongoClient;
let things: Collection<Thing>;
let round = 0;

beforeAll(async () => {
  engine = await startEngine({ durability: 'flushed', transactionLifetimeMs: 5000 });
  client = await MongoClient.connect(engine.uri, { maxPoolSize: 64 });
});
afterAll(async () => {
  await client.close();
  await engine.close();
});
beforeEach(async () => {
  things = client.db('transactions').collection(`things${round++}`);
  await things.createIndexes([
    { key: { n: 1 }, name: 'n' },
    { key: { u: 1 }, name: 'u', unique: true, sparse: true },
  ]);
  await things.insertMany(['a', 'b', 'c'].map((_id, n) => ({ _id, n })));
});

const valid = async (): Promise<void> => {
  const { valid: isValid, errors } = await client.db('transactions').command({ validate: things.collectionName });
  expect({ isValid, errors }).toEqual({ isValid: true, errors: [] });
};

describe('a transaction', () => {
  it('sees the data as it was at its first statement, with its own writes on top, in index order', async () => {
    await client.withSession(async (session) => {
      session.startTransaction();
      expect(await things.findOne({ _id: 'a' }, { session })).toMatchObject({ n: 0 });
      await things.insertOne({ _id: 'z', n: 1 });
      await things.updateOne({ _id: 'b' }, { $set: { n: 9 } });
      await things.insertOne({ _id: 'own', n: 0.5 as number }, { session });
      await things.updateOne({ _id: 'c' }, { $set: { n: -1 } }, { session });
      const inside = await things.find({ n: { $gte: -5 } }, { session, sort: { n: 1 } }).toArray();
      expect(inside.map(({ _id, n }) => [_id, n])).toEqual([
        ['c', -1],
        ['a', 0],
        ['own', 0.5],
        ['b', 1],
      ]);
      expect(await things.find({ n: { $gte: -5 } }, { session, sort: { n: -1 }, limit: 2 }).toArray()).toHaveLength(2);
      expect(await things.countDocuments({ n: { $lt: 1 } }, { session })).toBe(3);
      const outside = await things.find({ n: { $gte: -5 } }, { sort: { n: 1 } }).toArray();
      expect(outside.map(({ _id }) => _id)).toEqual(['a', 'z', 'c', 'b']);
      await session.commitTransaction();
    });
    expect((await things.find({}, { sort: { n: 1 } }).toArray()).map(({ _id }) => _id)).toEqual([
      'c',
      'a',
      'own',
      'z',
      'b',
    ]);
    await valid();
  });

  it('leaves nothing behind when it aborts', async () => {
    await client.withSession(async (session) => {
      session.startTransaction();
      await things.insertOne({ _id: 'x', n: 1, u: 1 }, { session });
      await things.deleteOne({ _id: 'a' }, { session });
      await session.abortTransaction();
    });
    expect(await things.countDocuments()).toBe(3);
    await things.insertOne({ _id: 'y', n: 1, u: 1 });
    await valid();
  });

  it('makes the second writer of a record fail immediately, with a label to retry the transaction', async () => {
    await client.withSession((first) =>
      client.withSession(async (second) => {
        first.startTransaction();
        second.startTransaction();
        await things.updateOne({ _id: 'a' }, { $inc: { n: 1 } }, { session: first });
        const conflict = await things
          .updateOne({ _id: 'a' }, { $inc: { n: 1 } }, { session: second })
          .catch((error: MongoServerError) => error);
        expect(conflict).toMatchObject({ code: 112, codeName: 'WriteConflict' });
        expect((conflict as MongoServerError).hasErrorLabel('TransientTransactionError')).toBe(true);
        await first.commitTransaction();
      }),
    );
    expect(await things.findOne({ _id: 'a' })).toMatchObject({ n: 1 });
  });

  it('makes a write outside of a transaction wait until it has ended', async () => {
    await client.withSession(async (session) => {
      session.startTransaction();
      await things.updateOne({ _id: 'a' }, { $inc: { n: 1 } }, { session });
      await things.insertOne({ _id: 'unique', n: 1, u: 7 }, { session });
      const order: string[] = [];
      const waiting = [
        things.updateMany({ n: { $gte: 0 } }, { $inc: { n: 10 } }).then(() => order.push('update')),
        things.updateOne({ u: 7 }, { $inc: { n: 100 } }, { upsert: true }).then(() => order.push('upsert')),
      ];
      // The server has received both when it answers this.
      await things.findOne({ _id: 'a' });
      expect(order).toEqual([]);
      await session.commitTransaction();
      order.push('commit');
      await Promise.all(waiting);
      expect(order[0]).toBe('commit');
    });
    expect(await things.findOne({ _id: 'a' })).toMatchObject({ n: 11 });
    expect(await things.findOne({ u: 7 })).toMatchObject({ _id: 'unique', n: expect.any(Number) });
    expect(await things.countDocuments()).toBe(4);
    await valid();
  });

  it('can delete a unique key and insert it in another record', async () => {
    await things.updateOne({ _id: 'a' }, { $set: { u: 1 } });
    await client.withSession((session) =>
      session.withTransaction(async () => {
        await things.updateOne({ _id: 'a' }, { $unset: { u: 1 } }, { session });
        await things.updateOne({ _id: 'b' }, { $set: { u: 1 } }, { session });
      }),
    );
    expect(await things.findOne({ u: 1 })).toMatchObject({ _id: 'b' });
    await expect(things.updateOne({ _id: 'a' }, { $set: { u: 1 } })).rejects.toMatchObject({ code: 11000 });
    await valid();
  });

  it('counts exactly when many run concurrently', async () => {
    await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        client.withSession((session) =>
          session.withTransaction(async () => {
            const counter = await things.findOne({ _id: 'a' }, { session });
            await things.updateOne({ _id: 'a' }, { $set: { n: counter!.n + 1 } }, { session });
            await things.insertOne({ _id: `count${i}`, n: i }, { session });
          }),
        ),
      ),
    );
    expect(await things.findOne({ _id: 'a' })).toMatchObject({ n: 40 });
    expect(await things.countDocuments()).toBe(43);
    await valid();
  });

  it('lets only one of many take a unique key', async () => {
    const takers = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) =>
        client.withSession((session) =>
          session.withTransaction(async () => {
            await things.insertOne({ _id: `taker${i}`, n: 0, u: 5 }, { session });
          }),
        ),
      ),
    );
    expect(takers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const reasons = takers.flatMap((taker) => (taker.status === 'rejected' ? [taker.reason.code] : []));
    expect(new Set(reasons)).toEqual(new Set([11000]));
    expect(await things.countDocuments({ u: 5 })).toBe(1);
  });

  it('continues to read its cursor while others write', async () => {
    await things.insertMany(Array.from({ length: 300 }, (_, i) => ({ _id: `m${i}`, n: 1000 + i })));
    await client.withSession(async (session) => {
      session.startTransaction();
      const cursor = things.find({ n: { $gte: 1000 } }, { session, sort: { n: 1 }, batchSize: 10 });
      const ids = [(await cursor.next())!._id];
      await things.deleteMany({ n: { $gte: 1000, $lt: 1200 } });
      for await (const { _id } of cursor) ids.push(_id);
      expect(ids).toHaveLength(300);
      await session.commitTransaction();
    });
    expect(await things.countDocuments({ n: { $gte: 1000 } })).toBe(100);
  });

  it('of a dead client releases its locks at the end of its lifetime', async () => {
    const dying = connectRaw(engine.uri);
    const update = { q: { _id: 'a' }, u: { $set: { n: 99 } } };
    const reply = await dying.command('transactions', {
      update: things.collectionName,
      updates: [update],
      lsid: { id: new UUID() },
      txnNumber: Long.fromNumber(1),
      startTransaction: true,
      autocommit: false,
    });
    expect(Number(reply.nModified)).toBe(1);
    const waiting = things.updateOne({ _id: 'a' }, { $inc: { n: 1 } });
    dying.close();
    await waiting;
    expect(await things.findOne({ _id: 'a' })).toMatchObject({ n: 1 });
  });

  it('commits once when its commit is resent before the first reply', async () => {
    const [first, second] = [connectRaw(engine.uri), connectRaw(engine.uri)];
    const numbered = { lsid: { id: new UUID() }, txnNumber: Long.fromNumber(1), autocommit: false };
    const update = { q: { _id: 'a' }, u: { $inc: { n: 1 } } };
    await first.command('transactions', {
      update: things.collectionName,
      updates: [update],
      startTransaction: true,
      ...numbered,
    });
    await second.command('admin', { ping: 1 });
    const replies = await Promise.all(
      [first, second, first].map((client) => client.command('admin', { commitTransaction: 1, ...numbered })),
    );
    expect(replies.map(({ ok }) => Number(ok))).toEqual([1, 1, 1]);
    expect(await things.findOne({ _id: 'a' })).toMatchObject({ n: 1 });
    first.close();
    second.close();
  });

  it('does not use an index newer than its snapshot', async () => {
    await client.withSession(async (session) => {
      session.startTransaction();
      await things.findOne({ _id: 'a' }, { session });
      const other = client.db('transactions').collection<Thing & { w?: number }>(things.collectionName);
      await other.updateOne({ _id: 'a' }, { $set: { w: 1 } });
      await other.createIndex({ w: 1 });
      await expect(other.find({ w: { $gte: 0 } }, { session }).toArray()).rejects.toMatchObject({ code: 96 });
    });
  });

  it('creates the collections it writes to', async () => {
    const fresh = client.db('transactions').collection<Thing>(`fresh${round}`);
    await client.withSession((session) =>
      session.withTransaction(async () => {
        await fresh.insertOne({ _id: 'x', n: 1 }, { session });
        expect(await fresh.findOne({ _id: 'x' }, { session })).toMatchObject({ n: 1 });
      }),
    );
    expect(await fresh.countDocuments()).toBe(1);
  });
});
