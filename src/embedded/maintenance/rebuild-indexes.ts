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
  /** Ids of indexes whose entries are not those that were written. */
  damaged: readonly number[];
  warn(message: string): void;
}

/** Under this key and an id is noted that an index is being rebuilt, and not whole. */
const PREFIX = Buffer.from('\0rebuild');
const keyOf = (indexId: number): Buffer => Buffer.concat([PREFIX, Buffer.from([0]), idPrefix(indexId)]);
/** How long one commit may take. Nobody is served yet. */
const COMMIT_MS = 100;

/**
 * Builds damaged indexes again from the records, which have checksums. A process that ends meanwhile leaves a note, by
 * which the next start continues. What belongs to no index is removed.
 *
 * @throws Error with a text for people when a record is damaged, or two records have one key of a unique index
 */
export function rebuildIndexes({ storage, catalog, damaged, warn }: RebuildOptions): void {
  const noted = [...storage.catalog.getKeys({ ...prefixRange(PREFIX) })].map((key) => key.readUInt32BE(key.length - 4));
  for (const id of new Set([...noted, ...damaged])) {
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

/** Works in commits of bounded length until `step` returns true. */
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
