import { type Document, Long, UUID } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { type Item, idsOf, take, typesOf, useStreams, watch } from './change-stream-support.ts';
import { connectRaw } from './raw-client.ts';

const fixtures = useStreams({ ttlSweepMs: 100 });
const watchItems = (pipeline: Document[] = [], options: Document = {}) =>
  watch(fixtures, fixtures.items, pipeline, options);

describe('a change stream', () => {
  it('reports every kind of change in commit order, with the fields that MongoDB gives it', async () => {
    const stream = await watchItems();
    await fixtures.items.insertOne({ _id: 1, a: 1 });
    await fixtures.items.updateOne({ _id: 1 }, { $set: { a: 2 } });
    await fixtures.items.replaceOne({ _id: 1 }, { b: 1 });
    await fixtures.items.deleteOne({ _id: 1 });
    await fixtures.items.drop();
    const events = await take(stream, 6);
    const ns = { db: fixtures.db.databaseName, coll: 'items' };
    const documentKey = { _id: 1 };
    expect(events.map(({ _id, clusterTime, wallTime, ...rest }) => rest)).toEqual([
      { operationType: 'insert', fullDocument: { _id: 1, a: 1 }, ns, documentKey },
      {
        operationType: 'update',
        ns,
        documentKey,
        updateDescription: { updatedFields: { a: 2 }, removedFields: [], truncatedArrays: [] },
      },
      { operationType: 'replace', fullDocument: { _id: 1, b: 1 }, ns, documentKey },
      { operationType: 'delete', ns, documentKey },
      { operationType: 'drop', ns },
      { operationType: 'invalidate' },
    ]);
    expect(Object.keys(events[0]!)).toEqual([
      '_id',
      'operationType',
      'clusterTime',
      'wallTime',
      'fullDocument',
      'ns',
      'documentKey',
    ]);
    for (const { _id, clusterTime, wallTime } of events) {
      expect(_id._data).toMatch(/^82[0-9A-F]{34}$/);
      expect(clusterTime.t).toBeGreaterThan(1.7e9);
      expect(Math.abs(Date.now() - wallTime.getTime())).toBeLessThan(60_000);
    }
    const tokens = events.map(({ _id }) => _id._data);
    expect([...tokens].sort()).toEqual(tokens);
    await expect(stream.next()).rejects.toThrow();
  });

  it('can be opened on a missing namespace, and on a database continues past drops', async () => {
    const stream = await watch(fixtures, fixtures.db);
    await fixtures.items.insertOne({ _id: 1 });
    await fixtures.db.collection<Item>('others').insertOne({ _id: 2 });
    await fixtures.items.drop();
    await fixtures.items.insertOne({ _id: 3 });
    await fixtures.db.dropDatabase();
    const events = await take(stream, 8);
    expect(typesOf(events)).toEqual([
      'insert',
      'insert',
      'drop',
      'insert',
      'drop',
      'drop',
      'dropDatabase',
      'invalidate',
    ]);
    expect(events[6]!.ns).toEqual({ db: fixtures.db.databaseName });
    expect(events.slice(0, 2).map(({ ns }) => ns.coll)).toEqual(['items', 'others']);
  });

  it('on the deployment reports changes of all databases and is never invalidated', async () => {
    const stream = await watch(fixtures, fixtures.client);
    await fixtures.items.insertOne({ _id: 1 });
    await fixtures.db.dropDatabase();
    const other = fixtures.client.db(`${fixtures.db.databaseName}_b`);
    await other.collection<Item>('x').insertOne({ _id: 1 });
    const events = await take(stream, 4);
    expect(events.map(({ operationType, ns }) => [operationType, ns.db])).toEqual([
      ['insert', fixtures.db.databaseName],
      ['drop', fixtures.db.databaseName],
      ['dropDatabase', fixtures.db.databaseName],
      ['insert', other.databaseName],
    ]);
  });

  it('reports no writes that change nothing, fail, or belong to another namespace', async () => {
    await fixtures.items.createIndex({ u: 1 }, { unique: true, sparse: true });
    await fixtures.items.insertMany([
      { _id: 1, a: 1, u: 1 },
      { _id: 2, a: 1 },
    ]);
    const stream = await watchItems();
    await fixtures.items.updateMany({}, { $set: { a: 1 }, $unset: { none: '' } });
    await fixtures.items.updateMany({}, [{ $set: { a: 1 } }]);
    await fixtures.items.updateOne({ _id: 9 }, { $set: { a: 2 } });
    await fixtures.items.deleteOne({ _id: 9 });
    await expect(fixtures.items.insertOne({ _id: 1 })).rejects.toMatchObject({ code: 11000 });
    await expect(fixtures.items.updateOne({ _id: 2 }, { $set: { u: 1 } })).rejects.toMatchObject({ code: 11000 });
    await fixtures.db.collection('others').insertOne({});
    await fixtures.items.createIndex({ a: 1 });
    await fixtures.items.insertOne({ _id: 'end' });
    expect((await take(stream, 1))[0]!.documentKey).toEqual({ _id: 'end' });
  });

  it('reports the effects of upserts, findAndModify and multi-document writes one by one', async () => {
    const stream = await watchItems();
    await fixtures.items.updateOne({ _id: 7 }, { $set: { a: 1 } }, { upsert: true });
    await fixtures.items.findOneAndUpdate({ _id: 7 }, { $inc: { a: 1 } });
    await fixtures.items.findOneAndReplace({ _id: 7 }, { b: 1 });
    await fixtures.items.findOneAndDelete({ _id: 7 });
    await fixtures.items.insertMany([{ _id: 1 }, { _id: 2 }]);
    await fixtures.items.updateMany({}, { $set: { z: 1 } });
    await fixtures.items.deleteMany({});
    expect((await take(stream, 10)).map(({ operationType, documentKey }) => [operationType, documentKey._id])).toEqual([
      ['insert', 7],
      ['update', 7],
      ['replace', 7],
      ['delete', 7],
      ['insert', 1],
      ['insert', 2],
      ['update', 1],
      ['update', 2],
      ['delete', 1],
      ['delete', 2],
    ]);
  });

  it('reports documents removed by a TTL index', async () => {
    await fixtures.items.createIndex({ at: 1 }, { expireAfterSeconds: 0 });
    const stream = await watchItems([{ $match: { operationType: 'delete' } }]);
    await fixtures.items.insertOne({ _id: 5, at: new Date(0) });
    expect((await take(stream, 1))[0]!.documentKey).toEqual({ _id: 5 });
  });

  it('reports a retried write once', async () => {
    const stream = await watchItems();
    const raw = connectRaw(fixtures.engine.uri);
    const write = {
      insert: 'items',
      documents: [{ _id: 1 }],
      lsid: { id: new UUID() },
      txnNumber: Long.fromNumber(1),
    };
    const replies = [
      await raw.command(fixtures.db.databaseName, write),
      await raw.command(fixtures.db.databaseName, write),
    ];
    raw.close();
    expect(replies.map(({ n, retriedStmtIds }) => [Number(n), retriedStmtIds?.length])).toEqual([
      [1, undefined],
      [1, 1],
    ]);
    await fixtures.items.insertOne({ _id: 2 });
    const events = await take(stream, 2);
    expect(idsOf(events)).toEqual([1, 2]);
    expect(events[0]).not.toHaveProperty('txnNumber');
  });
});

