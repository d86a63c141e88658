import { LRUCache } from 'lru-cache';
import { hashText } from '../../lib/hash-text.ts';
import type { RecentChanges } from './recent-changes.ts';

/** Heap of an entry with its places in the maps. */
const ENTRY_BYTES = 300;
/** Heap of an id in a list or group. */
const ID_BYTES = 100;
/** More absent ids of a group than these are forgotten together. */
const MAX_GROUP = 2_000;
/** Results that were read once. Only one that is read again is kept, so that a sweep replaces nothing. */
const MAX_SEEN = 8_000;

interface Entry {
  collection: string;
  /** Number of the last change that the read of the result includes. */
  readAfter: number;
  /** A list or another value; for a group, the members that do not exist. */
  value: unknown;
  bytes: number;
}

interface Result {
  collection: string;
  /** Number of the last change before the result was read. */
  readAfter: number;
}

/** Which records queries found, and which lookups found none. A result is valid while its collection is unchanged. */
export interface CachedResults {
  /** Estimated heap. */
  readonly bytes: number;
  /** The keys of the records of a list, in order; undefined if they are not known. */
  list(name: string): readonly string[] | undefined;
  /** @returns whether the list is kept, so that its records are needed */
  addList(name: string, list: Result & { keys: readonly string[] }): boolean;
  /** A value that was computed from records; undefined if it is not known. */
  value(name: string): unknown;
  /**
   * @param bytes heap of the value
   * @returns whether the value is kept: not at its first read, and not if its collection has changed
   */
  addValue(name: string, result: Result & { value: unknown; bytes: number }): boolean;
  /** Whether a member of a group is known not to exist. */
  isAbsent(group: string, member: string): boolean;
  addAbsent(group: string, absent: Result & { member: string }): void;
}

export function createCachedResults(
  maxBytes: number,
  { hasCollectionChangedSince }: Pick<RecentChanges, 'hasCollectionChangedSince'>,
): CachedResults {
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }, name) => ENTRY_BYTES + 2 * name.length + bytes,
  });
  const seen = new LRUCache<number, true>({ max: MAX_SEEN });

  function current(name: string): Entry | undefined {
    const entry = entries.get(name);
    if (!entry || !hasCollectionChangedSince(entry.collection, entry.readAfter)) return entry;
    entries.delete(name);
    return undefined;
  }

  const value = (name: string) => current(name)?.value;

  function addValue(name: string, entry: Entry): boolean {
    if (hasCollectionChangedSince(entry.collection, entry.readAfter)) return false;
    // Two names with one hash only let a result be kept at its first read.
    const hash = hashText(name);
    const wasSeen = seen.has(hash);
    if (wasSeen) entries.set(name, entry);
    else seen.set(hash, true);
    return wasSeen;
  }

  return {
    get bytes() {
      return entries.calculatedSize;
    },
    list: (name) => value(name) as readonly string[] | undefined,
    addList: (name, { collection, keys, readAfter }) =>
      addValue(name, { collection, readAfter, value: keys, bytes: ID_BYTES * keys.length }),
    value,
    addValue,
    isAbsent: (group, member) => (value(group) as Set<string> | undefined)?.has(member) ?? false,
    addAbsent(group, { collection, member, readAfter }) {
      if (hasCollectionChangedSince(collection, readAfter)) return;
      const known = current(group);
      const isFull = known !== undefined && known.bytes >= ID_BYTES * MAX_GROUP;
      const entry =
        known === undefined || isFull ? { collection, readAfter, value: new Set<string>(), bytes: 0 } : known;
      const members = entry.value as Set<string>;
      members.add(member);
      entry.bytes = ID_BYTES * members.size;
      // The size of an entry is computed when it is added.
      entries.delete(group);
      entries.set(group, entry);
    },
  };
}
