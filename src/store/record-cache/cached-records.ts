import { LRUCache } from 'lru-cache';
import type { Document } from 'mongodb';
import { storedBytes } from '../decode.ts';

/** Heap of a record per stored byte, with its completed fields and their JSON (`schema/plan/forms.ts`), and of its places in the maps. */
const TIMES_STORED = 7;
const ENTRY_BYTES = 500;

interface Entry {
  record: Document;
  /** Where lookups find it. */
  places: Array<{ index: Map<string, Entry>; name: string }>;
  key: string;
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

/** Finds records by the name that one kind of lookup gives them. */
export interface CachedIndex {
  /** Returns a record and marks it as used. */
  get(name: string): Document | undefined;
  /** @param key of the record, which is the same in all indexes */
  add(name: string, key: string, record: Document): void;
}

export function createCachedRecords(maxBytes: number): CachedRecords {
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    sizeCalculation: ({ record }) => TIMES_STORED * storedBytes(record) + ENTRY_BYTES,
    dispose: ({ places }) => {
      for (const { index, name } of places) index.delete(name);
    },
  });
  return {
    get size() {
      return entries.size;
    },
    get bytes() {
      return entries.calculatedSize;
    },
    createIndex() {
      const index = new Map<string, Entry>();
      return {
        get(name) {
          const entry = index.get(name);
          if (entry) entries.get(entry.key);
          return entry?.record;
        },
        add(name, key, record) {
          const present = entries.get(key);
          if (present?.record === record) {
            if (index.get(name) === present) return;
            present.places.push({ index, name });
            index.set(name, present);
            return;
          }
          const entry: Entry = { record, places: [{ index, name }], key };
          entries.set(key, entry);
          // Too large a record is not kept.
          if (entries.peek(key) === entry) index.set(name, entry);
        },
      };
    },
    get: (key) => entries.get(key)?.record,
    add(key, record) {
      // A record that is cached already has the same version, or an unreported change will remove it.
      if (!entries.get(key)) entries.set(key, { record, places: [], key });
    },
    delete: (key) => void entries.delete(key),
    clear: () => entries.clear(),
  };
}
