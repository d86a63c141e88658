import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BSON, Long } from 'bson';
import { open as openLmdb, type RootDatabase } from 'lmdb';
import { type Collection, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedStoreOptions, startEmbeddedStore } from '../../src/embedded/index.ts';
import { checkStore } from '../../src/embedded/maintenance/check-store.ts';
import { withChecksum } from '../../src/embedded/storage/checksum.ts';
import { ALL_CHECKED } from '../../src/embedded/storage/storage.ts';
import { fillStore, ROWS, type Row, rowOf } from './damaged-rows.ts';

let folder: string;
let intact: string;
let copies = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colloquy-record-'));
  intact = join(folder, 'intact');
  await fillStore(intact);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function copyStore(): Promise<string> {
  const copy = join(folder, `copy-${++copies}`);
  await cp(intact, copy, { recursive: true });
  return copy;
}

const BINARY = { keyEncoding: 'binary', encoding: 'binary' } as const;

/** Changes the tables of a closed store directly. */
async function changeTables(store: string, change: (table: (name: string) => RootDatabase<Buffer, Buffer>) => void) {
  const root: RootDatabase<Buffer, Buffer> = openLmdb({ path: join(store, 'store.mdb'), noSubdir: true, ...BINARY });
  change((name) => root.openDB<Buffer, Buffer>(name, BINARY) as RootDatabase<Buffer, Buffer>);
  await root.close();
}

async function withRows<Result>(
  store: string,
  work: (rows: Collection<Row>) => Promise<Result>,
  options: Omit<EmbeddedStoreOptions, 'folder'> = {},
): Promise<Result> {
  const { uri, close } = await startEmbeddedStore({ folder: store, ...options });
  const client = await MongoClient.connect(uri, { retryReads: false });
  try {
    return await work(client.db('fuzz').collection<Row>('rows'));
  } finally {
    await client.close();
    await close();
  }
}

/** Opens the store until all records have checksums: they are added between other work, and a later start continues. */
async function checksumsAdded(store: string): Promise<void> {
  const areAdded = async () => {
    let isComplete = false;
    await changeTables(store, (table) => {
      isComplete = table('catalog').doesExist(ALL_CHECKED);
    });
    return isComplete;
  };
  while (!(await areAdded())) await withRows(store, () => sleep(200));
}

/** Flips one bit in the text of row 3, wherever it occurs in the file. */
async function damageRow(store: string): Promise<void> {
  const file = join(store, 'store.mdb');
  const bytes = await readFile(file);
  // Only as a BSON value, not as an index entry.
  const text = Buffer.from('\x02name\0\x12\0\0\0the name of row 3\0');
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) bytes[at + 12]! ^= 0x02;
  await writeFile(file, bytes);
}

describe('a record whose bytes have changed on the disk', () => {
  it('is reported with its collection and record id, and all other records are served', async () => {
    const store = await copyStore();
    await damageRow(store);
    const message = /^record 4 of fuzz\.rows is damaged: its checksum does not match.*restore a backup/;
    await withRows(store, async (rows) => {
      await expect(rows.findOne({ _id: 'row3' })).rejects.toThrow(message);
      await expect(rows.find().toArray()).rejects.toThrow(message);
      await expect(rows.updateOne({ _id: 'row3' }, { $set: { n: 0 } })).rejects.toThrow(message);
      const others = await rows.find({ group: 5 }).toArray();
      expect(others).toHaveLength([...Array(ROWS).keys()].filter((n) => n % 17 === 5).length);
      expect(await rows.findOne({ _id: 'row4' })).toEqual(rowOf(4));
    });
    const { faults } = await checkStore(store);
    expect(faults).toContainEqual('fuzz.rows: record 4 is damaged: its checksum does not match');
  });

  it('is detected in a store of an earlier version that was opened once', async () => {
    const store = await copyStore();
    await writeFile(join(store, 'format.json'), JSON.stringify({ store: 'colloquy-embedded', format: 2 }));
    await changeTables(store, (table) => {
      for (const { key, value } of table('records').getRange({})) table('records').putSync(key, value.subarray(0, -4));
      for (const key of [...table('catalog').getKeys({ end: Buffer.from([1]) })]) {
        if (/checksums|sum/.test(key.toString('latin1'))) table('catalog').removeSync(key);
      }
    });
    expect(await checkStore(store)).toMatchObject({ found: 0 });
    expect(await withRows(store, (rows) => rows.find().sort({ n: 1 }).toArray())).toEqual(
      [...Array(ROWS).keys()].map(rowOf),
    );
    expect(await checkStore(store)).toMatchObject({ found: 0, documents: ROWS });
    await checksumsAdded(store);
    await damageRow(store);
    await expect(withRows(store, (rows) => rows.findOne({ _id: 'row3' }))).rejects.toThrow(/record 4 of fuzz\.rows/);
  });
});

