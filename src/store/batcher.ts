/** How many keys one command carries at most. */
const MAX_KEYS = 500;

/** Where a batcher gets records from: one command for many keys of one network. */
export interface BatchSource<Key, Value> {
  /** Two keys with equal strings are the same key. */
  keyOf(key: Key): string;
  /** Answers by `keyOf`; a key that is not there has no record. */
  fetch(networkId: string, keys: Key[]): Promise<Map<string, Value>>;
}

export interface Batcher<Key, Value> extends Pick<BatchSource<Key, Value>, 'keyOf'> {
  /** The record behind `key`, shared with every request that asked for it meanwhile: never change it. */
  load(networkId: string, key: Key): Promise<Value | null>;
}

interface Waiting<Key, Value> {
  key: Key;
  promise: Promise<Value | null>;
  resolve(value: Value | null): void;
  reject(reason: unknown): void;
}

/**
 * Merges the keys that concurrent requests ask for: while one command per source and network is in flight, further
 * keys gather and leave together in the next. A key joins only a command that has not been sent, so a request always
 * reads what was acknowledged before it began. Rights are decided after loading, per viewer.
 */
export function createBatcher<Key, Value>(source: BatchSource<Key, Value>): Batcher<Key, Value> {
  const queues = new Map<string, Map<string, Waiting<Key, Value>>>();
  const busy = new Set<string>();

  function load(networkId: string, key: Key): Promise<Value | null> {
    const queue = queueOf(networkId);
    const text = source.keyOf(key);
    const known = queue.get(text);
    if (known) return known.promise;
    const waiting = { key } as Waiting<Key, Value>;
    waiting.promise = new Promise((resolve, reject) => {
      waiting.resolve = resolve;
      waiting.reject = reject;
    });
    queue.set(text, waiting);
    if (!busy.has(networkId)) {
      busy.add(networkId);
      setImmediate(() => void drain(networkId));
    }
    return waiting.promise;
  }

  function queueOf(networkId: string): Map<string, Waiting<Key, Value>> {
    const known = queues.get(networkId);
    if (known) return known;
    const queue = new Map<string, Waiting<Key, Value>>();
    queues.set(networkId, queue);
    return queue;
  }

  async function drain(networkId: string): Promise<void> {
    for (let batch = take(networkId); batch.size > 0; batch = take(networkId)) {
      try {
        const found = await source.fetch(
          networkId,
          [...batch.values()].map((waiting) => waiting.key),
        );
        for (const [text, waiting] of batch) waiting.resolve(found.get(text) ?? null);
      } catch (error) {
        for (const waiting of batch.values()) waiting.reject(error);
      }
    }
    busy.delete(networkId);
    if (queues.get(networkId)?.size === 0) queues.delete(networkId);
  }

  function take(networkId: string): Map<string, Waiting<Key, Value>> {
    const queue = queueOf(networkId);
    if (queue.size <= MAX_KEYS) {
      queues.set(networkId, new Map());
      return queue;
    }
    const batch = new Map([...queue].slice(0, MAX_KEYS));
    for (const text of batch.keys()) queue.delete(text);
    return batch;
  }

  return { load, keyOf: source.keyOf };
}
