import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Db } from 'mongodb';
import { startEmbeddedStore } from '../../src/embedded/index.ts';
import type { Collections } from '../../src/store/collections.ts';
import { openStore, type Store, type StoreOptions } from '../../src/store/store.ts';
import { distribute, dropTestDatabase } from './sharded/distribute.ts';
import { workerStore } from './worker-store.ts';

export interface TestStore {
  store: Store;
  db: Db;
  collections: Collections;
  uri: string;
  close(): Promise<void>;
}

interface TestStoreOptions extends Pick<StoreOptions, 'timeoutMs'> {
  /** The test gets an embedded store of its own, in which a query that no index serves is an error. */
  transactionLifetimeMs?: number;
}

/** An empty database of its own for a test file: in the embedded store of this worker, or on the server that `MONGODB_URI` names. */
export async function openTestStore({ transactionLifetimeMs, timeoutMs }: TestStoreOptions = {}): Promise<TestStore> {
  const { MONGODB_URI } = process.env;
  if (!MONGODB_URI && transactionLifetimeMs) return openOwnStore({ transactionLifetimeMs, timeoutMs });
  const uri = MONGODB_URI ?? (await workerStore()).uri;
  const store = await openStore({ uri, databaseName: freshDatabaseName(), timeoutMs });
  if (MONGODB_URI) await distribute(store.db, 'default');
  return shape(store, uri, async () => {
    await dropTestDatabase(store.db);
    await store.close();
  });
}

async function openOwnStore({ timeoutMs, ...options }: TestStoreOptions): Promise<TestStore> {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-store-'));
  const embedded = await startEmbeddedStore({ folder, durability: 'memory', refuseUnindexed: true, ...options });
  const store = await openStore({ uri: embedded.uri, timeoutMs });
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
