import type { ChangeEntry } from './change-log-entry.ts';

/** The newest changes stay in memory up to this size, so that streams that keep up read nothing from disk. */
const TAIL_BYTES = 2 * 1024 * 1024;
/** The tail is trimmed when it reaches this size. */
const TRIM_BYTES = 2 * TAIL_BYTES;
/** The approximate memory of a change apart from its payload; the payload of a deletion is tiny. */
const ENTRY_BYTES = 1024;
const memoryOf = ({ payload }: ChangeEntry): number => payload.length + ENTRY_BYTES;

/** The changes of a commit; only the last key if they exceed the tail. */
export interface Pending {
  add(entry: ChangeEntry): void;
  readonly entries: readonly ChangeEntry[];
  readonly last: Buffer | undefined;
}

export function newPending(): Pending {
  let entries: ChangeEntry[] = [];
  let bytes = 0;
  let last: Buffer | undefined;
  return {
    add(entry) {
      last = entry.key;
      bytes += memoryOf(entry);
      if (bytes <= TRIM_BYTES) entries.push(entry);
      else entries = [];
    },
    get entries() {
      return entries;
    },
    get last() {
      return last;
    },
  };
}

export interface Tail {
  /** Adds the changes of a commit; if they exceed the tail, it restarts after them. */
  take(committed: Pending): void;
  /** Undefined if some of the changes after the key are no longer in memory. */
  read(after: Buffer, count: number): ChangeEntry[] | undefined;
}

/** Keeps the newest changes for all streams. */
export function createTail(start: Buffer): Tail {
  let entries: ChangeEntry[] = [];
  let bytes = 0;
  /** The key before the first entry. */
  let before = start;

  function indexAfter(key: Buffer): number {
    let [low, high] = [0, entries.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (Buffer.compare(entries[middle]!.key, key) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    take(committed) {
      if (committed.entries.length === 0) {
        [entries, bytes, before] = [[], 0, committed.last ?? before];
        return;
      }
      for (const entry of committed.entries) {
        entries.push(entry);
        bytes += memoryOf(entry);
      }
      if (bytes <= TRIM_BYTES) return;
      let dropped = 0;
      while (bytes > TAIL_BYTES) bytes -= memoryOf(entries[dropped++]!);
      before = entries[dropped - 1]!.key;
      entries = entries.slice(dropped);
    },
    read(after, count) {
      if (Buffer.compare(after, before) < 0) return undefined;
      const from = indexAfter(after);
      return entries.slice(from, from + count);
    },
  };
}
