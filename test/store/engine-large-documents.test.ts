import { crc32 } from 'node:zlib';
import { Binary, type Document, MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEngine, type TestEngine } from './engine-support.ts';
import { connectRaw } from './raw-client.ts';

const MIB = 1024 * 1024;
let engine: TestEngine;
let client: MongoClient;

beforeAll(async () => {
  engine = await startEngine({ refuseUnindexed: false });
  client = await MongoClient.connect(engine.uri, { forceServerObjectId: true });
});
afterAll(async () => {
  await client.close();
  await engine.close();
});

const collection = (name: string) => client.db('large').collection(name);
const filled = (size: number, seed: number): Binary => new Binary(Buffer.alloc(size, `${seed} large `));

/** The document without `_id`, with checksums in place of large values, which are slow to compare. */
const summaryOf = ({ _id, data, text, ...rest }: Document): Document => ({
  ...rest,
  data: data && crc32(data.value()),
  text: text && crc32(text),
});

it('stores large documents and reports them in change events unchanged', async () => {
  const items = collection('items');
  await items.createIndex({ n: 1 }, { unique: true });
  const stream = items.watch();
  expect(await stream.tryNext()).toBeNull();
  const documents: Document[] = [
    { n: 1, data: filled(3 * MIB, 1) },
    { n: 2, small: true },
    { data: filled(7 * MIB, 3), n: 3, _id: 'last' },
    { _id: 'text', n: 4, text: 'é'.repeat(400_000) },
    { _id: 'at the bound', n: 5, data: filled(512 * 1024, 5) },
  ];
  const { insertedIds } = await items.insertMany(documents);
  expect(Object.keys(insertedIds)).toHaveLength(5);
  await items.replaceOne({ n: 1 }, { n: 1, data: filled(2 * MIB, 6) });
  const inserted: Document[] = [];
  for (let i = 0; i < 6; i++) inserted.push((await stream.next()) as Document);
  await stream.close();
  const replacement = { n: 1, data: filled(2 * MIB, 6) };
  expect(inserted.map(({ fullDocument }) => summaryOf(fullDocument))).toEqual(
    [...documents, replacement].map(summaryOf),
  );
  const found = await items.find({}).sort({ n: 1 }).toArray();
  expect(found.map(summaryOf)).toEqual([replacement, ...documents.slice(1)].map(summaryOf));
  expect(Object.keys(found[2]!)[0]).toBe('_id');
  expect((await client.db('large').command({ validate: 'items' })).valid).toBe(true);
});

it('refuses large documents at their position and continues an unordered insert', async () => {
  const refused = collection('refused');
  const documents: Document[] = [
    { _id: 1, data: filled(MIB, 1) },
    { _id: 1, data: filled(MIB, 2) },
    { _id: /x/, data: filled(MIB, 3) },
    { _id: 4, data: filled(MIB, 4) },
  ];
  const error = await refused.insertMany(documents as never, { ordered: false }).catch((caught) => caught);
  expect(error.writeErrors.map(({ index, code }: Document) => [index, code])).toEqual([
    [1, 11000],
    [2, 53],
  ]);
  expect(await refused.countDocuments()).toBe(2);
});

it('inserts large documents within a transaction', async () => {
  const whole = collection('whole');
  await client.withSession((session) =>
    session.withTransaction(async () => {
      await whole.insertMany([{ data: filled(MIB, 1) }, { data: filled(MIB, 2) }], { session });
      await whole.updateOne({ data: filled(MIB, 1) }, { $set: { changed: true } }, { session });
    }),
  );
  const expected = [{ data: filled(MIB, 1), changed: true }, { data: filled(MIB, 2) }];
  expect((await whole.find().toArray()).map(summaryOf)).toEqual(expected.map(summaryOf));
});

it('serves other clients between the steps of an insert of large documents', async () => {
  const [worker, pinger] = [connectRaw(engine.uri), connectRaw(engine.uri)];
  const documents = Array.from({ length: 5 }, () => ({ data: filled(3 * MIB, 1) }));
  let isAnswered = false;
  const running = worker.command('large', { insert: 'served', documents }).finally(() => {
    isAnswered = true;
  });
  let pings = 0;
  while (!isAnswered) {
    await pinger.command('admin', { ping: 1 });
    if (!isAnswered) pings++;
  }
  expect((await running).n.valueOf()).toBe(5);
  expect(pings).toBeGreaterThan(5);
  worker.close();
  pinger.close();
});
