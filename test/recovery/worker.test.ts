import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddedStore } from '../../src/embedded/index.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colloquy-worker-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the store's thread", () => {
  it('can be killed under load and restarted in the same process without data loss', async () => {
    const acknowledged: string[] = [];
    for (let round = 0; round < 4; round++) {
      const exits: Error[] = [];
      const store = await startEmbeddedStore({ folder, onExit: (error) => exits.push(error) });
      const client = await MongoClient.connect(store.uri, { serverSelectionTimeoutMS: 300, retryWrites: false });
      const rows = client.db('crash').collection<{ _id: string; pair: number }>('rows');
      await rows.createIndex({ pair: 1 });

      const present = new Set((await rows.find().toArray()).map(({ _id }) => _id));
      expect(acknowledged.filter((id) => !present.has(id))).toEqual([]);
      expect(await client.db('crash').command({ validate: 'rows' })).toMatchObject({ valid: true });

      // After a number of acknowledged writes, not a time: a busy machine writes less in the same time.
      const enough = acknowledged.length + 40;
      const writers = Array.from({ length: 16 }, async (_, writer) => {
        for (let i = 0; ; i++) {
          const _id = `${round}/${writer}/${i}`;
          await rows.insertOne({ _id, pair: i });
          acknowledged.push(_id);
          if (acknowledged.length === enough) void store.kill();
        }
      });
      const ends = await Promise.allSettled(writers);
      expect(ends.every(({ status }) => status === 'rejected')).toBe(true);
      await expect.poll(() => exits.length, { timeout: 30_000 }).toBe(1);
      expect(exits[0]?.message).toContain('ended unexpectedly');
      await client.close();
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(160);
  });
});
