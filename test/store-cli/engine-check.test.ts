import { cp, mkdir, open, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BSON } from 'bson';
import { open as openLmdb, type RootDatabase } from 'lmdb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkStore } from '../../src/embedded/maintenance/check-store.ts';
import { insertEdgeValues } from './edge-values.ts';
import { buildStoreProgram, type StoreProgram, withStore } from './program.ts';

let program: StoreProgram;
let sound: string;
beforeAll(async () => {
  program = await buildStoreProgram();
  sound = join(program.folder, 'sound');
  await withStore(sound, async (db) => {
    await insertEdgeValues(db);
    await db.collection('values').deleteOne({ _id: 'zzz' as never });
  });
});
afterAll(() => program.remove());

const BINARY = { keyEncoding: 'binary', encoding: 'binary' } as const;

interface Row {
  key: Buffer;
  value: Buffer;
}

interface Tables {
  rows(table: string): Row[];
  put(table: string, key: Buffer, value: Buffer): void;
  remove(table: string, key: Buffer): void;
  /** The description of a collection. */
  describe(ns: string, change: (description: BSON.Document) => void): void;
}

let copies = 0;

/** Damages a copy of the intact store by writing to its tables directly, and returns the faults that the check finds. */
async function checkAfter(damage: (tables: Tables) => void): Promise<string> {
  const folder = join(program.folder, `damaged-${++copies}`);
  await cp(sound, folder, { recursive: true });
  const root: RootDatabase<Buffer, Buffer> = openLmdb({
    path: join(folder, 'store', 'store.mdb'),
    noSubdir: true,
    ...BINARY,
  });
  const table = (name: string) => root.openDB<Buffer, Buffer>(name, BINARY);
  const tables: Tables = {
    rows: (name) => [...table(name).getRange({})].map(({ key, value }) => ({ key, value })),
    put: (name, key, value) => table(name).putSync(key, value),
    remove: (name, key) => table(name).removeSync(key),
    describe(ns, change) {
      // Without a checksum, as an earlier version wrote it.
      const stored = table('catalog').get(Buffer.from(ns))!;
      const description = BSON.deserialize(stored.subarray(0, stored.readInt32LE(0)), { promoteValues: true });
      change(description);
      table('catalog').putSync(Buffer.from(ns), Buffer.from(BSON.serialize(description)));
    },
  };
  damage(tables);
  await root.close();
  const { faults, found } = await checkStore(join(folder, 'store'));
  expect(found).toBe(faults.length);
  return faults.join('\n');
}

