import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { BSON } from 'bson';
import { open } from 'lmdb';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EmbeddedStore, startEmbeddedStore } from '../../src/embedded/index.ts';
import { checkStore } from '../../src/embedded/maintenance/check-store.ts';
import { connectRaw } from './raw-client.ts';

const run = promisify(execFile);
const INDEX = fileURLToPath(new URL('../../src/embedded/index.ts', import.meta.url));

let base: string;
let folder: string;
const stores: EmbeddedStore[] = [];

async function start(options: Parameters<typeof startEmbeddedStore>[0]): Promise<EmbeddedStore> {
  const store = await startEmbeddedStore({ durability: 'memory', ...options });
  stores.push(store);
  return store;
}

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'colloquy-folder-'));
  folder = join(base, 'data');
});
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  await rm(base, { recursive: true, force: true });
});

const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

describe('the data folder', () => {
  it('is accessible only to its owner, with everything in it', async () => {
    await mkdir(folder, { mode: 0o755 });
    await start({ folder });
    expect(await modeOf(folder)).toBe('700');
    for (const name of ['store.sock', 'store.mdb', 'store.mdb-lock', 'format.json']) {
      expect([name, await modeOf(join(folder, name))]).toEqual([name, '600']);
    }
  });

  it('keeps data, index ids and collection ids across a restart', async () => {
    const first = await start({ folder, durability: 'flushed' });
    const client = await MongoClient.connect(first.uri);
    const things = client.db('a').collection('things');
    await things.createIndex({ n: 1 }, { unique: true });
    await things.insertMany([{ n: 1 }, { n: 2 }]);
    await things.deleteOne({ n: 2 });
    await client.close();
    await first.close();
    stores.length = 0;

    const second = await start({ folder, refuseUnindexed: true });
    const again = await MongoClient.connect(second.uri);
    const same = again.db('a').collection('things');
    await expect(same.insertOne({ n: 1 })).rejects.toMatchObject({ code: 11000 });
    await same.insertOne({ n: 2 });
    await again.db('a').collection('others').insertOne({ n: 1 });
    expect(await same.countDocuments()).toBe(2);
    expect(await again.db('a').command({ validate: 'things' })).toMatchObject({ valid: true, nrecords: 2 });
    await again.close();
  });

  it('opens after a process was killed between creating the file of a new store and writing to it', async () => {
    await start({ folder });
    await stores.pop()!.close();
    const format = await readFile(join(folder, 'format.json'));
    await rm(folder, { recursive: true });
    await mkdir(folder, { mode: 0o700 });
    for (const name of ['store.mdb.creating', 'store.mdb']) await writeFile(join(folder, name), '');
    await writeFile(join(folder, 'format.json'), format);

    const store = await start({ folder });
    const client = await MongoClient.connect(store.uri);
    await client.db('a').collection('things').insertOne({ n: 1 });
    await client.close();
    await stores.pop()!.close();
    await writeFile(join(folder, 'store.mdb'), '');
    await expect(start({ folder })).rejects.toThrow('it is empty');
  });

  it('opens after one commit has replaced a large value with smaller ones', async () => {
    const first = await start({ folder });
    const client = await MongoClient.connect(first.uri);
    const values = client.db('a').collection<{ _id: number; x: string }>('values');
    await values.insertMany([{ _id: 1, x: '' }, ...Array.from({ length: 50 }, (_, i) => ({ _id: i + 2, x: 'x' }))]);
    const lengths = [20_000, 9000, 3000, 10];
    for (let _id = 1; _id <= lengths.length; _id++) {
      const steps = lengths.slice(0, _id).map((length) => ({
        updateOne: { filter: { _id }, update: { $set: { x: 'x'.repeat(length) } } },
      }));
      await values.bulkWrite(steps);
    }
    await client.close();
    await first.close();
    stores.length = 0;

    const second = await start({ folder });
    const again = await MongoClient.connect(second.uri);
    const found = again
      .db('a')
      .collection<{ _id: number; x: string }>('values')
      .find({ _id: { $lte: 4 } });
    expect((await found.sort({ _id: 1 }).toArray()).map(({ x }) => x.length)).toEqual(lengths);
    await again.close();
    await second.close();
    stores.length = 0;
    expect(await checkStore(folder)).toMatchObject({ found: 0, documents: 51 });
  });

  it('serves one process at a time, and names that process to a second one', async () => {
    await start({ folder });
    await expect(startEmbeddedStore({ folder })).rejects.toThrow(`in use by process ${process.pid}`);
    const script = `import(${JSON.stringify(INDEX)}).then((m) => m.startEmbeddedStore({ folder: ${JSON.stringify(folder)} }))
      .then(() => console.log('opened'), (error) => console.log(error.message)).then(() => process.exit())`;
    const { stdout } = await run(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script]);
    expect(stdout).toContain(`in use by process ${process.pid}; one process at a time may open it`);
  });

  it('is unlocked when its process is killed', async () => {
    const script = `import(${JSON.stringify(INDEX)}).then((m) => m.startEmbeddedStore({ folder: ${JSON.stringify(folder)} }))
      .then(() => process.kill(process.pid, 'SIGKILL'))`;
    const killed = run(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script]);
    await expect(killed).rejects.toMatchObject({ signal: 'SIGKILL' });
    await start({ folder });
  });

  it('is rejected when its format is newer, damaged or missing', async () => {
    await mkdir(folder);
    await writeFile(join(folder, 'format.json'), '{"format": 99}');
    await expect(startEmbeddedStore({ folder })).rejects.toThrow('format 99');
    for (const damaged of ['', '{"form', 'null', '[]']) {
      await writeFile(join(folder, 'format.json'), damaged);
      await expect(startEmbeddedStore({ folder })).rejects.toThrow(
        'format.json is damaged; if this release wrote the store, it must contain {',
      );
    }
    await rm(join(folder, 'format.json'));
    await writeFile(join(folder, 'store.mdb'), 'not a store');
    await expect(startEmbeddedStore({ folder })).rejects.toThrow('no format.json');
    expect(await readFile(join(folder, 'store.mdb'), 'utf8')).toBe('not a store');
  });

  it('may have a path longer than the limit for sockets', async () => {
    const deep = join(folder, 'x'.repeat(60), 'y'.repeat(60));
    const store = await start({ folder: deep });
    const client = await MongoClient.connect(store.uri);
    await client.db('a').command({ ping: 1 });
    await client.close();
    const socket = decodeURIComponent(/\/\/([^/]+)/.exec(store.uri)![1]!);
    expect(await modeOf(join(socket, '..'))).toBe('700');
    expect(await modeOf(socket)).toBe('600');
    await store.close();
    stores.length = 0;
    await expect(stat(join(socket, '..'))).rejects.toThrow('ENOENT');
  });
});

it("the server's term increases across a clean shutdown, even if the clock was set back", async () => {
  const electionId = async (): Promise<string> => {
    const store = await start({ folder });
    const raw = connectRaw(store.uri);
    const { electionId: id } = await raw.command('admin', { hello: 1 });
    raw.close();
    await stores.pop()!.close();
    return String(id);
  };
  const first = await electionId();
  // As if the clock had been an hour ahead until now.
  const root = open<Buffer, Buffer>({
    path: join(folder, 'store.mdb'),
    noSubdir: true,
    keyEncoding: 'binary',
    encoding: 'binary',
  } as never);
  const catalog = root.openDB<Buffer, Buffer>('catalog', { keyEncoding: 'binary', encoding: 'binary' } as never);
  const key = Buffer.from('\0term');
  expect(BSON.deserialize(catalog.get(key)!).term).toBeGreaterThan(0);
  const ahead = Date.now() + 3_600_000;
  await catalog.put(key, Buffer.from(BSON.serialize({ term: ahead })));
  await root.close();
  const second = await electionId();
  expect(second > first).toBe(true);
  expect(Number.parseInt(second.slice(8), 16)).toBe(ahead + 1);
});
