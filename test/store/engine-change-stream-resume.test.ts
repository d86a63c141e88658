import { type Document, Timestamp } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { type Item, idsOf, type Stream, take, typesOf, useStreams, watch } from './change-stream-support.ts';

const fixtures = useStreams();

const watchItems = (options: Document = {}): Promise<Stream> => watch(fixtures, fixtures.items, [], options);

async function insert(...ids: Item['_id'][]): Promise<void> {
  for (const _id of ids) await fixtures.items.insertOne({ _id });
}

const NOT_RESUMABLE = { errorLabels: ['NonResumableChangeStreamError'] };

describe('a change stream resumed', () => {
  it('after any event continues with the next one, also within a transaction', async () => {
    const stream = await watchItems();
    await insert(1);
    await fixtures.client.withSession((session) =>
      session.withTransaction(async () => {
        for (const _id of [2, 3, 4]) await fixtures.items.insertOne({ _id }, { session });
      }),
    );
    await insert(5);
    const events = await take(stream, 5);
    for (const option of ['resumeAfter', 'startAfter']) {
      for (const [i, event] of events.slice(0, -1).entries()) {
        const rest = await take(await watchItems({ [option]: event._id }), 4 - i);
        expect(rest).toEqual(events.slice(i + 1));
      }
    }
  });

  it('after an empty batch misses nothing', async () => {
    const stream = await watchItems();
    await fixtures.db.collection('others').insertOne({});
    await stream.tryNext();
    const token = stream.resumeToken;
    await insert(1, 2);
    expect(idsOf(await take(await watchItems({ resumeAfter: token }), 2))).toEqual([1, 2]);
  });

  it('with other stages and on the database finds its event', async () => {
    const stream = await watchItems();
    await insert(1, 2);
    const [first] = await take(stream, 1);
    await fixtures.items.deleteOne({ _id: 1 });
    const filtered = await watch(fixtures, fixtures.items, [{ $match: { operationType: 'delete' } }], {
      resumeAfter: first!._id,
    });
    expect(idsOf(await take(filtered, 1))).toEqual([1]);
    const wider = await watch(fixtures, fixtures.db, [], { resumeAfter: first!._id });
    expect(idsOf(await take(wider, 2))).toEqual([2, 1]);
  });

  it('at a time starts with the changes of that time', async () => {
    const stream = await watchItems();
    await insert(1, 2, 3);
    const events = await take(stream, 3);
    for (const [i, { clusterTime }] of events.entries()) {
      const again = await watchItems({ startAtOperationTime: clusterTime });
      expect(await take(again, 3 - i)).toEqual(events.slice(i));
    }
  });

  it('at the operationTime of a reply starts after the write', async () => {
    const { operationTime } = (await fixtures.db.command({ ping: 1 })) as { operationTime: Timestamp };
    const reply = await fixtures.db.command({ insert: 'items', documents: [{ _id: 1 }] });
    expect(reply.operationTime.greaterThan(operationTime)).toBe(true);
    await insert(2);
    const stream = await watchItems({ startAtOperationTime: reply.operationTime });
    expect(idsOf(await take(stream, 2))).toEqual([1, 2]);
  });

  it('continues past a drop only with startAfter', async () => {
    const stream = await watchItems();
    await insert(1);
    await fixtures.items.drop();
    const [, dropped, invalidated] = await take(stream, 3);
    await insert(2);
    expect(typesOf(await take(await watchItems({ resumeAfter: dropped!._id }), 1))).toEqual(['invalidate']);
    expect(idsOf(await take(await watchItems({ startAfter: invalidated!._id }), 1))).toEqual([2]);
    const refused = await watchItems({ resumeAfter: invalidated!._id });
    await expect(refused.next()).rejects.toMatchObject({ code: 260, codeName: 'InvalidResumeToken' });
  });

  it('is rejected when its event belongs to another stream', async () => {
    const stream = await watchItems();
    const others = await watch(fixtures, fixtures.db.collection('others'));
    await fixtures.db.collection<Item>('others').insertOne({ _id: 1 });
    await insert(1);
    const [foreign] = await take(others, 1);
    const [own] = await take(stream, 1);
    const digits = own!._id._data as string;
    const nowhere = { _data: `${digits.slice(0, 24)}07${digits.slice(26)}` };
    const ofAServer = { _data: `${digits.slice(0, 18)}2B042C0100296E5A1004` };
    await insert(2);
    for (const token of [foreign!._id, nowhere, ofAServer]) {
      const resumed = await watchItems({ resumeAfter: token });
      await expect(resumed.next()).rejects.toMatchObject({ code: 280, ...NOT_RESUMABLE });
    }
  });

  it('is rejected when its event never happened in this store', async () => {
    const stream = await watchItems();
    await insert(1);
    const [{ _id: token, clusterTime }] = (await take(stream, 1)) as [Document];
    const later = (clusterTime.t + 100).toString(16).toUpperCase().padStart(8, '0');
    const resumed = await watchItems({ resumeAfter: { _data: token._data.replace(/(?<=^82).{8}/, later) } });
    await expect(resumed.next()).rejects.toMatchObject({ code: 286, ...NOT_RESUMABLE });
    // A token may contain a future time, from which the driver may resume.
    const toCome = await watchItems({ startAtOperationTime: new Timestamp({ t: clusterTime.t + 100, i: 1 }) });
    expect(await toCome.tryNext()).toBeNull();
    const again = await watchItems({ resumeAfter: toCome.resumeToken });
    expect(await again.tryNext()).toBeNull();
  });

  it('by the driver continues after its connection was cut', async () => {
    const stream = await watchItems();
    await insert(1);
    await take(stream, 1);
    const { cursor } = stream as unknown as { cursor: { id: bigint } };
    await fixtures.db.command({ killCursors: 'items', cursors: [cursor.id] });
    await insert(2);
    expect(idsOf(await take(stream, 1))).toEqual([2]);
  });
});
