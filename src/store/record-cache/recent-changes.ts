/** The newest changes that are remembered, to reject records that were read before them. */
const MAX_RECENT = 8_192;

/** Changes of records, numbered from 1 in the order in which they were applied. */
export interface RecentChanges {
  /** Number of the last change. */
  readonly last: number;
  /** @param key of the record; null if records of the collection have no cached lookups */
  add(collection: string, key: string | null): void;
  /** Counts as a change of every record. */
  addAll(): void;
  /** Whether a record may have changed after the change with a number. */
  hasChangedSince(key: string, number: number): boolean;
  /** Whether any record of a collection has changed after the change with a number. */
  hasCollectionChangedSince(collection: string, number: number): boolean;
}

export function createRecentChanges(): RecentChanges {
  /** Number of the last change of a record, oldest first. */
  const recent = new Map<string, number>();
  /** Changes up to this number are no longer in {@link recent}. */
  let forgotten = 0;
  let last = 0;
  /** Number of the last change in each collection, and of the last change of every record. */
  const ofCollections = new Map<string, number>();
  let ofAll = 0;
  return {
    get last() {
      return last;
    },
    add(collection, key) {
      ofCollections.set(collection, ++last);
      if (key === null) return;
      recent.delete(key);
      recent.set(key, last);
      if (recent.size <= MAX_RECENT) return;
      const [oldest, number] = recent.entries().next().value!;
      recent.delete(oldest);
      forgotten = number;
    },
    addAll() {
      recent.clear();
      forgotten = ++last;
      ofAll = last;
    },
    hasChangedSince: (key, number) => number < forgotten || (recent.get(key) ?? 0) > number,
    hasCollectionChangedSince: (collection, number) => number < ofAll || (ofCollections.get(collection) ?? 0) > number,
  };
}
