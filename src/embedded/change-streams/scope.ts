import { CommandError } from '../lib/index.ts';
import type { ChangeEntry, Kind } from '../storage/index.ts';

/** The changes that a stream watches. */
export interface Scope {
  /** The namespace of its cursor. */
  ns: string;
  covers(entry: ChangeEntry): boolean;
  isEndedBy(kind: Kind): boolean;
}

const INTERNAL_DATABASES = new Set(['admin', 'local', 'config']);
const isInternal = (collection: string): boolean => collection.startsWith('system.');

export interface Watched {
  db: string;
  /** The watched collection; undefined for a database or the whole deployment. */
  collection: string | undefined;
  isClusterWide: boolean;
}

/** @throws CommandError 72 or 73 for a namespace that MongoDB does not watch either */
export function scopeOf({ db, collection, isClusterWide }: Watched): Scope {
  const ns = `${db}.${collection ?? '$cmd.aggregate'}`;
  if (isClusterWide) {
    if (db !== 'admin' || collection !== undefined) {
      throw new CommandError(72, `'allChangesForCluster' needs the 'admin' database and no collection, not ${ns}`);
    }
    return { ns, covers: isOrdinary, isEndedBy: () => false };
  }
  if (INTERNAL_DATABASES.has(db)) {
    throw new CommandError(73, `$changeStream may not be opened on the internal ${db} database`);
  }
  if (collection === undefined) {
    return {
      ns,
      covers: (entry) => entry.db === db && isOrdinary(entry),
      isEndedBy: (kind) => kind === 'dropDatabase',
    };
  }
  if (isInternal(collection)) {
    throw new CommandError(73, `$changeStream may not be opened on the internal ${ns} collection`);
  }
  return { ns, covers: (entry) => entry.ns === ns, isEndedBy: (kind) => kind === 'drop' };
}

const isOrdinary = ({ db, ns }: ChangeEntry): boolean =>
  !INTERNAL_DATABASES.has(db) && !isInternal(ns.slice(db.length + 1));
