import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildStoreProgram, type StoreProgram, withStore } from './program.ts';

const DOCUMENTS = 600;
const document = (n: number) => ({
  _id: `id ${n}` as never,
  n,
  name: `name ${n}`,
  text: 'text '.repeat(n % 50 === 0 ? 2_000 : 20),
});

let program: StoreProgram;
let sound: string;
let copies = 0;
beforeAll(async () => {
  program = await buildStoreProgram();
  sound = join(program.folder, 'sound');
  await mkdir(join(sound, 'files'), { recursive: true });
  await writeFile(join(sound, 'files', 'picture'), 'a picture');
  await writeFile(join(sound, 'keys.json'), '{}');
  await withStore(sound, async (db) => {
    await db.collection('rows').createIndex({ name: 1 }, { unique: true });
    await db.collection('rows').insertMany(Array.from({ length: DOCUMENTS }, (_, n) => document(n)));
    await db.collection('others').insertOne({ _id: 1 as never });
  });
});
afterAll(() => program.remove());

/** A copy of the data folder with a damaged store file. */
async function damagedCopy(damage: (bytes: Buffer) => void): Promise<string> {
  const folder = join(program.folder, `damaged ${++copies}`);
  await cp(sound, folder, { recursive: true });
  const file = join(folder, 'store', 'store.mdb');
  const bytes = await readFile(file);
  damage(bytes);
  await writeFile(file, bytes);
  return folder;
}

/** Sets the length of a table's row in the table of tables from 48 to 16 bytes. */
function shortenTableRow(bytes: Buffer, table: string): void {
  let rows = 0;
  for (let at = bytes.indexOf(table); at >= 0; at = bytes.indexOf(table, at + 1)) {
    if (at < 8 || bytes.readUInt32LE(at - 8) !== 48) continue;
    bytes.writeUInt32LE(16, at - 8);
    rows++;
  }
  expect(rows).toBeGreaterThan(0);
}

const salvage = (from: string, to: string) => program.run(['salvage', to, '--data-dir', from]);
const names = (db: Db) => db.collection('rows').find().sort({ name: 1 }).project({ name: 1 }).toArray();

