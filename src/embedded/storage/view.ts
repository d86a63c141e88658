import type { Collection, Index } from './catalog.ts';
import type { Change, Version } from './changes.ts';
import type { Reader } from './storage.ts';

/** A record that an open transaction has written: as its snapshot has it, and as the transaction left it. */
export interface StagedRecord {
  before: Version | undefined;
  after: Version | undefined;
}

/** What a command sees: the newest data, or a transaction's snapshot with its own writes on top. */
export interface View {
  reader: Reader;
  /** The collection of this name, unless it was created or dropped where this view does not see it. */
  collection(ns: string): Collection | undefined;
  stagedIn(collection: Collection): ReadonlyMap<number, StagedRecord> | undefined;
  /** Whether the snapshot holds the entries of this index. */
  canUse(collection: Collection, index: Index): boolean;
  /** Changes when data may have changed under a scan that was left for a while. */
  version(): number;
}

/** How a command writes: straight into the commit it runs in, or into the write set of its transaction. */
export interface Writer {
  view: View;
  /** The collection of this name, created if it does not exist. */
  collectionFor(ns: string): Collection;
  /** Applies one change, whole or not at all. */
  write(change: Change): void;
}
