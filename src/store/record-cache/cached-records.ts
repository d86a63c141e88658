import { LRUCache } from 'lru-cache';
import type { Document } from 'mongodb';
import { storedBytes, TIMES_STORED } from '../decode.ts';

/** Heap of the places of a record in the maps. */
const ENTRY_BYTES = 500;
/** The part of the bytes that records used again may take: the others have a chance to be used again. */
const USED_AGAIN_PART = 0.8;

interface Entry {
  record: Document;
  /** Where lookups find it. */
  places: Array<{ index: Map<string, Entry>; name: string }>;
  key: string;
  /** Estimated heap. */
  bytes: number;
  /** Whether it is in the segment of records that were used after they were added. */
  isUsedAgain: boolean;
  /** The number of the use that made it the most recently used record of this segment. */
  usedAt: number;
}

/**
 * Records of all collections; each exists once, whatever lookups find it. Those that were not used since they were added
 * are evicted first, and of these the oldest ones: a sweep over many records does not replace those that are used again
 * and again (segmented LRU).
 */
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
  const createSegment = () => new LRUCache<string, Entry>({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes });
  const added = createSegment();
  const usedAgain = createSegment();
  let uses = 0;

  const peek = (key: string) => usedAgain.peek(key) ?? added.peek(key);
  const bytes = () => added.calculatedSize + usedAgain.calculatedSize;

  /** Makes an entry the most recently used one, unless it is among the most recent half anyway. */
  function use(entry: Entry): void {
    if (entry.isUsedAgain) {
      if (uses - entry.usedAt < usedAgain.size / 2) return;
      usedAgain.get(entry.key);
    } else {
      added.delete(entry.key);
      usedAgain.set(entry.key, entry);
      entry.isUsedAgain = true;
      while (usedAgain.calculatedSize > USED_AGAIN_PART * maxBytes) {
        const oldest = usedAgain.pop()!;
        oldest.isUsedAgain = false;
        added.set(oldest.key, oldest);
      }
    }
    uses += 1;
    entry.usedAt = uses;
  }

  function set(key: string, record: Document): Entry {
    remove(key);
    const size = TIMES_STORED * storedBytes(record) + ENTRY_BYTES;
    const entry: Entry = { record, places: [], key, bytes: size, isUsedAgain: false, usedAt: 0 };
    // Too large a record is not kept.
    added.set(key, entry);
    while (bytes() > maxBytes) forget(added.pop() ?? usedAgain.pop());
    return entry;
  }

  function remove(key: string): void {
    const entry = peek(key);
    added.delete(key);
    usedAgain.delete(key);
    forget(entry);
  }

  return {
    get size() {
      return added.size + usedAgain.size;
    },
    get bytes() {
      return bytes();
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
          const present = peek(key);
          const entry = present?.record === record ? present : set(key, record);
          if (peek(key) !== entry || index.get(name) === entry) return;
          entry.places.push({ index, name });
          index.set(name, entry);
        },
      };
    },
    get(key) {
      const entry = peek(key);
      if (entry) use(entry);
      return entry?.record;
    },
    add(key, record) {
      // A record that is cached already has the same version, or an unreported change will remove it.
      const present = peek(key);
      if (present) use(present);
      else set(key, record);
    },
    delete: remove,
    clear() {
      for (const segment of [added, usedAgain]) {
        for (const entry of segment.values()) forget(entry);
        segment.clear();
      }
    },
  };
}

/** Removes an entry that is no longer kept from all lookups. */
function forget(entry: Entry | undefined): void {
  for (const { index, name } of entry?.places ?? []) if (index.get(name) === entry) index.delete(name);
}
