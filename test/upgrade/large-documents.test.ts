import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { type Collection, type Document, MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startEmbeddedStore } from '../../src/embedded/index.ts';
import { checkStore } from '../../src/embedded/maintenance/check-store.ts';
import { openStorage } from '../../src/embedded/storage/storage.ts';
import { patchDriver } from '../../src/store/driver-patches.ts';
import { buildStoreProgram } from '../store-cli/program.ts';

patchDriver();

interface Row extends Document {
  _id: number;
}

/**
 * The folder of an embedded store that an earlier version wrote, before there were bounds on keys and elements. Database
 * `large`: `keyed` has two documents with 6,500 keys in index `a_1`, `manyIndexes` one with 3,200 keys in each of two
 * indexes, `expiring` one with 6,500 keys and a date of the past in a TTL index, `wide` one with 33,500 fields in
 * `fields`, `long` one with an array `list` of 100,500 numbers.
 */
const WRITTEN = new URL('./data-large/', import.meta.url);

let folder: string;
let client: MongoClient | undefined;
let closeStore: (() => Promise<void>) | undefined;
const warnings: string[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colloquy-large-'));
  await copyFile(new URL('format.json', WRITTEN), join(folder, 'format.json'));
  const packed = await readFile(new URL('store.mdb.br', WRITTEN));
  await writeFile(join(folder, 'store.mdb'), await promisify(brotliDecompress)(packed));
});
afterEach(async () => {
  await client?.close();
  client = undefined;
  await closeStore?.();
  closeStore = undefined;
  await rm(folder, { recursive: true, force: true });
});

async function start(ttlSweepMs = 3_600_000): Promise<void> {
  const onWarning = (message: string) => void warnings.push(message);
  const store = await startEmbeddedStore({ folder, durability: 'memory', ttlSweepMs, onWarning });
  closeStore = store.close;
  client = await MongoClient.connect(store.uri);
}
const collection = (name: string): Collection<Row> => client!.db('large').collection<Row>(name);
const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

describe('a stored document with more index keys than a new one may have', () => {
  it('can be updated, lose keys, be replaced and be deleted', async () => {
    await start();
    const keyed = collection('keyed');
    await keyed.updateOne({ _id: 1 }, { $set: { note: 'unchanged keys' } });
    await keyed.updateOne({ _id: 1 }, { $set: { 'a.3': -1 } });
    expect(await keyed.countDocuments({ a: -1 })).toBe(1);
    expect(await keyed.countDocuments({ a: 3 })).toBe(1);
    await keyed.updateOne({ _id: 1 }, { $pop: { a: 1 } });
    expect(await keyed.countDocuments({ a: 6499 })).toBe(1);
    await expect(keyed.updateOne({ _id: 1 }, { $push: { a: { $each: [-2, -3] } } } as Document)).rejects.toMatchObject({
      code: 201,
    });
    await keyed.replaceOne({ _id: 1 }, { a: [1] });
    await keyed.deleteOne({ _id: 2 });
    expect(await keyed.find({ a: { $gte: 0 } }).toArray()).toEqual([{ _id: 1, a: [1] }]);
    const session = client!.startSession();
    await session.withTransaction(() =>
      collection('manyIndexes')
        .updateOne({ _id: 1 }, { $set: { note: 1 } }, { session })
        .then(() => undefined),
    );
    await session.endSession();
    expect(await collection('manyIndexes').deleteMany({})).toMatchObject({ deletedCount: 1 });
    expect(await client!.db('large').command({ validate: 'keyed' })).toMatchObject({ valid: true });
  });

  it('expires, as do documents of other collections', async () => {
    await start(50);
    await client!.db('zlater').collection('c').createIndex({ at: 1 }, { expireAfterSeconds: 1 });
    await client!
      .db('zlater')
      .collection('c')
      .insertOne({ at: new Date(0) });
    const left = async () => [
      await collection('expiring').countDocuments(),
      await client!.db('zlater').collection('c').countDocuments(),
    ];
    await expect.poll(left, { timeout: 30_000 }).toEqual([0, 0]);
  });

  it('passes the check, and its index can be rebuilt', async () => {
    expect((await checkStore(folder)).faults).toEqual([]);
    const storage = openStorage({ folder, isMemory: true });
    const indexIds = numbers(20);
    storage.commit(() => {
      for (const id of indexIds) {
        const key = Buffer.from(`\0rebuild\0\0\0\0${String.fromCharCode(id)}`, 'latin1');
        storage.catalog.putSync(key, Buffer.from([1]));
      }
    });
    await new Promise<unknown>((done) => storage.flush(done));
    await storage.close();
    await start();
    expect(await collection('keyed').countDocuments({ a: 6499 })).toBe(2);
  });

  it('can be indexed again', async () => {
    await start();
    await collection('keyed').dropIndex('a_1');
    await collection('keyed').createIndex({ a: 1 });
    expect(await collection('keyed').countDocuments({ a: 6499 })).toBe(2);
  });
});

