import { LRUCache } from 'lru-cache';
import type { RecentChanges } from './recent-changes.ts';

/** Heap of an entry with its places in the maps. */
const ENTRY_BYTES = 300;
/** Heap of an id in a list or group. */
const ID_BYTES = 100;
/** More absent ids of a group than these are forgotten together. */
const MAX_GROUP = 2_000;
/** Lists that were read once. Only a list that is read again is kept, so that a sweep replaces nothing. */
const MAX_SEEN = 1_000;

interface Entry {
  collection: string;
  /** Number of the last change that the read of the result includes. */
  readAfter: number;
  /** Keys of the records of a list, in order; the members of a group that do not exist. */
  ids: readonly string[] | Set<string>;
}

/** Which records queries found, and which lookups found none. A result is valid while its collection is unchanged. */
export interface CachedResults {
  /** Estimated heap. */
  readonly bytes: number;
  /** The keys of the records of a list, in order; undefined if they are not known. */
  list(name: string): readonly string[] | undefined;
  /** @param readAfter number of the last change before the list was read */
  addList(name: string, list: { collection: string; keys: readonly string[]; readAfter: number }): void;
  /** Whether a member of a group is known not to exist. */
  isAbsent(group: string, member: string): boolean;
  addAbsent(group: string, absent: { collection: string; member: string; readAfter: number }): void;
}

export function createCachedResults(
  maxBytes: number,
  { hasCollectionChangedSince }: Pick<RecentChanges, 'hasCollectionChangedSince'>,
): CachedResults {
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    sizeCalculation: ({ ids }, name) =>
      ENTRY_BYTES + 2 * name.length + ID_BYTES * (ids instanceof Set ? ids.size : ids.length),
  });
  const seen = new LRUCache<string, true>({ max: MAX_SEEN });

  function current(name: string): Entry | undefined {
    const entry = entries.get(name);
    if (!entry || !hasCollectionChangedSince(entry.collection, entry.readAfter)) return entry;
    entries.delete(name);
    return undefined;
  }

  return {
    get bytes() {
      return entries.calculatedSize;
    },
    list: (name) => current(name)?.ids as readonly string[] | undefined,
    addList(name, { collection, keys, readAfter }) {
      if (hasCollectionChangedSince(collection, readAfter)) return;
      if (seen.has(name)) entries.set(name, { collection, readAfter, ids: keys });
      else seen.set(name, true);
    },
    isAbsent: (group, member) => (current(group)?.ids as Set<string> | undefined)?.has(member) ?? false,
    addAbsent(group, { collection, member, readAfter }) {
      if (hasCollectionChangedSince(collection, readAfter)) return;
      const known = current(group);
      const isFull = known !== undefined && (known.ids as Set<string>).size >= MAX_GROUP;
      const entry = known === undefined || isFull ? { collection, readAfter, ids: new Set<string>() } : known;
      (entry.ids as Set<string>).add(member);
      // The size of an entry is computed when it is added.
      entries.delete(group);
      entries.set(group, entry);
    },
  };
}
