import type { Timestamp } from 'bson';
import { CommandError } from '../lib/index.ts';
import type { Catalog } from './catalog.ts';
import type { ChangeLog } from './change-log/change-log.ts';
import type { Reader } from './reader.ts';
import type { Storage } from './storage.ts';
import type { View } from './view.ts';

/** How long an unused snapshot is kept, and the maximum age of a snapshot, as in MongoDB. */
const IDLE_MS = 60_000;
const LIFETIME_MS = 300_000;
const SWEEP_MS = 5_000;
/** Each snapshot occupies a reader slot of the storage, which has a few more than transactions need. */
const MAX_PINNED = 32;

/** The data at one cluster time, for reads with the read concern `snapshot` outside of transactions. */
export interface Snapshot {
  view: View;
  time: Timestamp;
}

export interface Snapshots {
  /**
   * Opens a snapshot of the current data or of an earlier time.
   *
   * @throws CommandError 239 if the data has changed after that time and no snapshot of it is kept
   */
  at(time: Timestamp | undefined): Snapshot;
  close(): void;
}

interface Pinned {
  view: View;
  release(): void;
  /** The time of the last change in the snapshot. */
  from: Timestamp;
  /** The latest time for which it was read; nothing changed in between. */
  to: Timestamp;
  pinnedAt: number;
  usedAt: number;
}

export interface SnapshotParts {
  storage: Pick<Storage, 'pin' | 'version'>;
  catalog: Pick<Catalog, 'snapshot'>;
  log: Pick<ChangeLog, 'clusterTime' | 'lastChange'>;
}

export const snapshotTooOld = (time: Timestamp, labels?: string[]): CommandError =>
  new CommandError(
    239,
    `Read timestamp Timestamp(${time.t}, ${time.i}) is older than the oldest available timestamp.`,
    labels && { labels },
  );

/** Pins the current data and collections until the reader is released. */
export function pinView({ storage, catalog }: Pick<SnapshotParts, 'storage' | 'catalog'>): {
  reader: Reader & { release(): void };
  view: View;
} {
  const reader = storage.pin();
  const collections = catalog.snapshot();
  const { version } = storage;
  return {
    reader,
    view: {
      reader,
      collection: (ns) => collections.get(ns),
      uncommittedIn: () => undefined,
      canUse: (collection, index) => index.builtAt <= version || collection.builtAt > version,
      version: () => version,
    },
  };
}

/** Keeps snapshots for the sessions and cursors that read them. LMDB cannot reuse the pages of a kept snapshot. */
export function createSnapshots(parts: SnapshotParts): Snapshots {
  const { log, catalog } = parts;
  /** Oldest first. */
  let pinned: Pinned[] = [];
  const sweep = setInterval(() => {
    const now = Date.now();
    release(({ usedAt, pinnedAt }) => usedAt < now - IDLE_MS || pinnedAt < now - LIFETIME_MS);
  }, SWEEP_MS).unref();

  function release(isOver: (one: Pinned) => boolean): void {
    for (const one of pinned) if (isOver(one)) one.release();
    pinned = pinned.filter((one) => !isOver(one));
  }

  /** A snapshot of the current data is valid for every time since the last change. */
  function pinPresent(): Pinned {
    const { reader, view } = pinView(parts);
    const now = Date.now();
    const from = log.lastChange;
    const one: Pinned = { view, release: reader.release, from, to: from, pinnedAt: now, usedAt: now };
    pinned.push(one);
    const oldest = pinned.length > MAX_PINNED ? pinned[0] : undefined;
    if (oldest) release((other) => other === oldest);
    return one;
  }

  function present(): Pinned {
    const newest = pinned.at(-1);
    return newest?.from.equals(log.lastChange) && seesAllIndexes(newest) ? newest : pinPresent();
  }

  /** Creating a collection or an index adds no change to the log, so the catalog is compared too. */
  function seesAllIndexes({ view }: Pinned): boolean {
    for (const [ns, collection] of catalog.snapshot()) {
      if (view.collection(ns) !== collection) return false;
      if (!collection.indexes.every((index) => index.build || view.canUse(collection, index))) return false;
    }
    return true;
  }

  function past(time: Timestamp): Pinned {
    const found = pinned.find(({ from, to }) => from.lessThanOrEqual(time) && to.greaterThanOrEqual(time));
    if (!found) throw snapshotTooOld(time);
    return found;
  }

  return {
    at(wanted) {
      const time = wanted ?? log.clusterTime;
      const one = time.greaterThanOrEqual(log.lastChange) ? present() : past(time);
      one.usedAt = Date.now();
      if (time.greaterThan(one.to)) one.to = time;
      return { view: one.view, time };
    },
    close() {
      clearInterval(sweep);
      release(() => true);
    },
  };
}
