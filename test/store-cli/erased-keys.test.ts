import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Collection, MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmbeddedStore } from '../../src/embedded/index.ts';
import { compactStore } from '../../src/embedded/maintenance/compact-store.ts';
import { copyStore } from '../../src/embedded/maintenance/copy-store.ts';
import { checkFile } from '../../src/embedded/storage/file/check-file.ts';
import { tracesInFiles } from '../support/traces.ts';

const SEEDS = Number(process.env.ERASED_KEYS_SEEDS ?? 3);
const ERASED = 'erased-name';
const ROWS = 800;

type Row = { _id: string; name: string };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colloquy-erased-keys-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Numbers below one, the same for the same seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function withRows<Result>(store: string, work: (rows: Collection<Row>) => Promise<Result>): Promise<Result> {
  const served = await startEmbeddedStore({ folder: store });
  const client = await MongoClient.connect(served.uri);
  try {
    return await work(client.db('colloquy').collection<Row>('rows'));
  } finally {
    await client.close();
    await served.close();
  }
}

/** A name of any length up to that of an index key, in any place of the index, that begins like its neighbours or not. */
function nameOf(random: () => number, what: string): string {
  const beginning = random() < 0.5 ? '' : 'shared-beginning-'.repeat(1 + Math.floor(random() * 4));
  const place = String.fromCharCode(97 + Math.floor(random() * 26));
  return `${beginning}${place}-${what}-${Math.floor(random() * 1e9)}`.padEnd(20 + Math.floor(random() * 300), 'x');
}

/** Inserts rows of which a random part is deleted or renamed. @returns the names that are left */
async function fillAndErase(store: string, random: () => number): Promise<string[]> {
  await mkdir(store, { recursive: true });
  return withRows(store, async (rows) => {
    await rows.createIndex({ name: 1 });
    const left: string[] = [];
    const erasedPart = 0.2 + 0.7 * random();
    const inserted = Array.from({ length: ROWS }, (_, index) => {
      const isErased = random() < erasedPart;
      return {
        _id: `${isErased ? nameOf(random, ERASED) : 'kept'}-${index}`,
        name: nameOf(random, isErased ? ERASED : 'kept'),
      };
    });
    for (let at = 0; at < ROWS; at += 250) await rows.insertMany(inserted.slice(at, at + 250));
    for (const { name } of inserted) if (!name.includes(ERASED)) left.push(name);
    const erased = inserted.filter(({ name }) => name.includes(ERASED)).sort(() => random() - 0.5);
    for (let at = 0; at < erased.length; at += 100) {
      const ids = erased.slice(at, at + 100).map(({ _id }) => _id);
      await rows.deleteMany({ _id: { $in: ids } });
      // Pages are filled again meanwhile.
      const name = nameOf(random, 'kept');
      await rows.insertOne({ _id: `later-${at}`, name });
      left.push(name);
    }
    return left.sort();
  });
}

async function expectRows(store: string, names: readonly string[]): Promise<void> {
  await withRows(store, async (rows) => {
    const inOrder = await rows
      .find({ name: { $gt: '' } })
      .sort({ name: 1 })
      .hint('name_1')
      .toArray();
    expect(inOrder.map(({ name }) => name)).toEqual(names);
    // Each is found by the boundaries, not by reading in order.
    for (const name of names.filter((_, index) => index % 7 === 0)) {
      expect((await rows.findOne({ name }, { hint: 'name_1' }))?.name).toBe(name);
    }
  });
}

test.each(Array.from({ length: SEEDS }, (_, seed) => seed + 1))(
  'a backup and a compacted store contain no key of a deleted row: layout %i',
  async (seed) => {
    const random = randomNumbers(seed);
    const store = join(folder, `store-${seed}`);
    const backup = join(folder, `backup-${seed}`);
    const names = await fillAndErase(store, random);
    expect(await tracesInFiles(store, [ERASED])).not.toEqual([]);

    await copyStore(store, backup);
    expect(await tracesInFiles(backup, [ERASED])).toEqual([]);
    await expectRows(backup, names);

    await compactStore(store);
    expect(await tracesInFiles(store, [ERASED])).toEqual([]);
    await expectRows(store, names);

    // LMDB splits, merges and updates pages with the new boundaries as with its own.
    const added = await withRows(backup, async (rows) => {
      const more = Array.from({ length: 600 }, (_, index) => ({ _id: `more-${index}`, name: nameOf(random, 'more') }));
      await rows.insertMany(more);
      await rows.deleteMany({ name: { $in: names.filter((_, index) => index % 2 === 0) } });
      return more.map(({ name }) => name);
    });
    await expectRows(backup, [...names.filter((_, index) => index % 2 === 1), ...added].sort());
    expect(() => checkFile(join(backup, 'store.mdb'))).not.toThrow();
  },
  180_000,
);
