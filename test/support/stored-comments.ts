import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { expect } from 'vitest';
import { startEmbeddedStore } from '../../src/embedded/index.ts';
import { findInconsistencies } from './consistency.ts';

/**
 * Opens the store of a data folder that no gateway uses, and asserts that it holds all acknowledged comments and that its
 * counters are exact. Returns the number of comments that `writeComments` wrote.
 */
export async function expectStored(dataFolder: string, acknowledged: ReadonlySet<string>): Promise<number> {
  const store = await startEmbeddedStore({ folder: join(dataFolder, 'store') });
  const client = await MongoClient.connect(store.uri);
  try {
    const db = client.db('colloquy');
    const stored = await db.collection('comments').find({ 'data.text': 'kept' }).toArray();
    const ids = new Set(stored.map(({ commentId }) => commentId));
    expect([...acknowledged].filter((id) => !ids.has(id))).toEqual([]);
    expect(await findInconsistencies(db)).toEqual([]);
    return ids.size;
  } finally {
    await client.close();
    await store.close();
  }
}