describe('a damaged record', () => {
  it('fails every index build that reads it, and leaves no index', async () => {
    const store = await copyStore();
    await damageRow(store);
    await withRows(store, async (rows) => {
      for (let round = 0; round < 2; round++) {
        await expect(rows.createIndex({ text: 1 }, { maxTimeMS: 20_000 })).rejects.toMatchObject({ code: 96 });
      }
      expect((await rows.indexes()).map(({ name }) => name)).toEqual(['_id_', 'name', 'group']);
      await rows.insertOne({ ...rowOf(ROWS), text: 'later' });
      await rows.dropIndex('group');
    });
  });

  it('and a damaged session are kept, and all others expire', async () => {
    const store = await copyStore();
    const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000);
    const old = Array.from({ length: 20 }, (_, n) => ({ _id: `old${n}`, name: `${n}`, at: ago(100 - n) }));
    await withRows(store, async (rows) => {
      await rows.insertMany(old as unknown as Row[]);
      await rows.createIndex({ at: 1 }, { expireAfterSeconds: 60, maxTimeMS: 20_000 });
    });
    const [damaged, silent] = [1, 2].map((last) => Buffer.concat([Buffer.alloc(15), Buffer.from([last])]));
    await changeTables(store, (table) => {
      for (const { key, value } of [...table('records').getRange({})]) {
        if (!value.includes('old0\0')) continue;
        value[value.indexOf('old0\0') + 3]! ^= 0x02;
        table('records').putSync(key, value);
      }
      const session = { number: Long.ZERO, isCommitted: false, results: [], inserts: [], at: ago(1) };
      table('sessions').putSync(silent!, Buffer.from(BSON.serialize(session)));
      table('sessions').putSync(damaged!, Buffer.from('no session'));
    });
    const warnings: string[] = [];
    await withRows(
      store,
      async (rows) => {
        const left = () => rows.find({ _id: { $in: old.slice(1).map(({ _id }) => _id) } }).toArray();
        await expect.poll(left, { timeout: 30_000 }).toEqual([]);
        await expect.poll(() => warnings.join('\n'), { timeout: 30_000 }).toMatch(/session 0+1 is damaged/);
        await expect(rows.findOne({ _id: 'old0' })).rejects.toMatchObject({ code: 96 });
        await expect.poll(() => warnings.length, { timeout: 30_000 }).toBeGreaterThan(4);
      },
      { ttlSweepMs: 20, onWarning: (message) => warnings.push(message) },
    );
    expect(warnings.join('\n')).toMatch(/expiry skips record \d+ of fuzz\.rows, which is damaged/);
    expect(warnings.join('\n')).not.toContain('expiry failed');
    await changeTables(store, (table) => {
      expect(table('sessions').get(silent!)).toBeUndefined();
      expect(table('sessions').get(damaged!)).toBeDefined();
    });
  });
});

describe('a store of an earlier version', () => {
  it('starts although another process wrote while its entries were counted', async () => {
    const store = await copyStore();
    let indexId = Buffer.alloc(4);
    await changeTables(store, (table) => {
      indexId = Buffer.from([...table('entries').getKeys({})].at(-1)!.subarray(0, 4));
      for (const key of [...table('catalog').getKeys({ end: Buffer.from([1]) })]) {
        if (/sum/.test(key.toString('latin1'))) table('catalog').removeSync(key);
      }
    });
    const root: RootDatabase<Buffer, Buffer> = openLmdb({ path: join(store, 'store.mdb'), noSubdir: true, ...BINARY });
    const entries = root.openDB<Buffer, Buffer>('entries', BINARY);
    const catalog = root.openDB<Buffer, Buffer>('catalog', BINARY);
    let writes = 0;
    let isServed = false;
    const write = (): void => {
      root.transactionSync(() => {
        isServed = catalog.get(Buffer.from('\0owner')) !== undefined;
        if (!isServed) entries.putSync(Buffer.concat([indexId, Buffer.from(`x${1e9 + writes++}`)]), Buffer.alloc(0));
      });
      if (!isServed) setTimeout(write, 2);
    };
    write();
    const first = await startEmbeddedStore({ folder: store });
    await first.close();
    await root.close();
    expect(isServed).toBe(true);
    expect(writes).toBeGreaterThan(1);
    const second = await startEmbeddedStore({ folder: store });
    await second.close();
  });
});

