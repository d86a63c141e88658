import type { Document, Long } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { take, useStreams, watch } from './change-stream-support.ts';
import { connectRaw } from './raw-client.ts';

const fixtures = useStreams();
const watchItems = (pipeline: Document[] = [], options: Document = {}) =>
  watch(fixtures, fixtures.items, pipeline, options);

/** Resolves when the server has read everything that was sent to it before. */
const received = () => fixtures.db.command({ ping: 1 });
const openCursors = async (): Promise<number> =>
  (await fixtures.client.db('admin').command({ serverStatus: 1 })).metrics.cursor.open.total;

describe('a waiting change stream', () => {
  const openRaw = async () => {
    const raw = connectRaw(fixtures.engine.uri);
    const { cursor } = await raw.command(fixtures.db.databaseName, {
      aggregate: 'items',
      pipeline: [{ $changeStream: {} }],
      cursor: {},
    });
    const more = (maxTimeMS?: number) =>
      raw.command(fixtures.db.databaseName, {
        getMore: cursor.id,
        collection: 'items',
        ...(maxTimeMS !== undefined && { maxTimeMS }),
      });
    return { raw, id: cursor.id as Long, more };
  };

  it('gets a reply at the next write, and delays no other client', async () => {
    const { raw, more } = await openRaw();
    const waiting = more(60_000);
    expect(await fixtures.db.command({ ping: 1 })).toMatchObject({ ok: 1 });
    await fixtures.items.insertOne({ _id: 1 });
    const { cursor } = await waiting;
    expect(cursor.nextBatch.map(({ operationType }: Document) => operationType)).toEqual(['insert']);
    raw.close();
  });

  it('gets an empty batch at the end of its time, with a newer resume token', async () => {
    const { raw, more } = await openRaw();
    const first = await more(0);
    await fixtures.db.collection('others').insertOne({});
    const second = await more(5);
    raw.close();
    for (const reply of [first, second]) expect(reply.cursor.nextBatch).toEqual([]);
    const [before, after] = [first, second].map((reply) => reply.cursor.postBatchResumeToken._data);
    expect(before < after).toBe(true);
    expect(second.operationTime.greaterThan(first.operationTime)).toBe(true);
  });

  it('ends when it is killed, when its session ends, and when its connection closes', async () => {
    const before = await openCursors();
    const killed = await openRaw();
    const waiting = killed.more(60_000);
    await received();
    expect(await fixtures.db.command({ killCursors: 'items', cursors: [killed.id] })).toMatchObject({ ok: 1 });
    expect(await waiting).toMatchObject({ ok: expect.anything(), codeName: 'CursorKilled' });
    expect(await killed.more(10)).toMatchObject({ codeName: 'CursorNotFound' });
    killed.raw.close();

    const session = fixtures.client.startSession();
    const { cursor } = await fixtures.db.command(
      { aggregate: 'items', pipeline: [{ $changeStream: {} }], cursor: {} },
      { session },
    );
    const orphan = fixtures.db.command({ getMore: cursor.id, collection: 'items', maxTimeMS: 60_000 }, { session });
    const outcome = expect(orphan).rejects.toMatchObject({ codeName: 'CursorKilled' });
    await received();
    await fixtures.client.db('admin').command({ killSessions: [session.id] });
    await outcome;
    await session.endSession();

    const cut = await openRaw();
    void cut.more(60_000);
    await received();
    expect(await openCursors()).toBe(before + 1);
    cut.raw.socket.destroy();
    await expect.poll(openCursors, { timeout: 30_000 }).toBe(before);
  });

  it('is one of a hundred that each see every event once, in order', async () => {
    const all = await Promise.all(Array.from({ length: 100 }, () => watchItems()));
    await Promise.all(
      Array.from({ length: 10 }, async (_, writer) => {
        for (let i = 0; i < 10; i++) await fixtures.items.insertOne({ _id: `${writer}/${i}` });
      }),
    );
    const seen = await Promise.all(all.map((stream) => take(stream, 100)));
    const order = seen[0]!.map(({ documentKey }) => documentKey._id);
    expect(new Set(order).size).toBe(100);
    for (const events of seen) expect(events.map(({ documentKey }) => documentKey._id)).toEqual(order);
  });

  it('sends an event of 16 MiB, and returns an error when its lookup makes it larger', async () => {
    const stream = await watchItems([], { fullDocument: 'updateLookup' });
    const text = 'x'.repeat(9 * 1024 * 1024);
    await fixtures.items.insertOne({ _id: 1, text });
    expect((await take(stream, 1))[0]!.fullDocument.text.length).toBe(text.length);
    await fixtures.items.updateOne({ _id: 1 }, { $set: { text: text.replaceAll('x', 'y') } });
    await expect(stream.next()).rejects.toMatchObject({ code: 10334 });
  });

  it('reports an update as a replacement when its description would exceed the size of any document', async () => {
    const name = 'x'.repeat(1000);
    await fixtures.items.insertOne({ _id: 1, [name]: [-1] });
    const stream = await watchItems();
    const $each = Array.from({ length: 20_000 }, (_, n) => n);
    const push: Document = { $push: { [name]: { $each } } };
    const { modifiedCount } = await fixtures.items.updateOne({ _id: 1 }, push);
    expect(modifiedCount).toBe(1);
    const [event] = await take(stream, 1);
    expect([event!.operationType, event!.fullDocument[name].length]).toEqual(['replace', $each.length + 1]);
  });
});