describe('npm run store -- salvage', () => {
  it('copies everything of a store that is not damaged, with files, keys and indexes', async () => {
    const to = join(program.folder, 'whole');
    expect(await salvage(sound, to)).toMatchObject({
      code: 0,
      out: `${to}: 2 collections, 601 documents. Nothing was lost.\n`,
    });
    await withStore(to, async (db) => {
      expect(await db.collection('rows').find().toArray()).toEqual(
        Array.from({ length: DOCUMENTS }, (_, n) => document(n)),
      );
      await expect(db.collection('rows').insertOne({ name: 'name 1' })).rejects.toMatchObject({ code: 11000 });
    });
    expect(await readFile(join(to, 'files', 'picture'), 'utf8')).toBe('a picture');
    expect(await program.run(['check', to])).toMatchObject({ code: 0 });
  });

  it('leaves out a record that is damaged, and names it', async () => {
    const from = await damagedCopy((bytes) => {
      const text = Buffer.from('\x02name\0\x07\0\0\0name 7\0');
      for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) bytes[at + 12]! ^= 1;
    });
    const to = join(program.folder, 'one lost');
    const { code, out, err } = await salvage(from, to);
    expect([code, out, err]).toEqual([
      1,
      'colloquy.rows: record 8 is damaged: its checksum does not match\n',
      `${to}: 2 collections, 600 documents were copied. 1 loss, see above.\n`,
    ]);
    expect(await withStore(to, names)).toHaveLength(DOCUMENTS - 1);
  });

  it('reports a record whose key is damaged, although it looks like one of a dropped collection', async () => {
    const from = await damagedCopy((bytes) => {
      const start = Buffer.from('\x02_id\0\x05\0\0\0id 7\0');
      // Before a document are its length, of four bytes, and its key, of twelve, which begins with the collection's id.
      for (let at = bytes.indexOf(start); at >= 0; at = bytes.indexOf(start, at + 1)) bytes[at - 13]! ^= 0x40;
    });
    const to = join(program.folder, 'one key lost');
    const { code, out } = await salvage(from, to);
    expect([code, out]).toEqual([1, 'unknown collection: record 8 is damaged: its checksum does not match\n']);
    expect(await withStore(to, names)).toHaveLength(DOCUMENTS - 1);
  });

  it('copies the records around pages that cannot be read, and says how many are missing', async () => {
    const from = await damagedCopy((bytes) => {
      const text = Buffer.from('\x02name\0\x09\0\0\0name 301\0');
      for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text)) {
        bytes.fill(0, at - (at % 4096), at - (at % 4096) + 4096);
      }
    });
    const { code } = await program.run(['check', from]);
    expect(code).toBe(1);
    const to = join(program.folder, 'some lost');
    const { out } = await salvage(from, to);
    expect(out).toMatch(/^table records: page \d+ is not at its place$/m);
    const [, lost] = /^table records: (\d+) of 601 records are on pages that cannot be read$/m.exec(out)!;
    expect(await withStore(to, names)).toHaveLength(DOCUMENTS - Number(lost));
  });

  it('copies all records when rows of the table of tables that it does not need are damaged', async () => {
    const from = await damagedCopy((bytes) => {
      for (const table of ['sessions', 'changes', 'entries']) shortenTableRow(bytes, table);
    });
    const to = join(program.folder, 'tables lost');
    expect(await salvage(from, to)).toMatchObject({ code: 0, out: expect.stringContaining('601 documents') });
    expect(await withStore(to, names)).toHaveLength(DOCUMENTS);
  });

  it('reports all records as lost when their row of the table of tables is damaged', async () => {
    const from = await damagedCopy((bytes) => shortenTableRow(bytes, 'records'));
    expect(await salvage(from, join(program.folder, 'records lost'))).toMatchObject({
      code: 1,
      out: 'table records: it is missing, or its row in the table of tables is damaged\n',
    });
  });

  it('refuses a store with a long path while a process serves it', async () => {
    const from = join(program.folder, 'long path '.repeat(12));
    await cp(sound, from, { recursive: true });
    await withStore(from, async () => {
      expect(await salvage(from, join(program.folder, 'of a served store'))).toMatchObject({
        code: 1,
        err: `A process serves ${join(from, 'store')}: stop it first.\n`,
      });
    });
  });

  it('builds the indexes of a store whose indexes cannot be read', async () => {
    const from = await damagedCopy((bytes) => {
      for (let page = 2; (page + 1) * 4096 <= bytes.length; page++) {
        const [start, end] = [page * 4096, (page + 1) * 4096];
        const isOfEntries =
          bytes.subarray(start, end).includes('name 1') && !bytes.subarray(start, end).includes('\x02name');
        if (isOfEntries) bytes.fill(0, start, end);
      }
    });
    const to = join(program.folder, 'indexes lost');
    expect(await salvage(from, to)).toMatchObject({ code: 0 });
    expect(await withStore(to, names)).toHaveLength(DOCUMENTS);
    expect(await program.run(['check', to])).toMatchObject({ code: 0 });
  });

  it('refuses a file whose head is damaged, a folder that is served and a target that exists', async () => {
    const from = await damagedCopy((bytes) => void bytes.fill(0, 0, 8192));
    const to = join(program.folder, 'nothing');
    expect(await salvage(from, to)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^Nothing can be copied: the first meta page/),
    });
    await withStore(sound, async () => {
      expect(await salvage(sound, to)).toMatchObject({
        code: 1,
        err: `A process serves ${join(sound, 'store')}: stop it first.\n`,
      });
    });
    expect(await salvage(sound, sound)).toMatchObject({ code: 1 });
    expect(await salvage(sound, from)).toMatchObject({ code: 1, err: expect.stringContaining('already exists') });
  });
});
