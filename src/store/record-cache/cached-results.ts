import { LRUCache } from 'lru-cache';
import { copyText } from '../../lib/copy-text.ts';
import { hashText } from '../../lib/hash-text.ts';
import { cacheEvictions } from '../../observe/metrics/definitions.ts';
import type { RecentChanges } from './recent-changes.ts';
import type { Selection } from './selection.ts';

/** Heap of an entry with its places in the maps. */
const ENTRY_BYTES = 300;
/** Heap of an id in a list or group. */
const ID_BYTES = 100;
/** More absent ids of a group than these are forgotten together. */
const MAX_GROUP = 2_000;
/** No record has a longer id: requests may ask for ids of any length. */
const MAX_ID = 900;
/** Results that were read once. Only one that is read again is kept, so that a sweep replaces nothing. */
const MAX_SEEN = 8_000;

const evictions = cacheEvictions.with('lists');

interface Entry {
  /** A list or another value. */
  kept?: Kept;
  /** The absent members of a group, each with the number of the last change before it was read. */
  absent?: Map<string, number>;
  bytes: number;
}

interface Kept extends Result {
  value: unknown;
}

interface Result {
  selection: Selection;
  /** Number of the last change before the result was read. */
  readAfter: number;
}

/** Which records queries found, and which lookups found none. A result is valid while its selection is unchanged. */
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
   * @returns whether the value is kept: not at its first read, and not if its selection has changed
   */
  addValue(name: string, result: Result & { value: unknown; bytes: number }): boolean;
  /** Whether a member of a group is known not to exist. */
  isAbsent(group: string, member: string, selectionOf: () => Selection): boolean;
  addAbsent(group: string, absent: Result & { member: string }): void;
}

export function createCachedResults(
  maxBytes: number,
  { hasSelectionChangedSince }: Pick<RecentChanges, 'hasSelectionChangedSince'>,
): CachedResults {
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }, name) => ENTRY_BYTES + 2 * name.length + bytes,
    dispose(_entry, _name, reason) {
      if (reason === 'evict') evictions.add();
    },
  });
  const seen = new LRUCache<number, true>({ max: MAX_SEEN });

  function value(name: string): unknown {
    const kept = entries.get(name)?.kept;
    if (!kept) return undefined;
    if (!hasSelectionChangedSince(kept.selection, kept.readAfter)) return kept.value;
    entries.delete(name);
    return undefined;
  }

  function addValue(name: string, { bytes, ...kept }: Kept & { bytes: number }): boolean {
    if (hasSelectionChangedSince(kept.selection, kept.readAfter)) return false;
    // Two names with one hash only let a result be kept at its first read.
    const hash = hashText(name);
    const wasSeen = seen.has(hash);
    if (wasSeen) entries.set(name, { kept: { ...kept, selection: copyOf(kept.selection) }, bytes });
    else seen.set(hash, true);
    return wasSeen;
  }

  return {
    get bytes() {
      return entries.calculatedSize;
    },
    list: (name) => value(name) as readonly string[] | undefined,
    addList: (name, { selection, keys, readAfter }) =>
      addValue(name, { selection, readAfter, value: keys, bytes: ID_BYTES * keys.length }),
    value,
    addValue,
    isAbsent(group, member, selectionOf) {
      const absent = entries.get(group)?.absent;
      const readAfter = absent?.get(member);
      if (readAfter === undefined) return false;
      if (!hasSelectionChangedSince(selectionOf(), readAfter)) return true;
      absent!.delete(member);
      return false;
    },
    addAbsent(group, { selection, member, readAfter }) {
      if (member.length > MAX_ID || hasSelectionChangedSince(selection, readAfter)) return;
      const known = entries.get(group);
      const { absent, bytes } =
        known?.absent && known.absent.size < MAX_GROUP
          ? { absent: known.absent, bytes: known.bytes }
          : { absent: new Map<string, number>(), bytes: 0 };
      const added = absent.has(member) ? 0 : ID_BYTES + 2 * member.length;
      absent.set(copyText(member), readAfter);
      // The size of an entry is computed when it is added.
      entries.delete(group);
      entries.set(group, { absent, bytes: bytes + added });
    },
  };
}

/** The group is an id from a request. */
function copyOf(selection: Selection): Selection {
  return selection.group === null ? selection : { ...selection, group: copyText(selection.group) };
}
