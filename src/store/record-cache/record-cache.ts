import { type Db, type Document, type MongoClient, ObjectId } from 'mongodb';
import { compositeKey } from '../../lib/composite-key.ts';
import { flatText } from '../../lib/flat-text.ts';
import type { BatchSource } from '../batcher.ts';
import type { CollectionName, Records } from '../collections.ts';
import { createCachedRecords } from './cached-records.ts';
import { createCachedResults } from './cached-results.ts';
import type { OpenChangeFeed } from './change-feed.ts';
import { type FeedFollower, followChanges } from './feed-follower.ts';
import { createRecentChanges } from './recent-changes.ts';
import { groupOf, type Selection, selectionOf } from './selection.ts';

/**
 * Records that were read by id, the lists and values that were read again, and keys without a record, as fresh as a read of
 * the database: see docs/caching.md. Only a request that has read the database after it began may use it, since such a
 * reply carries a time that all acknowledged writes precede.
 *
 * After `isFresh` or `whenFresh` returned true, records may be taken from the cache in the same turn of the event loop.
 */
export interface RecordCache extends Pick<FeedFollower, 'isFresh' | 'catchUp' | 'whenFresh'> {
  /** Adds a cache to a source whose keys are unique. */
  cached<Key, Name extends CollectionName>(
    collection: Name,
    source: BatchSource<Key, Records[Name]>,
  ): BatchSource<Key, Records[Name]>;
  /** Adds a cache to a source with any number of records for each key. */
  cachedMany<Key, Name extends CollectionName>(
    collection: Name,
    source: BatchSource<Key, Records[Name][]>,
  ): BatchSource<Key, Records[Name][]>;
  /**
   * Adds a cache to a source of values that are computed from records.
   * @param fields of the records from which a value is computed
   * @param bytesOf heap of a value
   */
  cachedValues<Key, Value extends object>(
    source: BatchSource<Key, Value>,
    fields: readonly string[],
    bytesOf: (value: Value) => number,
  ): BatchSource<Key, Value>;
  /** The list of a name, if it and all its records are cached; undefined: read it with {@link readList}. */
  peekList(name: string): Document[] | undefined;
  /** Number of the last change of a collection of which something is cached. It grows. */
  lastChangeOf(collection: string): number;
  /** Reads a list, and caches it if it was read before. */
  readList(list: NamedList, read: () => Promise<Document[]>): Promise<Document[]>;
  status(): RecordCacheStatus;
  close(): void;
}

/** A list of records of one collection. Two lists with one name contain the same records. */
export interface NamedList {
  name: string;
  selection: Selection;
}

export interface RecordCacheStatus {
  /** Whether changes are being read, so that records are cached. */
  isOpen: boolean;
  /** Cluster time up to which changes were applied. */
  position: bigint;
  records: number;
  /** Estimated heap of the cached records and results. */
  bytes: number;
}

export interface RecordCacheOptions {
  client: MongoClient;
  db: Db;
  /** Heap that cached records may take. */
  maxBytes: number;
  openChangeFeed: OpenChangeFeed;
}

/** The part of the bytes that lists and absent pairs may take. */
const RESULTS_PART = 1 / 8;

/** The most records of a list that is cached. */
export const MAX_CACHED_LIST = 60;

