import { LRUCache } from 'lru-cache';
import type { Document } from 'mongodb';
import { storedBytes, TIMES_STORED } from '../decode.ts';

/** Heap of the places of a record in the maps. */
const ENTRY_BYTES = 500;

interface Entry {
  record: Document;
  /** Where lookups find it. */
  places: Array<{ index: Map<string, Entry>; name: string }>;
  key: string;
  /** The number of the use that made it the most recently used record. */
  usedAt: number;
}

/** Records of all collections, least recently used ones evicted first; each exists once, whatever lookups find it. */
export interface CachedRecords {
  readonly size: number;
  /** Estimated heap. */
  readonly bytes: number;
  /** Adds a kind of lookup. */
  createIndex(): CachedIndex;
  /** Returns a record by its key and marks it as used. */
  get(key: string): Document | undefined;
  /** Adds a record that was found in a list. */
  add(key: string, record: Document): void;
  /** @param key of the record */
  delete(key: string): void;
  clear(): void;
}

/** Finds records of a network by the name that one kind of lookup gives them. */
export interface CachedIndex {
  /** Returns a record and marks it as used. */
  get(networkId: string, name: string): Document | undefined;
  /** @param key of the record, which is the same in all indexes */
  add(networkId: string, name: string, key: string, record: Document): void;
}

export function createCachedRecords(maxBytes: number): CachedRecords {
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    sizeCalculation: ({ record }) => TIMES_STORED * storedBytes(record) + ENTRY_BYTES,
    dispose: ({ places }) => {
      for (const { index, name } of places) index.delete(name);
    },
  });
  let uses = 0;

  /** Makes an entry the most recently used one, unless it is among the most recent half anyway. */
  function use(entry: Entry): void {
    if (uses - entry.usedAt < entries.size / 2) return;
    uses += 1;
    entry.usedAt = uses;
    entries.get(entry.key);
  }

  function set(key: string, record: Document): Entry {
    uses += 1;
    const entry: Entry = { record, places: [], key, usedAt: uses };
    entries.set(key, entry);
    return entry;
  }

  return {
    get size() {
      return entries.size;
    },
    get bytes() {
      return entries.calculatedSize;
    },
    createIndex() {
      const networks = new Map<string, Map<string, Entry>>();
      return {
        get(networkId, name) {
          const entry = networks.get(networkId)?.get(name);
          if (entry) use(entry);
          return entry?.record;
        },
        add(networkId, name, key, record) {
          const index = networks.get(networkId) ?? new Map<string, Entry>();
          networks.set(networkId, index);
          const present = entries.peek(key);
          const entry = present?.record === record ? present : set(key, record);
          use(entry);
          // Too large a record is not kept.
          if (entries.peek(key) !== entry || index.get(name) === entry) return;
          entry.places.push({ index, name });
          index.set(name, entry);
        },
      };
    },
    get(key) {
      const entry = entries.peek(key);
      if (entry) use(entry);
      return entry?.record;
    },
    add(key, record) {
      // A record that is cached already has the same version, or an unreported change will remove it.
      const present = entries.peek(key);
      if (present) use(present);
      else set(key, record);
    },
    delete: (key) => void entries.delete(key),
    clear: () => entries.clear(),
  };
}