describe('a transaction in a change stream', () => {
  it('is reported whole, in statement order, at one time and with its number and session', async () => {
    await fixtures.db.createCollection('others');
    await fixtures.items.insertOne({ _id: 1, a: 0 });
    const stream = await watch(fixtures, fixtures.db);
    const session = fixtures.client.startSession();
    session.startTransaction();
    await fixtures.items.insertOne({ _id: 5, a: 1 }, { session });
    await fixtures.items.updateOne({ _id: 5 }, { $inc: { a: 1 } }, { session });
    await fixtures.db.collection<Item>('others').insertOne({ _id: 9 });
    await fixtures.items.updateOne({ _id: 1 }, { $inc: { a: 1 } }, { session });
    await fixtures.db.collection<Item>('others').insertOne({ _id: 10 }, { session });
    await fixtures.items.deleteOne({ _id: 5 }, { session });
    await session.commitTransaction();
    await fixtures.items.insertOne({ _id: 6 });

    const events = await take(stream, 7);
    expect(events.map(({ operationType, documentKey }) => [operationType, documentKey._id])).toEqual([
      ['insert', 9],
      ['insert', 5],
      ['update', 5],
      ['update', 1],
      ['insert', 10],
      ['delete', 5],
      ['insert', 6],
    ]);
    const own = events.slice(1, 6);
    expect(new Set(own.map(({ clusterTime }) => String(clusterTime))).size).toBe(1);
    expect(new Set(events.map(({ _id }) => _id._data)).size).toBe(7);
    for (const { txnNumber, lsid } of own) {
      expect(Number(txnNumber)).toBe(session.serverSession.txnNumber);
      expect(lsid.id.toString('hex')).toBe(session.id!.id.toString('hex'));
      expect(lsid.uid.length()).toBe(32);
    }
    expect(events[6]).not.toHaveProperty('lsid');
    await session.endSession();
  });

  it('is reported only after its commit, and never if it aborts', async () => {
    await fixtures.items.insertOne({ _id: 0 });
    const stream = await watchItems([], { maxAwaitTimeMS: 50 });
    const session = fixtures.client.startSession();
    session.startTransaction();
    await fixtures.items.insertOne({ _id: 1 }, { session });
    expect(await stream.tryNext()).toBeNull();
    await session.abortTransaction();
    session.startTransaction();
    await fixtures.items.insertOne({ _id: 2 }, { session });
    expect(await stream.tryNext()).toBeNull();
    await session.commitTransaction();
    await session.commitTransaction();
    await fixtures.items.insertOne({ _id: 3 });
    expect(idsOf(await take(stream, 2))).toEqual([2, 3]);
    await session.endSession();
  });
});

it('reports an update by a pipeline that changes more than 500 values as a replacement', async () => {
  const { items } = fixtures;
  await items.insertOne({ _id: 1, rows: Array.from({ length: 2000 }, (_, i) => ({ i, text: 'x'.repeat(20) })) });
  const stream = await watchItems();
  const changed = (count: number) => [
    {
      $set: {
        rows: {
          $map: {
            input: '$rows',
            in: { i: { $cond: [{ $lt: ['$$this.i', count] }, -1, '$$this.i'] }, text: '$$this.text' },
          },
        },
      },
    },
  ];
  await items.updateOne({ _id: 1 }, changed(400));
  expect((await take(stream, 1))[0]!.operationType).toBe('update');
  await items.updateOne({ _id: 1 }, [
    { $set: { rows: { $map: { input: '$rows', in: { i: -2, text: '$$this.text' } } } } },
  ]);
  expect((await take(stream, 1))[0]!.operationType).toBe('replace');
});