/** Creates a cache that follows the database through one change feed. */
export function createRecordCache({ maxBytes, ...options }: RecordCacheOptions): RecordCache {
  const recent = createRecentChanges();
  const records = createCachedRecords(maxBytes * (1 - RESULTS_PART));
  const results = createCachedResults(maxBytes * RESULTS_PART, recent);
  const collections = new Set<string>();
  let lookups = 0;
  const follower = followChanges({
    ...options,
    onChange(change) {
      const { collection, id } = change;
      // A collection is added before its first read begins.
      if (!collections.has(collection)) return;
      const key = id === null ? null : keyOf(collection, id);
      if (key !== null) records.delete(key);
      recent.add(change, key);
    },
    onReset() {
      records.clear();
      recent.addAll();
    },
  });

  /** Reads, and calls `keep` with the number of the last change before the read, unless the feed ended meanwhile. */
  async function reading<Found>(read: () => Promise<Found>, keep: (found: Found, readAfter: number) => void) {
    follower.open();
    const { feed } = follower;
    const readAfter = recent.last;
    const found = await read();
    // A change that was not reported yet will remove what is kept.
    if (feed !== null && feed === follower.feed) keep(found, readAfter);
    return found;
  }

  function keepList({ name, selection }: NamedList, list: readonly Document[], readAfter: number): void {
    const { collection } = selection;
    if (list.length > MAX_CACHED_LIST || !list.every(({ _id }) => _id instanceof ObjectId)) return;
    const keys = list.map(({ _id }) => keyOf(collection, (_id as ObjectId).toHexString()));
    // Records of other lists would replace those that are read again.
    if (!results.addList(name, { selection, keys, readAfter })) return;
    for (const [place, key] of keys.entries())
      if (!recent.hasChangedSince(key, readAfter)) records.add(key, list[place]!);
  }

  function knownList(name: string): Document[] | undefined {
    const keys = results.list(name);
    if (!keys) return undefined;
    const list: Document[] = [];
    for (const key of keys) {
      const record = records.get(key);
      if (!record) return undefined;
      list.push(record);
    }
    return list;
  }

  /** Which keys of a lookup have no value. Pairs are grouped by their first part, so that equal ids are stored once. */
  function createAbsences<Key>(source: BatchSource<Key, unknown>) {
    const { keyOf: textOf, partsOf } = source;
    const selectionOfKey = selectionsOf(source);
    const lookup = ++lookups;
    const placeOf = (networkId: string, key: Key) => {
      const [first, member] = partsOf?.(key) ?? ['', textOf(key)];
      return { group: flatText(`absent ${lookup} ${compositeKey(networkId, first)}`), member };
    };
    return {
      has(networkId: string, key: Key): boolean {
        const { group, member } = placeOf(networkId, key);
        return results.isAbsent(group, member, () => selectionOfKey(networkId, key));
      },
      keep(networkId: string, keys: readonly Key[], found: ReadonlyMap<string, unknown>, readAfter: number): void {
        for (const key of keys) {
          if (found.has(textOf(key))) continue;
          const { group, member } = placeOf(networkId, key);
          results.addAbsent(group, { selection: selectionOfKey(networkId, key), member, readAfter });
        }
      },
    };
  }

  return {
    isFresh: follower.isFresh,
    catchUp: follower.catchUp,
    whenFresh: follower.whenFresh,
    cached(collection, source) {
      collections.add(collection);
      const index = records.createIndex();
      const absences = createAbsences(source);
      return {
        ...source,
        lastChange: () => recent.lastOf(collection),
        fetch: (networkId, keys) =>
          reading(
            () => source.fetch(networkId, keys),
            (found, readAfter) => {
              for (const [text, record] of found) {
                const key = keyOf(collection, record._id.toHexString());
                if (!recent.hasChangedSince(key, readAfter)) index.add(networkId, flatText(text), key, record);
              }
              absences.keep(networkId, keys, found, readAfter);
            },
          ),
        peek: (networkId, key) =>
          (index.get(networkId, source.keyOf(key)) as never) ?? (absences.has(networkId, key) ? null : undefined),
      };
    },
    cachedMany(collection, source) {
      collections.add(collection);
      const absences = createAbsences(source);
      const selectionOfKey = selectionsOf(source);
      const lookup = ++lookups;
      const nameOf = (networkId: string, text: string) => flatText(`many ${lookup} ${compositeKey(networkId, text)}`);
      return {
        ...source,
        lastChange: () => recent.lastOf(collection),
        fetch: (networkId, keys) =>
          reading(
            () => source.fetch(networkId, keys),
            (found, readAfter) => {
              for (const key of keys) {
                const text = source.keyOf(key);
                const list = found.get(text);
                const named = { name: nameOf(networkId, text), selection: selectionOfKey(networkId, key) };
                if (list) keepList(named, list, readAfter);
              }
              absences.keep(networkId, keys, found, readAfter);
            },
          ),
        peek: (networkId, key) =>
          (knownList(nameOf(networkId, source.keyOf(key))) as never) ??
          (absences.has(networkId, key) ? null : undefined),
      };
    },
    cachedValues(source, fields, bytesOf) {
      collections.add(source.collection);
      const selectionOfKey = selectionsOf(source, fields);
      const lookup = ++lookups;
      const nameOf = (networkId: string, text: string) => flatText(`value ${lookup} ${compositeKey(networkId, text)}`);
      return {
        ...source,
        lastChange: () => recent.lastOf(source.collection),
        fetch: (networkId, keys) =>
          reading(
            () => source.fetch(networkId, keys),
            (found, readAfter) => {
              for (const key of keys) {
                const text = source.keyOf(key);
                const value = found.get(text);
                if (value === undefined) continue;
                const selection = selectionOfKey(networkId, key);
                results.addValue(nameOf(networkId, text), { selection, readAfter, value, bytes: bytesOf(value) });
              }
            },
          ),
        peek: (networkId, key) => results.value(nameOf(networkId, source.keyOf(key))) as never,
      };
    },
    peekList: knownList,
    lastChangeOf: recent.lastOf,
    readList(named, read) {
      collections.add(named.selection.collection);
      return reading(read, (list, readAfter) => keepList(named, list, readAfter));
    },
    status: () => ({
      isOpen: follower.feed !== null,
      position: follower.position,
      records: records.size,
      bytes: records.bytes + results.bytes,
    }),
    close: follower.close,
  };
}

/** What a key of a source selects. @param computed further fields on which its value depends */
function selectionsOf<Key>({ collection, filterOf }: BatchSource<Key, unknown>, computed: readonly string[] = []) {
  let fields: Selection['fields'] | undefined;
  return (networkId: string, key: Key): Selection => {
    if (!filterOf) return { collection, fields: null, group: null };
    const filter = filterOf(networkId, key);
    fields ??= selectionOf(collection, filter, computed).fields;
    return { collection, fields, group: groupOf(collection, filter) };
  };
}

function keyOf(collection: string, id: string): string {
  return flatText(`${collection}/${id}`);
}
