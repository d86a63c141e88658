import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Db } from 'mongodb';
import type { EmbeddedStoreOptions } from '../../src/embedded/index.ts';
import type { Collections } from '../../src/store/collections.ts';
import { openStore, type Store } from '../../src/store/store.ts';

export interface TestStore {
  store: Store;
  db: Db;
  collections: Collections;
  uri: string;
  close(): Promise<void>;
}

/**
 * An empty store of its own for a test file: the embedded one in a temporary folder, where a query without an index is
 * an error, or a fresh database of the server that `MONGODB_URI` names.
 */
export async function openTestStore(
  options: Pick<EmbeddedStoreOptions, 'transactionLifetimeMs'> = {},
): Promise<TestStore> {
  const { MONGODB_URI } = process.env;
  if (MONGODB_URI) {
    const store = await openStore({ uri: MONGODB_URI, databaseName: freshDatabaseName() });
    return shape(store, MONGODB_URI, async () => {
      await store.db.dropDatabase();
      await store.close();
    });
  }
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-store-'));
  const { startEmbeddedStore } = await import('../../src/embedded/index.ts');
  const embedded = await startEmbeddedStore({ folder, durability: 'memory', refuseUnindexed: true, ...options });
  const store = await openStore({ uri: embedded.uri });
  return shape(store, embedded.uri, async () => {
    await store.close();
    await embedded.close();
    await rm(folder, { recursive: true, force: true });
  });
}

function shape(store: Store, uri: string, close: () => Promise<void>): TestStore {
  return { store, db: store.db, collections: store.collections, uri, close };
}

export function freshDatabaseName(): string {
  return `test_${process.pid}_${Math.random().toString(36).slice(2, 10)}`;
}
