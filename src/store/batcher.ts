/** How many keys one command carries at most. */
const MAX_KEYS = 500;

/**
 * How long the next keys wait for a command in flight. One whose connection is dead may take as long as a request has,
 * and everybody who comes later would wait with it.
 */
const STALLED_MS = 1_000;

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
  /** As {@link load} for several different keys, in their order; fails as a whole. */
  loadMany(networkId: string, keys: readonly Key[]): Promise<Array<Value | null>>;
}

/** One call of `loadMany`, answered when its last record has come. */
interface Call<Value> {
  records: Array<Value | null>;
  missing: number;
  resolve(records: Array<Value | null>): void;
  reject(reason: unknown): void;
}

/** A key that waits, with every call that wants it and the place the record takes there. */
interface Waiting<Key, Value> {
  key: Key;
  wanted: Array<{ call: Call<Value>; place: number }>;
}

type Queue<Key, Value> = Map<string, Waiting<Key, Value>>;

/**
 * Merges the keys that concurrent requests ask for: while one command per source and network is in flight, further
 * keys gather and leave together in the next. A key joins only a command that has not been sent, so a request always
 * reads what was acknowledged before it began. Rights are decided after loading, per viewer.
 */
export function createBatcher<Key, Value>(source: BatchSource<Key, Value>): Batcher<Key, Value> {
  const queues = new Map<string, Queue<Key, Value>>();
  const busy = new Set<string>();

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
    for (let batch = take(networkId); batch.size > 0; batch = take(networkId)) {
      await endOrStall(answer(networkId, batch));
    }
    busy.delete(networkId);
    if (queues.get(networkId)?.size === 0) queues.delete(networkId);
  }

  async function answer(networkId: string, batch: Queue<Key, Value>): Promise<void> {
    try {
      const keys = Array.from(batch.values(), (waiting) => waiting.key);
      const found = await source.fetch(networkId, keys);
      for (const [text, { wanted }] of batch) give(wanted, found.get(text) ?? null);
    } catch (error) {
      for (const { wanted } of batch.values()) for (const { call } of wanted) call.reject(error);
    }
  }

  function give(wanted: Waiting<Key, Value>['wanted'], record: Value | null): void {
    for (const { call, place } of wanted) {
      call.records[place] = record;
      call.missing -= 1;
      if (call.missing === 0) call.resolve(call.records);
    }
  }

  function take(networkId: string): Queue<Key, Value> {
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
    loadMany,
    load: async (networkId, key) => (await loadMany(networkId, [key]))[0] ?? null,
  };
}

function endOrStall(command: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, STALLED_MS);
    void command.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
