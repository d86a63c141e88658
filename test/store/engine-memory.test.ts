import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedStore, startEmbeddedStore } from '../../src/embedded/index.ts';

const MEBIBYTE = 1_048_576;
const DOCUMENTS = 48;

let folder: string;
let store: EmbeddedStore;
let client: MongoClient;

/** Resident memory of each mapping of the store's file, in bytes. */
function residentMappings(): number[] {
  const mappings = readFileSync('/proc/self/smaps', 'utf8').split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
  return mappings
    .filter((mapping) => mapping.split('\n', 1)[0]!.endsWith(` ${join(folder, 'store.mdb')}`))
    .map((mapping) => 1024 * Number(/^Rss:\s+(\d+)/m.exec(mapping)![1]));
}

const residentBytes = (): number => residentMappings().reduce((sum, bytes) => sum + bytes, 0);

const readEverything = async (): Promise<number> =>
  (await client.db('memory').collection('long').find().batchSize(4).toArray()).length;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colloquy-memory-'));
  store = await startEmbeddedStore({ folder, durability: 'memory', residentTarget: 0 });
  client = await MongoClient.connect(store.uri);
  for (let index = 0; index < DOCUMENTS; index += 1)
    await client
      .db('memory')
      .collection('long')
      .insertOne({ text: 'x'.repeat(MEBIBYTE) });
});
afterAll(async () => {
  await client?.close();
  await store?.close();
  await rm(folder, { recursive: true, force: true });
});

describe.runIf(process.platform === 'linux')('memory of the embedded store', () => {
  it('maps its file once, however much it grows', () => {
    expect(residentMappings()).toHaveLength(1);
  });

  it('keeps few pages of the file resident after all of it was read', async () => {
    expect(await readEverything()).toBe(DOCUMENTS);
    await expect.poll(residentBytes, { timeout: 30_000 }).toBeLessThanOrEqual(16 * MEBIBYTE);
  });

  it('returns the same data after pages were released', async () => {
    const before = await readEverything();
    await pause(500);
    expect(await readEverything()).toBe(before);
    const first = await client.db('memory').collection('long').findOne();
    expect(first!.text).toBe('x'.repeat(MEBIBYTE));
  });

  it('keeps all pages resident while the process is below its target', async () => {
    await client.close();
    await store.close();
    store = await startEmbeddedStore({ folder, durability: 'memory', residentTarget: Number.MAX_SAFE_INTEGER });
    client = await MongoClient.connect(store.uri);
    await readEverything();
    await pause(500);
    expect(residentBytes()).toBeGreaterThan(DOCUMENTS * MEBIBYTE);
  });
});