describe('a stored document with more elements than a new one may have', () => {
  it('can be updated and shrunk; only additional elements are rejected', async () => {
    await start();
    for (const [name, path, last] of [
      ['wide', 'fields.k33499', 'fields.k33498'],
      ['long', 'list.100499', 'list.100498'],
    ] as const) {
      const rows = collection(name);
      await rows.updateOne({ _id: 1 }, { $set: { n: 2, [path]: -1 } });
      await rows.updateOne({ _id: 1 }, [{ $set: { n: { $add: ['$n', 1] } } }]);
      await rows.findOneAndUpdate({ _id: 1 }, { $unset: { [last]: 1 } });
      expect((await rows.find({ n: 3 }).project({ n: 1 }).toArray())[0]).toEqual({ _id: 1, n: 3 });
      const grow = rows.updateOne({ _id: 1 }, { $set: { more: numbers(10) } });
      await expect(grow).rejects.toMatchObject({ code: 10334 });
    }
    await collection('long').updateOne({ _id: 1 }, { $pop: { list: 1 } });
    await collection('long').updateOne({ _id: 1 }, { $pull: { list: { $gte: 10 } } } as Document);
    await collection('long').updateOne({ _id: 1 }, { $set: { more: numbers(10) } });
    expect((await collection('long').findOne({ _id: 1 }))?.list).toEqual([...numbers(10), null]);
    await collection('wide').replaceOne({ _id: 1 }, { n: 1 });
    expect(await collection('wide').findOne({ _id: 1 })).toEqual({ _id: 1, n: 1 });
  });

  it('can be read with a projection, by a pipeline and by a change stream', async () => {
    await start();
    const long = collection('long');
    const lengthOf = (row: Document | null | undefined) => row?.list.length;
    expect(lengthOf(await long.findOne({ _id: 1 }, { projection: { list: 1 } }))).toBe(100_500);
    for (const stages of [
      [{ $addFields: { more: 1 } }, { $sort: { n: 1 } }],
      [{ $project: { n: 0 } }, { $match: { _id: 1 } }],
      [{ $group: { _id: 1, all: { $push: '$$ROOT' } } }, { $replaceWith: { $first: '$all' } }],
      [
        { $lookup: { from: 'long', localField: '_id', foreignField: '_id', as: 'r' } },
        { $replaceWith: { $first: '$r' } },
      ],
      [{ $facet: { all: [{ $sort: { n: 1 } }] } }, { $replaceWith: { $first: '$all' } }],
    ]) {
      expect(lengthOf((await long.aggregate(stages).toArray())[0])).toBe(100_500);
    }
    const twice = long.aggregate([{ $project: { all: ['$$ROOT', '$$ROOT', '$$ROOT'] } }]).toArray();
    await expect(twice).rejects.toMatchObject({ code: 10334 });
    const stream = long.watch([{ $addFields: { seen: true } }], { fullDocument: 'updateLookup' });
    const change = stream.next();
    await expect.poll(() => stream.resumeToken).toBeTruthy();
    await long.updateOne({ _id: 1 }, { $set: { n: 5 } });
    const event: Document = await change;
    expect(event).toMatchObject({ seen: true, fullDocument: { n: 5 } });
    expect(lengthOf(event.fullDocument)).toBe(100_500);
    await stream.close();
  });
});

it('documents with too many keys or elements for a new one are imported into another embedded store', async () => {
  const program = await buildStoreProgram();
  try {
    const target = join(program.folder, 'target');
    const imported = await program.run(['import', folder, '--from', 'large', '--data-dir', target]);
    expect(imported).toMatchObject({ code: 0, out: expect.stringContaining('6 documents in 5 collections, compared') });
    expect(await program.run(['check', target])).toMatchObject({ code: 0 });
  } finally {
    await program.remove();
  }
}, 120_000);
