import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, expect, vi } from 'vitest';
import type { ReadBudget } from '../../src/limits/read-budget.ts';
import { insertSampleNetwork } from '../../src/sample/insert.ts';
import { createLoaders } from '../../src/store/loaders.ts';
import type { RecordCache } from '../../src/store/record-cache/record-cache.ts';
import { openStore, type Store, type StoreOptions } from '../../src/store/store.ts';
import { freshDatabaseName } from './store.ts';
import { workerStore } from './worker-store.ts';

/** The network of the current test, in the database that the tests of a file share. */
export let networkId = '';

/** Called after the current test, in reverse order. */
export const closers: Array<() => Promise<unknown>> = [];

/** A store without a cache on the database of the current test file. */
let shared: Promise<Store> | undefined;

/**
 * Closes the stores of each test after it, and drops the database of the file at its end. To be called by each file:
 * modules are evaluated once per worker.
 */
export function closeCachedStores(): void {
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });
  afterAll(async () => {
    const store = await shared;
    shared = undefined;
    await store?.db.dropDatabase();
    await store?.close();
  });
}

/** Where a test opens a store; creating a database takes seconds on an emulated server. */
export async function location(): Promise<{ uri: string; databaseName: string; other: Store }> {
  const uri = process.env.MONGODB_URI ?? (await workerStore()).uri;
  shared ??= openStore({ uri, databaseName: freshDatabaseName() });
  const other = await shared;
  return { uri, databaseName: other.db.databaseName, other };
}

export interface OpenedStore {
  store: Store;
  records: RecordCache;
  /** Another process on the same database, without a cache. */
  other: Store;
  /** Names of the commands sent since the last call. */
  sent(): string[];
}

/** A store with an open cache, and the sample data in a network of its own. */
export async function openCachedStore(options: Partial<StoreOptions> = {}): Promise<OpenedStore> {
  const { other, ...where } = await location();
  networkId = `network-${randomUUID().slice(0, 8)}`;
  const store = await openStore({ ...where, monitorCommands: true, cacheMb: 8, ...options });
  closers.push(() => store.close());
  await insertSampleNetwork({ collections: store.collections, networkId });
  const records = store.records!;
  let names: string[] = [];
  store.client.on('commandStarted', ({ commandName }) => names.push(commandName));
  await whenOpen(store);
  const sent = () => {
    const all = names;
    names = [];
    return all;
  };
  sent();
  return { store, records, other, sent };
}

export async function whenOpen(store: Store): Promise<void> {
  await vi.waitFor(() => {
    store.records!.isFresh();
    expect(store.records!.status().isOpen).toBe(true);
  }, WAIT);
}

export const WAIT = { timeout: 60_000 };

/** A request does not wait long enough on a busy machine. */
export async function whenCaughtUp(records: RecordCache): Promise<void> {
  await vi.waitFor(async () => expect(await records.whenFresh()).toBe(true), WAIT);
}

/** The loaders of a request, which has read its session. */
export async function request({ batchers, records }: Store, budget: ReadBudget | null = null) {
  await batchers.sessions.load(networkId, 'no session');
  return createLoaders(batchers, networkId, budget, records);
}
