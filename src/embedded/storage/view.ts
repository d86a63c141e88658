import type { Collection, Index } from './catalog.ts';
import type { Change, Version } from './changes.ts';
import type { Reader } from './reader.ts';

/** A record that an open transaction has written: its version in the snapshot, and its latest version. */
export interface UncommittedRecord {
  before: Version | undefined;
  after: Version | undefined;
}

/** The data that a command sees: the newest data, or a transaction's snapshot with its own writes on top. */
export interface View {
  reader: Reader;
  /** The collection of this name, as visible in this view. */
  collection(ns: string): Collection | undefined;
  /** The records of the collection that the command's transaction has written, by record id. */
  uncommittedIn(collection: Collection): ReadonlyMap<number, UncommittedRecord> | undefined;
  /** Whether the snapshot contains all entries of this index. */
  canUse(collection: Collection, index: Index): boolean;
  /** Changes whenever data may have changed under a suspended scan. */
  version(): number;
}

/** Writes of a command: directly into the current commit, or into the write set of its transaction. */
export interface Writer {
  view: View;
  /** The collection of this name, created if it does not exist. */
  collectionFor(ns: string): Collection;
  /** Applies one change atomically. */
  write(change: Change): void;
}
