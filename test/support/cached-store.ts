import { afterEach, expect, vi } from 'vitest';
import type { ReadBudget } from '../../src/limits/read-budget.ts';
import { insertSampleNetwork } from '../../src/sample/insert.ts';
import { createLoaders } from '../../src/store/loaders.ts';
import type { RecordCache } from '../../src/store/record-cache/record-cache.ts';
import { openStore, type Store, type StoreOptions } from '../../src/store/store.ts';
import { freshDatabaseName } from './store.ts';
import { workerStore } from './worker-store.ts';

export const NETWORK = 'default';
export const closers: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

export interface OpenedStore {
  store: Store;
  records: RecordCache;
  /** Another process on the same database, without a cache. */
  other: Store;
  /** Names of the commands sent since the last call. */
  sent(): string[];
}

/** A store with the sample network and an open cache. */
export async function openCachedStore(options: Partial<StoreOptions> = {}): Promise<OpenedStore> {
  const uri = process.env.MONGODB_URI ?? (await workerStore()).uri;
  const databaseName = freshDatabaseName();
  const store = await openStore({ uri, databaseName, monitorCommands: true, cacheMb: 8, ...options });
  const other = await openStore({ uri, databaseName });
  closers.push(
    () => other.close(),
    () => store.close(),
    () => store.db.dropDatabase(),
  );
  await insertSampleNetwork({ collections: store.collections, networkId: NETWORK });
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
  await batchers.sessions.load(NETWORK, 'no session');
  return createLoaders(batchers, NETWORK, budget, records);
}
