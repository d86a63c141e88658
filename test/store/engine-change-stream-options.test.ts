import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { take, typesOf, useStreams, watch } from './change-stream-support.ts';

const fixtures = useStreams();
const TOKEN = '826B01A0B3000000010000000000';
const watchItems = (pipeline: Document[] = [], options: Document = {}) =>
  watch(fixtures, fixtures.items, pipeline, options);

describe('fullDocument', () => {
  it('updateLookup adds the current document, or null', async () => {
    const stream = await watchItems([], { fullDocument: 'updateLookup' });
    await fixtures.items.insertOne({ _id: 1, a: 0 });
    await fixtures.items.updateOne({ _id: 1 }, { $set: { a: 1 } });
    expect((await take(stream, 2))[1]!.fullDocument).toEqual({ _id: 1, a: 1 });
    await fixtures.items.updateOne({ _id: 1 }, { $set: { a: 2 } });
    await fixtures.items.deleteOne({ _id: 1 });
    const [update] = await take(stream, 1);
    expect(update!.updateDescription.updatedFields).toEqual({ a: 2 });
    expect([null, 2]).toContain(update!.fullDocument?.a ?? null);
  });

  it('images that are not stored are null for whenAvailable and an error for required', async () => {
    const may = await watchItems([], { fullDocument: 'whenAvailable', fullDocumentBeforeChange: 'whenAvailable' });
    await fixtures.items.insertOne({ _id: 1 });
    await fixtures.items.updateOne({ _id: 1 }, { $set: { a: 1 } });
    await fixtures.items.replaceOne({ _id: 1 }, { b: 1 });
    await fixtures.items.deleteOne({ _id: 1 });
    const found = await take(may, 4);
    expect(found.map(({ fullDocument, fullDocumentBeforeChange }) => [fullDocument, fullDocumentBeforeChange])).toEqual(
      [
        [{ _id: 1 }, undefined],
        [null, null],
        [{ _id: 1, b: 1 }, null],
        [undefined, null],
      ],
    );
    for (const options of [{ fullDocument: 'required' }, { fullDocumentBeforeChange: 'required' }]) {
      const must = await watchItems([], options);
      await fixtures.items.insertOne({ _id: 2 });
      expect(typesOf(await take(must, 1))).toEqual(['insert']);
      await fixtures.items.updateOne({ _id: 2 }, { $set: { a: 1 } });
      await expect(must.next()).rejects.toMatchObject({ code: 47, codeName: 'NoMatchingDocument' });
      await fixtures.items.deleteOne({ _id: 2 });
    }
  });
});

