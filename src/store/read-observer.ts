import type { Collection, Document } from 'mongodb';
import type { ReadBudget } from '../limits/read-budget.ts';
import type { KeysetQuery } from './keyset-query.ts';

/** Observes the records and lists that one request reads: see `src/answers`. */
export interface ReadObserver {
  /** Loads a batch of a loader, except values that the request has read already. */
  load<Key, Value>(
    name: string,
    keys: readonly Key[],
    load: (keys: readonly Key[]) => Promise<Value[]>,
  ): Promise<Value[]>;
  /** Reports a record that a loader took from memory. */
  loaded(name: string, key: unknown, value: unknown): void;
  /** Reports that the form of a loaded record depends on whether a time has passed. */
  reportComparison(time: Date, hasPassed: boolean): void;
  /** Reads a list, or returns records that the request has read with the same query. */
  list(query: KeysetQuery<Document>, read: (query: KeysetQuery<Document>) => Promise<Document[]>): Promise<Document[]>;
}

const observers = new WeakMap<ReadBudget, ReadObserver>();
/** Collections behind the handles that a request with an observer reads lists with. */
const collections = new WeakMap<object, Collection<Document>>();

/** Observes all reads that are charged to a budget. */
export function observeReads(budget: ReadBudget, observer: ReadObserver): void {
  observers.set(budget, observer);
}

export function observerOf(budget: ReadBudget): ReadObserver | undefined {
  return observers.get(budget);
}

/**
 * A handle that identifies a collection for {@link observeList}. Every other use of it, such as a query of its own, is
 * reported before it is made.
 */
export function observedCollection(
  collection: Collection<Document>,
  onOtherUse: (use: string) => void,
): Collection<Document> {
  const handle = new Proxy(collection, {
    get(target, name) {
      if (name !== 'collectionName') onOtherUse(`${target.collectionName}.${String(name)}`);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  collections.set(handle, collection);
  return handle;
}

/** Reads a list through the observer of its budget, if there is one. */
export function observeList<Record extends Document>(
  query: KeysetQuery<Record>,
  read: (query: KeysetQuery<Record>) => Promise<Record[]>,
): Promise<Record[]> {
  const observer = observers.get(query.budget);
  if (!observer) return read(query);
  const collection = collections.get(query.collection) as typeof query.collection | undefined;
  const direct = collection ? { ...query, collection } : query;
  return observer.list(direct as unknown as KeysetQuery<Document>, read as never) as unknown as Promise<Record[]>;
}