describe('an index whose entries are damaged', () => {
  const damages: [string, (entries: RootDatabase<Buffer, Buffer>, keys: Buffer[]) => void][] = [
    ['has lost its last entry', (entries, keys) => void entries.removeSync(keys.at(-1)!)],
    [
      'has an entry of a record that does not exist',
      (entries, keys) => void entries.putSync(Buffer.concat([keys.at(-1)!, Buffer.from([1])]), Buffer.alloc(0)),
    ],
    [
      'has one entry with other bytes',
      (entries, keys) => {
        const [key] = keys as [Buffer];
        const other = Buffer.from(key);
        other[key.length - 9]! ^= 1;
        entries.removeSync(key);
        entries.putSync(other, Buffer.alloc(0));
      },
    ],
    ['is empty', (entries, keys) => keys.forEach((key) => void entries.removeSync(key))],
  ];

  it.each(damages)('is rebuilt at start when it %s', async (_, damage) => {
    const store = await copyStore();
    await changeTables(store, (table) => {
      const keys = [...table('entries').getKeys({})].map((key) => Buffer.from(key));
      const indexId = keys.at(-1)!.readUInt32BE(0);
      damage(
        table('entries'),
        keys.filter((key) => key.readUInt32BE(0) === indexId),
      );
    });
    const before = await checkStore(store);
    expect(before.found).toBeGreaterThan(0);
    const warnings: string[] = [];
    const onWarning = (message: string) => void warnings.push(message);
    await withRows(
      store,
      async (rows) => {
        expect(await rows.find().sort({ name: 1 }).toArray()).toHaveLength(ROWS);
        for (let group = 0; group < 17; group++) {
          const expected = [...Array(ROWS).keys()].filter((n) => n % 17 === group);
          expect(await rows.countDocuments({ group })).toBe(expected.length);
        }
      },
      { onWarning },
    );
    expect(warnings).toEqual([
      expect.stringMatching(/^index \w+ of fuzz\.rows was damaged and has been rebuilt from 400/),
    ]);
    expect(await checkStore(store)).toMatchObject({ found: 0 });
    await withRows(store, (rows) => rows.findOne({ _id: 'row3' }), { onWarning });
    expect(warnings).toHaveLength(1);
  });

  it('refuses to start if a record needed for the rebuild is damaged too, and changes no record', async () => {
    const store = await copyStore();
    await changeTables(store, (table) => {
      table('entries').removeSync([...table('entries').getKeys({})].at(-1)!);
    });
    await damageRow(store);
    for (let start = 0; start < 2; start++) {
      await expect(startEmbeddedStore({ folder: store })).rejects.toThrow(
        /store\.mdb is damaged: record 4 of fuzz\.rows is damaged .*, and its index \w+ too\. No record was changed\. Restore a backup/,
      );
    }
    const { faults } = await checkStore(store);
    expect(faults).toContainEqual('fuzz.rows: record 4 is damaged: its checksum does not match');
  });

  it('refuses to start if two records share a key of a unique index', async () => {
    const store = await copyStore();
    await withRows(store, (rows) => rows.dropIndex('name'));
    await withRows(store, async (rows) => {
      await rows.insertOne({ ...rowOf(ROWS), name: rowOf(0).name });
      await rows.createIndex({ name: 1 }, { name: 'name' });
    });
    await changeTables(store, (table) => {
      const key = Buffer.from('fuzz.rows');
      const stored = table('catalog').get(key)!;
      const described = BSON.deserialize(stored.subarray(0, -4));
      described.indexes.find(({ name }: { name: string }) => name === 'name').unique = true;
      table('catalog').putSync(key, withChecksum(key, Buffer.from(BSON.serialize(described))));
      table('entries').removeSync([...table('entries').getKeys({})].at(-1)!);
    });
    await expect(startEmbeddedStore({ folder: store })).rejects.toThrow(
      /index name of fuzz\.rows is damaged and cannot be rebuilt: records 1 and 401 have the same key/,
    );
  });
});
