import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedStore, startEmbeddedStore } from '../../src/embedded/index.ts';
import { residentMappings } from '../support/resident-mappings.ts';

const MEBIBYTE = 1_048_576;
const DOCUMENTS = 48;

let folder: string;
let store: EmbeddedStore;
let client: MongoClient;

const storeMappings = (): number[] => residentMappings('self', join(folder, 'store.mdb'));

const residentBytes = (): number => storeMappings().reduce((sum, bytes) => sum + bytes, 0);

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
    expect(storeMappings()).toHaveLength(1);
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