describe('the pipeline of a change stream', () => {
  it('filters and transforms events', async () => {
    const stream = await watchItems([
      { $match: { operationType: { $in: ['insert', 'update'] }, 'documentKey._id': { $gte: 2 } } },
      { $match: { 'fullDocument.kind': { $ne: 'hidden' } } },
      { $addFields: { kind: '$fullDocument.kind' } },
      { $project: { operationType: 1, kind: 1, documentKey: 1 } },
      { $unset: 'operationType' },
    ]);
    await fixtures.items.insertMany([
      { _id: 1, kind: 'small' },
      { _id: 2, kind: 'hidden' },
      { _id: 3, kind: 'large' },
    ]);
    await fixtures.items.deleteOne({ _id: 3 });
    await fixtures.items.insertOne({ _id: 4 });
    const events = await take(stream, 2);
    expect(events.map(({ _id, ...rest }) => rest)).toEqual([
      { documentKey: { _id: 3 }, kind: 'large' },
      { documentKey: { _id: 4 } },
    ]);
  });

  const KEYS = { operationType: 1, ns: 1, documentKey: 1 };
  it.each<Document>([
    KEYS,
    { ...KEYS, updateDescription: 1 },
    { ...KEYS, 'fullDocument.kind': 1, 'fullDocument.none': 1 },
    { 'fullDocument.kind': 1, updateDescription: 1, 'fullDocument.a': 1, ...KEYS },
    { ...KEYS, 'fullDocument.nested.b': 1 },
    { ...KEYS, fullDocument: 1 },
    { ...KEYS, clusterTime: 1 },
    { ...KEYS, 'updateDescription.updatedFields': 1 },
    { operationType: 1, updateDescription: 1 },
  ])(
    'a projection that can be copied from the log selects the fields that any other stage would: %j',
    async ($project) => {
      // A further stage lets events be decoded.
      const [copied, decoded] = await Promise.all([
        watchItems([{ $project }]),
        watchItems([{ $match: { operationType: { $exists: true } } }, { $project }]),
      ]);
      await fixtures.items.insertMany([{ _id: 1, kind: 'small', a: [1], nested: { b: 1, c: 2 } }, { _id: 2 }]);
      await fixtures.items.updateOne({ _id: 1 }, { $set: { 'nested.b': 2, kind: 'large' }, $unset: { a: '' } });
      await fixtures.items.replaceOne({ _id: 1 }, { kind: 'other' });
      await fixtures.items.updateOne({ _id: 3 }, { $set: { kind: 'upserted' } }, { upsert: true });
      await fixtures.items.deleteOne({ _id: 1 });
      const events = await take(copied, 6);
      expect(typesOf(events)).toEqual(['insert', 'insert', 'update', 'replace', 'insert', 'delete']);
      expect(events.map((event) => JSON.stringify(event))).toEqual(
        (await take(decoded, 6)).map((event) => JSON.stringify(event)),
      );
    },
  );

  it('matches on the looked-up document', async () => {
    const stream = await watchItems([{ $match: { 'fullDocument.a': 2 } }], { fullDocument: 'updateLookup' });
    await fixtures.items.insertOne({ _id: 1, a: 0 });
    await fixtures.items.updateOne({ _id: 1 }, { $inc: { a: 2 } });
    const [event] = await take(stream, 1);
    expect(event).toMatchObject({ operationType: 'update', fullDocument: { _id: 1, a: 2 } });
  });

  it.each([[{ $unset: '_id' }], [{ $addFields: { '_id._data': 'x' } }], [{ $replaceWith: { a: 1 } }]])(
    'must not change the resume token: %j',
    async (stage) => {
      const stream = await watchItems([stage]);
      await fixtures.items.insertOne({ _id: 1 });
      await expect(stream.next()).rejects.toMatchObject({
        code: 280,
        codeName: 'ChangeStreamFatalError',
        errorLabels: ['NonResumableChangeStreamError'],
      });
    },
  );

  it.each(['$sort', '$limit', '$group', '$lookup', '$unwind', '$count', '$facet', '$out', '$merge', '$graphLookup'])(
    'must not contain %s',
    async (name) => {
      const aggregate = fixtures.db.command({
        aggregate: 'items',
        pipeline: [{ $changeStream: {} }, { [name]: {} }],
        cursor: {},
      });
      await expect(aggregate).rejects.toMatchObject({ code: 20, codeName: 'IllegalOperation' });
    },
  );

  it.each<[string, Document, number]>([
    ['an unknown option', { foo: 1 }, 40415],
    ['an unknown kind of fullDocument', { fullDocument: 'nope' }, 2],
    ['two start points', { resumeAfter: { _data: TOKEN }, startAfter: { _data: TOKEN } }, 50865],
    ['an invalid token', { resumeAfter: { _data: 'zz' } }, 9],
    ['an empty token', { resumeAfter: { _data: '' } }, 40649],
    ['a token without data', { resumeAfter: {} }, 40647],
    ['a token of another type', { resumeAfter: 'x' }, 14],
    ['a time of another type', { startAtOperationTime: 5 }, 14],
    ['allChangesForCluster on one database', { allChangesForCluster: true }, 72],
  ])('%s is refused as MongoDB refuses it', async (_name, options, code) => {
    const aggregate = fixtures.db.command({ aggregate: 'items', pipeline: [{ $changeStream: options }], cursor: {} });
    await expect(aggregate).rejects.toMatchObject({ code });
  });

  it('is rejected in transactions, with other read concerns and on internal databases', async () => {
    const aggregate = { aggregate: 'items', pipeline: [{ $changeStream: {} }], cursor: {} };
    const session = fixtures.client.startSession();
    session.startTransaction();
    await expect(fixtures.db.command(aggregate, { session })).rejects.toMatchObject({ code: 263 });
    await session.endSession();
    await expect(fixtures.db.command({ ...aggregate, readConcern: { level: 'local' } })).rejects.toMatchObject({
      code: 72,
    });
    await expect(fixtures.client.db('config').command(aggregate)).rejects.toMatchObject({ code: 73 });
    const late = { ...aggregate, pipeline: [{ $match: {} }, { $changeStream: {} }] };
    await expect(fixtures.db.command(late)).rejects.toMatchObject({ code: 40602 });
  });
});
