import { newSlice } from '../lib/index.ts';
import { decode } from '../query/index.ts';
import {
  type Catalog,
  type Collection,
  DamagedRecordError,
  type Index,
  idPrefix,
  keysOf,
  newSum,
  prefixRange,
  type Row,
  type Storage,
  sumsOf,
} from '../storage/index.ts';

export interface RebuildOptions {
  storage: Storage;
  catalog: Catalog;
  /** Ids of indexes with lost or changed entries. */
  damaged: readonly number[];
  warn(message: string): void;
}

/** The key prefix that, followed by an id, marks an index as being rebuilt. */
const PREFIX = Buffer.from('\0rebuild');
const keyOf = (indexId: number): Buffer => Buffer.concat([PREFIX, Buffer.from([0]), idPrefix(indexId)]);
/** How long one commit may take. No commands are served yet. */
const COMMIT_MS = 100;

/**
 * Rebuilds damaged indexes from the records, which have checksums. If the process ends during a rebuild, a mark makes
 * the next start repeat it. Entries that belong to no index are removed.
 *
 * @throws Error with a human-readable message if a record is damaged, or two records share a key of a unique index
 */
export function rebuildIndexes({ storage, catalog, damaged, warn }: RebuildOptions): void {
  const interrupted = [...storage.catalog.getKeys({ ...prefixRange(PREFIX) })].map((key) =>
    key.readUInt32BE(key.length - 4),
  );
  for (const id of new Set([...interrupted, ...damaged])) {
    storage.commit(() => storage.catalog.putSync(keyOf(id), Buffer.from([1])));
    inCommits(storage, (isOver) => storage.clearEntries(id, isOver));
    const found = findIndex(catalog, id);
    const records = found ? fill(storage, found) : 0;
    storage.commit(() => {
      const range = prefixRange(idPrefix(id));
      storage.sums.replace(id, sumsOf(storage.scanEntries(range)).get(id) ?? newSum());
      storage.catalog.removeSync(keyOf(id));
    });
    if (!found) warn(`the store had entries of index ${id}, which does not exist; they were removed`);
    else {
      warn(
        `index ${found.index.name} of ${found.collection.ns} was damaged and has been rebuilt from ${records} records; the disk may be failing: keep a backup`,
      );
    }
  }
}

interface Found {
  collection: Collection;
  index: Index;
}

function findIndex(catalog: Catalog, id: number): Found | undefined {
  for (const collection of catalog.list()) {
    const index = collection.indexes.find((other) => other.id === id);
    if (index) return { collection, index };
  }
  return undefined;
}

/** Runs `step` in commits of bounded duration until it returns true. */
function inCommits(storage: Storage, step: (isOver: () => boolean) => boolean): void {
  for (let isDone = false; !isDone; ) {
    storage.commit(() => {
      isDone = step(newSlice(COMMIT_MS));
    });
  }
}

/** @returns the number of records */
function fill(storage: Storage, { collection, index }: Found): number {
  let last = 0;
  let records = 0;
  try {
    inCommits(storage, (isOver) => {
      for (const row of storage.recordsAfter(collection.id, last)) {
        addEntries(storage, { collection, index }, row);
        last = row.recordId;
        records++;
        if (isOver()) return false;
      }
      return true;
    });
  } catch (error) {
    if (!(error instanceof DamagedRecordError)) throw error;
    throw new Error(
      `record ${error.recordId} of ${collection.ns} is damaged (${error.message}), and its index ${index.name} too`,
    );
  }
  return records;
}

function addEntries(storage: Storage, { collection, index }: Found, { recordId, bytes }: Row): void {
  for (const { key } of keysOf(index, decode(bytes)).keys) {
    const other = index.isUnique ? storage.holdersOf(key).find((holder) => holder !== recordId) : undefined;
    if (other !== undefined) {
      throw new Error(
        `index ${index.name} of ${collection.ns} is damaged and cannot be rebuilt: records ${other} and ${recordId} have the same key`,
      );
    }
    storage.putEntry(key, recordId);
  }
}
