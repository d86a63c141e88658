import { entryChecksum } from './checksum.ts';
import type { Table } from './table.ts';

/** The number of an index's entries, and the sum of their checksums modulo 2^32. */
export interface EntrySum {
  count: number;
  sum: number;
}

/** Keeps an {@link EntrySum} per index in the catalog, updated in the commit of its entries. */
export interface EntrySums {
  /** Inside a commit: an entry was added (1) or removed (-1). */
  note(key: Buffer, sign: 1 | -1): void;
  /** Inside a commit: replaces the sum of an index whose entries were rebuilt. */
  replace(indexId: number, sum: EntrySum): void;
  /** Inside a commit: stores the changed sums. */
  save(): void;
  /** After a failed commit: discards the cached and changed sums. */
  revert(): void;
  /** Inside a commit: stores initial sums for the entries that an earlier version wrote. */
  start(sums: ReadonlyMap<number, EntrySum>): void;
  /** Whether sums are kept; earlier versions did not. */
  areKept(): boolean;
}

const PREFIX = Buffer.from('\0sum');
/** The key that marks a store in which the sums of all indexes are kept. */
export const SUMS_KEPT = Buffer.from('\0sums');
const SIZE = 12;

export const sumKey = (indexId: number): Buffer => {
  const id = Buffer.alloc(4);
  id.writeUInt32BE(indexId);
  return Buffer.concat([PREFIX, Buffer.from([0]), id]);
};

/** The id of the index whose sum has this key. */
export const indexOfSum = (key: Buffer): number | undefined =>
  key.length === PREFIX.length + 5 && key.subarray(0, PREFIX.length).equals(PREFIX) && key[PREFIX.length] === 0
    ? key.readUInt32BE(PREFIX.length + 1)
    : undefined;

export const newSum = (): EntrySum => ({ count: 0, sum: 0 });

export function addTo(total: EntrySum, key: Uint8Array, sign: 1 | -1): void {
  total.count += sign;
  total.sum = (total.sum + sign * entryChecksum(key)) >>> 0;
}

/** Computes the sums of entries by index id. */
export function sumsOf(entries: Iterable<{ key: Buffer }>): Map<number, EntrySum> {
  const sums = new Map<number, EntrySum>();
  for (const { key } of entries) {
    const indexId = key.readUInt32BE(0);
    const sum = sums.get(indexId) ?? newSum();
    sums.set(indexId, sum);
    addTo(sum, key, 1);
  }
  return sums;
}

export const readSum = (bytes: Buffer): EntrySum => ({ count: bytes.readDoubleLE(0), sum: bytes.readUInt32LE(8) });

function sumBytes({ count, sum }: EntrySum): Buffer {
  const bytes = Buffer.alloc(SIZE);
  bytes.writeDoubleLE(count, 0);
  bytes.writeUInt32LE(sum, 8);
  return bytes;
}

export function openEntrySums(catalog: Table): EntrySums {
  const known = new Map<number, EntrySum>();
  const changed = new Set<number>();
  let isKept = catalog.get(SUMS_KEPT) !== undefined;

  function sumOf(indexId: number): EntrySum {
    const found = known.get(indexId);
    if (found) return found;
    const bytes = catalog.get(sumKey(indexId));
    const sum = bytes ? readSum(bytes) : newSum();
    known.set(indexId, sum);
    return sum;
  }

  return {
    note(key, sign) {
      if (!isKept) return;
      const indexId = key.readUInt32BE(0);
      addTo(sumOf(indexId), key, sign);
      changed.add(indexId);
    },
    replace(indexId, sum) {
      if (!isKept) return;
      known.set(indexId, sum);
      changed.add(indexId);
    },
    save() {
      for (const indexId of changed) {
        const sum = sumOf(indexId);
        if (sum.count !== 0 || sum.sum !== 0) catalog.putSync(sumKey(indexId), sumBytes(sum));
        else {
          catalog.removeSync(sumKey(indexId));
          known.delete(indexId);
        }
      }
      changed.clear();
    },
    revert() {
      known.clear();
      changed.clear();
      isKept = catalog.get(SUMS_KEPT) !== undefined;
    },
    start(sums) {
      isKept = true;
      catalog.putSync(SUMS_KEPT, Buffer.from([1]));
      for (const [indexId, sum] of sums) {
        known.set(indexId, sum);
        changed.add(indexId);
      }
    },
    areKept: () => isKept,
  };
}