describe('check', { timeout: 120_000 }, () => {
  it('finds no fault in an intact store, and changes nothing', async () => {
    const before = await readFile(join(sound, 'store', 'store.mdb'));
    const { code, out } = await program.run(['check', '--data-dir', sound]);
    expect([code, out]).toEqual([0, expect.stringMatching(/5 collections, 2,513 documents, .* No fault\.\n$/)]);
    expect(before.equals(await readFile(join(sound, 'store', 'store.mdb')))).toBe(true);
  });

  it.each<[string, (tables: Tables) => void, RegExp]>([
    [
      'a document without its index entry',
      ({ rows, remove }) => remove('entries', rows('entries').at(-1)!.key),
      /record \d+ has no entry in index \w+/,
    ],
    [
      'an index entry without its document',
      ({ rows, remove }) => remove('records', rows('records').at(-1)!.key),
      /index \S+ has an entry of record \d+, which does not exist/,
    ],
    [
      'an index entry with the key of another document',
      ({ rows, put, remove }) => {
        const keys = rows('entries').map(({ key }) => key);
        const at = keys.findIndex((key, i) => keys[i + 1]?.readUInt32BE(0) === key.readUInt32BE(0));
        remove('entries', keys[at]!);
        put('entries', Buffer.concat([keys[at + 1]!.subarray(0, -8), keys[at]!.subarray(-8)]), Buffer.alloc(0));
      },
      /has no entry in index .*\n[\s\S]*whose value is another/,
    ],
    [
      'a unique key in two documents',
      ({ rows, put, describe }) => {
        describe('colloquy.flags.of-all kinds/ünd', ({ id }) => {
          const first = rows('records').find(({ key }) => key.readUInt32BE(0) === id)!;
          const copy = Buffer.from(first.key);
          copy.writeUIntBE(9_999_999, 6, 6);
          put('records', copy, first.value);
        });
        describe('colloquy.flags.of-all kinds/ünd', ({ id, indexes }) => {
          const first = rows('records').find(({ key }) => key.readUInt32BE(0) === id)!.key;
          const ids = indexes.map((index: { id: number }) => index.id);
          for (const { key } of rows('entries')) {
            if (!ids.includes(key.readUInt32BE(0)) || !key.subarray(-8).equals(first.subarray(-8))) continue;
            const copy = Buffer.from(key);
            copy.writeUIntBE(9_999_999, copy.length - 6, 6);
            put('entries', copy, Buffer.alloc(0));
          }
        });
      },
      /two records have the same key in the unique index (_id_|n)/,
    ],
    [
      'documents without a collection, entries without an index',
      ({ remove }) => remove('catalog', Buffer.from('colloquy.migrations')),
      /records: 1 of a collection that does not exist[\s\S]*entries: 1 of an index that does not exist/,
    ],
    [
      'a document that is not BSON',
      ({ rows, put }) => put('records', rows('records').at(-1)!.key, Buffer.from('hello, world')),
      /record \d+ is damaged: its checksum does not match/,
    ],
    [
      'a truncated document',
      ({ rows, put }) => put('records', rows('records').at(-1)!.key, rows('records').at(-1)!.value.subarray(0, -3)),
      /record \d+ is damaged: its checksum does not match/,
    ],
    [
      'a description that is not BSON',
      ({ put }) => put('catalog', Buffer.from('colloquy.values'), Buffer.from('nonsense')),
      /the description of 'colloquy.values' cannot be read/,
    ],
    [
      'an id used twice, or a next id that is in use',
      ({ describe, put }) => {
        describe('colloquy.values', (values) => {
          describe('colloquy.empty', (empty) => {
            empty.id = values.id;
          });
        });
        put('catalog', Buffer.from('\0nextId'), Buffer.from([0, 0, 0, 2]));
      },
      /have the same id[\s\S]*impossible id|impossible id[\s\S]*have the same id/,
    ],
    [
      'an index that does not record its array field',
      ({ describe }) =>
        describe('colloquy.values', ({ indexes }) => {
          for (const index of indexes) index.multikey = [];
        }),
      /has an array at array that is not recorded in index array_1/,
    ],
    [
      'a collection without its index on _id',
      ({ describe }) =>
        describe('colloquy.empty', (description) => {
          description.indexes = [];
        }),
      /colloquy.empty has no index on _id/,
    ],
    ['an invalid change', ({ put }) => put('changes', Buffer.alloc(12, 9), Buffer.alloc(40, 9)), /changes: a row/],
    ['an invalid session', ({ put }) => put('sessions', Buffer.alloc(16, 9), Buffer.alloc(9)), /sessions: a row/],
  ])('finds %s', async (_what, damage, fault) => {
    expect(await checkAfter(damage)).toMatch(fault);
  });

  it.each<[string, (file: string) => Promise<void>]>([
    ['empty', (file) => truncate(file, 0)],
    ['cut off', async (file) => truncate(file, Math.floor((await stat(file)).size / 2))],
    ['of another kind', (file) => writeFile(file, 'x'.repeat(100_000))],
    [
      'overwritten in the middle',
      async (file) => {
        const handle = await open(file, 'r+');
        const { size } = await handle.stat();
        for (let at = 16_384; at < size; at += 8_192) await handle.write(Buffer.alloc(4_096, 0xff), 0, 4_096, at);
        await handle.close();
      },
    ],
  ])('survives and reports a file that is %s', async (_how, damage) => {
    const folder = join(program.folder, `broken-${++copies}`);
    await mkdir(folder);
    await cp(sound, folder, { recursive: true });
    await damage(join(folder, 'store', 'store.mdb'));
    const { code, signal, err } = await program.run(['check', folder]);
    expect([code, signal, err]).toEqual([1, null, expect.stringContaining('fault')]);
  });
});
