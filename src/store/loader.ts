import DataLoader from 'dataloader';
import type { MaybePromise } from '../lib/maybe-promise.ts';
import type { ReadBudget } from '../limits/read-budget.ts';
import { cacheHits, cacheLookups } from '../observe/metrics/definitions.ts';
import type { Batcher } from './batcher.ts';
import { storedBytes } from './decode.ts';
import type { LoadSchedule, Rank } from './load-schedule.ts';
import { observerOf } from './read-observer.ts';
import type { RecordCache } from './record-cache/record-cache.ts';

/** Reads records of one lookup for one request, each once, so that the request sees one version of it everywhere. */
export interface Loader<Key, Value> {
  /**
   * The record of a key, null if there is none: without a promise if the request has read it before or it is in the record
   * cache. Never throws: errors are rejections, TOO_LARGE included. Other requests share the record: never change it.
   */
  load(key: Key): MaybePromise<Value | null>;
  /** Makes the next load read the record again. */
  clear(key: Key): this;
  /** Sets a record that was read in another way, unless the key was loaded before. */
  prime(key: Key, value: Value | null): this;
}

export interface LoaderOptions<Key, Value> {
  /** Of the lookup, for observers. */
  name: string;
  batcher: Batcher<Key, Value>;
  networkId: string;
  schedule: LoadSchedule;
  budget: ReadBudget | null;
  /** null: always read. */
  records: RecordCache | null;
  rank: Rank;
  /** The current form of a stored record, which may depend on the time. Observers see the stored one. */
  view?: ((value: Value, hasPassed: (time: Date) => boolean) => Value) | undefined;
  now: () => Date;
}

const lookups = cacheLookups.with('records');
const hits = cacheHits.with('records');

export function createLoader<Key, Value>(options: LoaderOptions<Key, Value>): Loader<Key, Value> {
  const { name, batcher, networkId, schedule, budget, records, rank, view, now } = options;
  /** Values by `keyOf`, and the promises of those that are being read. */
  const entries = new Map<string, MaybePromise<Value | null>>();
  let missing: DataLoader<Key, Value | null> | undefined;

  function hasPassed(time: Date): boolean {
    const passed = time <= now();
    if (budget) observerOf(budget)?.reportComparison(time, passed);
    return passed;
  }

  const current = <Found extends Value | null>(value: Found): Found =>
    view && value !== null ? (view(value, hasPassed) as Found) : value;

  /** A record of the cache, or null if it knows that there is none, unless the request has to wait for it. Charged as if it were read. */
  function takeCached(key: Key): MaybePromise<Value | null> | undefined {
    const record = batcher.peek?.(networkId, key);
    if (record === undefined || !records?.isFresh()) return undefined;
    if (budget?.mustWait()) return undefined;
    lookups.add();
    hits.add();
    if (budget === null) return current(record);
    try {
      budget.charge(bytesOf(record));
    } catch (error) {
      return Promise.reject(error);
    }
    observerOf(budget)?.loaded(name, key, record);
    return current(record);
  }

  function readMissing(key: Key, text: string): Promise<Value | null> {
    missing ??= new DataLoader<Key, Value | null>(readBatch, {
      // `entries` is the cache, which also has the records that were in memory.
      cache: false,
      batchScheduleFn: (send) => schedule.whenIdle(rank, send),
    });
    const promise = missing.load(key);
    // Unless the key was cleared meanwhile.
    const isCurrent = () => entries.get(text) === promise;
    promise.then(
      (value) => void (isCurrent() && entries.set(text, value)),
      () => void (isCurrent() && entries.delete(text)),
    );
    return promise;
  }

  async function readBatch(keys: readonly Key[]): Promise<Array<Value | null>> {
    const done = schedule.begin(rank);
    try {
      const found = await read(keys);
      return view ? found.map(current) : found;
    } finally {
      done();
    }
  }

  function read(keys: readonly Key[]): Promise<Array<Value | null>> {
    if (!budget) return readMany(keys);
    const charged = (some: readonly Key[]) => budget.load(some, readMany, bytesOf);
    return observerOf(budget)?.load(name, keys, charged) ?? charged(keys);
  }

  const readMany = (keys: readonly Key[]) => loadMany(batcher, networkId, keys, records);

  return {
    load(key) {
      const text = batcher.keyOf(key);
      const known = entries.get(text);
      if (known !== undefined) return known;
      let value = takeCached(key);
      if (value === undefined) value = readMissing(key, text);
      entries.set(text, value);
      return value;
    },
    clear(key) {
      entries.delete(batcher.keyOf(key));
      return this;
    },
    prime(key, value) {
      const text = batcher.keyOf(key);
      if (!entries.has(text)) entries.set(text, current(value));
      return this;
    },
  };
}

/**
 * Takes records from the cache if it is fresh, and loads the others.
 * @param records null: loads all
 */
export async function loadMany<Key, Value>(
  { peek, loadMany: load }: Batcher<Key, Value>,
  networkId: string,
  keys: readonly Key[],
  records: RecordCache | null,
): Promise<Array<Value | null>> {
  if (records !== null && peek !== undefined) lookups.add(keys.length);
  const isCached = records !== null && peek !== undefined && keys.some((key) => peek(networkId, key) !== undefined);
  if (!isCached || !(records.isFresh() || (await records.whenFresh()))) return load(networkId, keys);
  const loaded = keys.map((key) => peek(networkId, key));
  const missing = keys.filter((_, place) => loaded[place] === undefined);
  hits.add(loaded.length - missing.length);
  if (missing.length === 0) return loaded as Array<Value | null>;
  const read = await load(networkId, missing);
  let next = 0;
  return loaded.map((record) => (record === undefined ? read[next++]! : record));
}

/** Stored bytes of a record or a list of records; 0 for computed values. */
export function bytesOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((bytes, record) => bytes + bytesOf(record), 0);
  return typeof value === 'object' && value !== null ? storedBytes(value) : 0;
}
