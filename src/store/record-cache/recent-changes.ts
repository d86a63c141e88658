import type { RecordChange } from './change-feed.ts';
import type { Selection } from './selection.ts';

/** The newest changes that are remembered, to reject records and results that were read before them. */
const MAX_RECENT = 8_192;

/** Changes of records, numbered from 1 in the order in which they were applied. */
export interface RecentChanges {
  /** Number of the last change. */
  readonly last: number;
  /** @param key of the record; null if it has none, so that it is in no cache */
  add(change: Pick<RecordChange, 'collection' | 'kind' | 'fields' | 'group'>, key: string | null): void;
  /** Number of the last change of a collection. */
  lastOf(collection: string): number;
  /** Counts as a change of every record. */
  addAll(): void;
  /** Whether a record may have changed after the change with a number. */
  hasChangedSince(key: string, number: number): boolean;
  /** Whether a selection may have other records, or the same in another order, than at the change with a number. */
  hasSelectionChangedSince(selection: Selection, number: number): boolean;
}

/** Numbers of the last changes of a collection. */
interface Changed {
  /** A deletion or replacement, which may affect any selection. */
  any: number;
  inserted: number;
  /** An insertion of a record whose group is not known. */
  insertedAnywhere: number;
  updated: number;
  /** By top-level field. */
  fields: Map<string, number>;
}

export function createRecentChanges(): RecentChanges {
  const records = createNumbers();
  const groups = createNumbers();
  const collections = new Map<string, Changed>();
  let last = 0;
  let ofAll = 0;

  function noteInCollection({ collection, kind, fields, group }: Parameters<RecentChanges['add']>[0]): void {
    let changed = collections.get(collection);
    if (!changed) {
      changed = { any: 0, inserted: 0, insertedAnywhere: 0, updated: 0, fields: new Map() };
      collections.set(collection, changed);
    }
    if (kind === 'insert') {
      changed.inserted = last;
      if (group === null) changed.insertedAnywhere = last;
      else groups.set(groupKey(collection, group), last);
    } else if (kind === 'update') {
      changed.updated = last;
      for (const field of fields) changed.fields.set(field, last);
    } else changed.any = last;
  }

  return {
    get last() {
      return last;
    },
    add(change, key) {
      last += 1;
      noteInCollection(change);
      if (key !== null) records.set(key, last);
    },
    addAll() {
      last += 1;
      ofAll = last;
      records.forget(last);
      groups.forget(last);
      collections.clear();
    },
    lastOf(collection) {
      const changed = collections.get(collection);
      return changed ? Math.max(ofAll, changed.any, changed.inserted, changed.updated) : ofAll;
    },
    hasChangedSince: records.isAfter,
    hasSelectionChangedSince({ collection, fields, group }, number) {
      if (number < ofAll) return true;
      const changed = collections.get(collection);
      if (!changed) return false;
      if (changed.any > number) return true;
      if (changed.inserted > number && (group === null || isInserted(changed, groupKey(collection, group), number)))
        return true;
      if (changed.updated <= number) return false;
      return fields === null || fields.some((field) => (changed.fields.get(field) ?? 0) > number);
    },
  };

  function isInserted({ insertedAnywhere }: Changed, key: string, number: number): boolean {
    return insertedAnywhere > number || groups.isAfter(key, number);
  }
}

const groupKey = (collection: string, group: string): string => `${collection} ${group}`;

/** The last number of each of {@link MAX_RECENT} keys. */
function createNumbers() {
  /** Oldest first. */
  const numbers = new Map<string, number>();
  /** Keys with numbers up to this one are no longer known. */
  let forgotten = 0;
  return {
    set(key: string, number: number): void {
      numbers.delete(key);
      numbers.set(key, number);
      if (numbers.size <= MAX_RECENT) return;
      const [oldest, itsNumber] = numbers.entries().next().value!;
      numbers.delete(oldest);
      forgotten = itsNumber;
    },
    forget(upTo: number): void {
      numbers.clear();
      forgotten = upTo;
    },
    /** Whether a key may have a greater number. */
    isAfter: (key: string, number: number): boolean => number < forgotten || (numbers.get(key) ?? 0) > number,
  };
}
