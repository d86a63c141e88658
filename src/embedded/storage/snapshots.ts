import type { Timestamp } from 'bson';
import { CommandError } from '../lib/index.ts';
import type { Catalog } from './catalog.ts';
import type { ChangeLog } from './change-log/change-log.ts';
import type { Reader, Storage } from './storage.ts';
import type { View } from './view.ts';

/** How long a snapshot that is not read is kept, and how long one is kept at most, as in MongoDB. */
const IDLE_MS = 60_000;
const LIFETIME_MS = 300_000;
const SWEEP_MS = 5_000;
/** Each holds a reader slot of the storage, which has a few more than transactions need. */
const MAX_PINNED = 32;

/** The data at one time, for reads with the read concern `snapshot` outside of transactions. */
export interface Snapshot {
  view: View;
  time: Timestamp;
}

export interface Snapshots {
  /**
   * The data as it is now, or as it was at a time.
   *
   * @throws CommandError 239 when changes after that time have been made and no snapshot of it is kept
   */
  at(time: Timestamp | undefined): Snapshot;
  close(): void;
}

interface Pinned {
  view: View;
  release(): void;
  /** The time of the last change that it holds. */
  from: Timestamp;
  /** The latest time that it was read at; nothing changed between. */
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

/** A view of the data and the collections as they are now, until the reader is released. */
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
      stagedIn: () => undefined,
      canUse: (collection, index) => index.builtAt <= version || collection.builtAt > version,
      version: () => version,
    },
  };
}

/** Keeps snapshots for the sessions and cursors that read from them; a kept one keeps the storage from reusing pages. */
export function createSnapshots(parts: SnapshotParts): Snapshots {
  const { log, catalog } = parts;
  /** The oldest first. */
  let pinned: Pinned[] = [];
  const sweep = setInterval(() => {
    const now = Date.now();
    release(({ usedAt, pinnedAt }) => usedAt < now - IDLE_MS || pinnedAt < now - LIFETIME_MS);
  }, SWEEP_MS).unref();

  function release(isOver: (one: Pinned) => boolean): void {
    for (const one of pinned) if (isOver(one)) one.release();
    pinned = pinned.filter((one) => !isOver(one));
  }

  /** A snapshot of the present holds for every time from the last change on. */
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

  /** Collections and indexes are created without a change in the log. */
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
