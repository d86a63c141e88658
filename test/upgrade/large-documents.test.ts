import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { type Collection, type Document, MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startEmbeddedStore } from '../../src/embedded/index.ts';
import { checkStore } from '../../src/embedded/maintenance/check-store.ts';
import { openStorage } from '../../src/embedded/storage.ts';
import { repairDriver } from '../../src/store/driver-repair.ts';

repairDriver();

interface Row extends Document {
  _id: number;
}

/**
 * The folder of an embedded store that an earlier version wrote, before the bounds on keys and elements. Database
 * `large`: `keyed` has two documents with 6,500 keys in index `a_1`, `manyIndexes` one with 3,200 keys in each of two
 * indexes, `expiring` one with 6,500 keys and a date of the past in a TTL index, `wide` one with 33,500 fields in
 * `fields`, `long` one with an array `list` of 100,500 numbers.
 */
const WRITTEN = new URL('./data-large/', import.meta.url);

let folder: string;
let client: MongoClient | undefined;
let closeStore: () => Promise<void>;
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
    await expect.poll(left, { timeout: 10_000 }).toEqual([0, 0]);
  });

  it('is sound to a check, and its damaged index is rebuilt', async () => {
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
