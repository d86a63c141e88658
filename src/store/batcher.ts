import type { Document } from 'mongodb';
import { loaderBatchKeys } from '../observe/metrics/definitions.ts';

/** The largest number of keys in one command. */
const MAX_KEYS = 500;

/**
 * How long further keys wait for a command in flight. On a dead connection a command may take as long as a whole
 * request, and all later requests would wait with it.
 */
const STALLED_MS = 1_000;

/** Fetches the records of many keys of one network in one command. */
export interface BatchSource<Key, Value> {
  /** The collection from which it reads, for metrics. */
  collection: string;
  /** Two keys with equal strings are the same key. */
  keyOf(key: Key): string;
  /** Returns records by `keyOf`; the map lacks keys without a record. */
  fetch(networkId: string, keys: Key[]): Promise<Map<string, Value>>;
  /**
   * Returns a cached value, null for a key that is known to have none. Only valid while the record cache is fresh;
   * undefined: not cached, so read it.
   */
  peek?(networkId: string, key: Key): Value | null | undefined;
  /**
   * Number of the last change on which any of its values depends, of those that the record cache has applied. Absent if it
   * does not apply all of them.
   */
  lastChange?(): number;
  /** The two parts of a key that is a pair of ids. */
  partsOf?(key: Key): readonly [string, string];
  /**
   * The filter that selects the records of one key, with the same fields for every key. Which records a key has may depend on
   * no other field. Without it, a cache drops what it knows of a key at every change of the collection.
   */
  filterOf?(networkId: string, key: Key): Document;
}

export interface Batcher<Key, Value> extends Pick<BatchSource<Key, Value>, 'keyOf' | 'peek' | 'lastChange'> {
  /** Returns the record of `key`. Concurrent requests share the object: never change it. */
  load(networkId: string, key: Key): Promise<Value | null>;
  /** Like {@link load} for several distinct keys, in their order; rejects if one fails. */
  loadMany(networkId: string, keys: readonly Key[]): Promise<Array<Value | null>>;
}

/** One call of `loadMany`, resolved with its last record. */
interface Call<Value> {
  records: Array<Value | null>;
  missing: number;
  resolve(records: Array<Value | null>): void;
  reject(reason: unknown): void;
}

/** A queued key with every call that requested it and the record's index in the result of that call. */
interface Waiting<Key, Value> {
  key: Key;
  wanted: Array<{ call: Call<Value>; place: number }>;
}

type Queue<Key, Value> = Map<string, Waiting<Key, Value>>;

/**
 * Batches the keys of concurrent requests: while one command per source and network is in flight, further keys queue up
 * and are sent together in the next. A key never joins a command that was already sent, so a request always sees writes
 * acknowledged before it began. Access is checked after loading, per viewer.
 */
export function createBatcher<Key, Value>(source: BatchSource<Key, Value>): Batcher<Key, Value> {
  const queues = new Map<string, Queue<Key, Value>>();
  const busy = new Set<string>();
  const batchKeys = loaderBatchKeys.with(source.collection);

  function loadMany(networkId: string, keys: readonly Key[]): Promise<Array<Value | null>> {
    if (keys.length === 0) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      const call: Call<Value> = { records: new Array(keys.length).fill(null), missing: keys.length, resolve, reject };
      enqueue(networkId, keys, call);
      if (busy.has(networkId)) return;
      busy.add(networkId);
      setImmediate(() => void drain(networkId));
    });
  }

  function enqueue(networkId: string, keys: readonly Key[], call: Call<Value>): void {
    const queue: Queue<Key, Value> = queues.get(networkId) ?? new Map();
    queues.set(networkId, queue);
    for (const [place, key] of keys.entries()) {
      const text = source.keyOf(key);
      const waiting = queue.get(text);
      if (waiting) waiting.wanted.push({ call, place });
      else queue.set(text, { key, wanted: [{ call, place }] });
    }
  }

  async function drain(networkId: string): Promise<void> {
    for (let batch = takeBatch(networkId); batch.size > 0; batch = takeBatch(networkId)) {
      await waitUntilEndOrStall(answer(networkId, batch));
    }
    busy.delete(networkId);
    if (queues.get(networkId)?.size === 0) queues.delete(networkId);
  }

  async function answer(networkId: string, batch: Queue<Key, Value>): Promise<void> {
    try {
      const keys = Array.from(batch.values(), (waiting) => waiting.key);
      batchKeys.observe(keys.length);
      const found = await source.fetch(networkId, keys);
      for (const [text, { wanted }] of batch) deliver(wanted, found.get(text) ?? null);
    } catch (error) {
      for (const { wanted } of batch.values()) for (const { call } of wanted) call.reject(error);
    }
  }

  function deliver(wanted: Waiting<Key, Value>['wanted'], record: Value | null): void {
    for (const { call, place } of wanted) {
      call.records[place] = record;
      call.missing -= 1;
      if (call.missing === 0) call.resolve(call.records);
    }
  }

  function takeBatch(networkId: string): Queue<Key, Value> {
    const queue: Queue<Key, Value> = queues.get(networkId) ?? new Map();
    if (queue.size <= MAX_KEYS) {
      queues.set(networkId, new Map());
      return queue;
    }
    const batch = new Map([...queue].slice(0, MAX_KEYS));
    for (const text of batch.keys()) queue.delete(text);
    return batch;
  }

  return {
    keyOf: source.keyOf,
    ...(source.peek && { peek: source.peek }),
    ...(source.lastChange && { lastChange: source.lastChange }),
    loadMany,
    load: async (networkId, key) => (await loadMany(networkId, [key]))[0] ?? null,
  };
}

function waitUntilEndOrStall(command: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, STALLED_MS);
    void command.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
