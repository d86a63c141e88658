import { LRUCache } from 'lru-cache';
import type { Document } from 'mongodb';
import { cacheEvictions } from '../../observe/metrics/definitions.ts';
import { storedBytes, TIMES_COMPLETED, TIMES_STORED } from '../decode.ts';

/** Heap of the places of a record in the maps. */
const ENTRY_BYTES = 400;
/** The part of the bytes that records used again may take: the others have a chance to be used again. */
const USED_AGAIN_PART = 0.8;

const evictions = cacheEvictions.with('records');

interface Entry {
  record: Document;
  /** Where lookups find it. */
  places: ReadonlyArray<{ index: Map<string, Entry>; name: string }>;
  key: string;
  /** Estimated heap. It is more for a record that was used again, whose completed fields are kept with it. */
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
  // `evict` keeps the bound of both segments. One of them must not evict by itself, since lookups would find the entry.
  const createSegment = () =>
    new LRUCache<string, Entry>({ maxSize: 2 * maxBytes, sizeCalculation: ({ bytes }) => bytes });
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
    } else if (!moveToUsedAgain(entry)) return;
    uses += 1;
    entry.usedAt = uses;
  }

  /** @returns false for a record that is too large for the segment */
  function moveToUsedAgain(entry: Entry): boolean {
    const size = bytesOf(entry.record, TIMES_COMPLETED);
    if (size > USED_AGAIN_PART * maxBytes) return false;
    added.delete(entry.key);
    entry.bytes = size;
    entry.isUsedAgain = true;
    usedAgain.set(entry.key, entry);
    while (usedAgain.calculatedSize > USED_AGAIN_PART * maxBytes) {
      const oldest = usedAgain.pop()!;
      oldest.isUsedAgain = false;
      added.set(oldest.key, oldest);
    }
    evict();
    return true;
  }

  /** Adds a record, unless it is too large. */
  function set(key: string, record: Document): Entry {
    remove(key);
    const size = bytesOf(record, TIMES_STORED);
    const entry: Entry = { record, places: [], key, bytes: size, isUsedAgain: false, usedAt: 0 };
    if (size > maxBytes) return entry;
    added.set(key, entry);
    evict();
    return entry;
  }

  function evict(): void {
    while (bytes() > maxBytes) {
      evictions.add();
      forget(added.pop() ?? usedAgain.pop());
    }
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
          // Not pushed: a list that grows has spare capacity.
          entry.places = [...entry.places, { index, name }];
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

/** Estimated heap of a record that takes `times` its stored bytes. */
const bytesOf = (record: Document, times: number): number => Math.ceil(times * storedBytes(record)) + ENTRY_BYTES;

/** Removes an entry that is no longer kept from all lookups. */
function forget(entry: Entry | undefined): void {
  for (const { index, name } of entry?.places ?? []) if (index.get(name) === entry) index.delete(name);
}
