import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmbeddedStore } from '../../src/embedded/index.ts';
import { tracesInFiles } from '../support/traces.ts';
import { buildStoreProgram, type StoreProgram, withStore } from './program.ts';

/** More than one page of the file holds, and of every size: values on shared pages and on pages of their own. */
const SIZES = [10, 300, 1_500, 3_000, 9_000, 40_000];
const COPIES = 40;

let program: StoreProgram;
beforeAll(async () => {
  program = await buildStoreProgram();
}, 120_000);
afterAll(() => program.remove());

const markerOf = (size: number) => `erased-marker-${size}-`;
const textOf = (size: number) => markerOf(size).padEnd(size, markerOf(size));
/** None is a key of an index: those are in `erased-keys.test.ts`. */
const MARKERS = [...SIZES.map(markerOf), 'erased-replaced', 'erased-returned'];

/** A folder whose store contained the markers in records, in results of retryable writes and in its change log. */
async function fillAndErase(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const store = await startEmbeddedStore({ folder: join(folder, 'store') });
  const client = await MongoClient.connect(store.uri);
  const rows = client.db('colloquy').collection<{ _id: string; text: string; kept?: string }>('rows');
  await rows.createIndex({ text: 1 });
  for (let copy = 0; copy < COPIES; copy++) {
    await rows.insertMany(
      SIZES.flatMap((size) => [
        { _id: `${copy}/${size}`, text: 'short', kept: textOf(size) },
        { _id: `${copy}/${size}/other`, text: 'kept-text', kept: 'kept'.repeat(size / 8) },
      ]),
    );
  }
  await rows.insertOne({ _id: 'one', text: 'one', kept: 'erased-replaced' });
  await rows.findOneAndUpdate({ _id: 'one' }, { $set: { kept: 'erased-returned' } }, { returnDocument: 'before' });
  await rows.findOneAndUpdate(
    { _id: 'one' },
    { $set: { text: 'kept-text', kept: 'kept' } },
    { returnDocument: 'before' },
  );
  for (let copy = 0; copy < COPIES; copy += 2) {
    await rows.updateMany({ _id: { $in: SIZES.map((size) => `${copy}/${size}`) } }, { $unset: { kept: '' } });
  }
  for (let copy = 1; copy < COPIES; copy += 2) {
    await rows.deleteMany({ _id: { $in: SIZES.map((size) => `${copy}/${size}`) } });
  }
  await client.close();
  await store.close();
}

test.each(['backup', 'compact'])(
  '%s leaves no byte of erased values',
  async (command) => {
    const folder = join(program.folder, `filled-${command}`);
    await fillAndErase(folder);
    // The markers are still in the file: as free pages and in the change log.
    const before = await tracesInFiles(folder, MARKERS);
    for (const marker of MARKERS) expect(before.join('\n')).toContain(marker);

    const target = command === 'backup' ? join(program.folder, 'copied') : folder;
    const args = command === 'backup' ? ['backup', target] : ['compact'];
    expect(await program.run([...args, '--data-dir', folder])).toMatchObject({ code: 0 });
    expect(await tracesInFiles(target, MARKERS)).toEqual([]);
    expect(await program.run(['check', target])).toMatchObject({ code: 0 });
    const count = await withStore(target, (db) => db.collection('rows').countDocuments({ text: 'kept-text' }));
    expect(count).toBe(COPIES * SIZES.length + 1);
  },
  120_000,
);
