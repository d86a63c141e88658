import type { Document } from 'mongodb';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Batcher } from '../../src/store/batcher.ts';
import type { Batchers } from '../../src/store/loaders.ts';
import type { RecordCache } from '../../src/store/record-cache/record-cache.ts';
import type { TestGateway } from '../support/gateway.ts';
import { startCachingProxy } from './caching-proxy.ts';
import type { Endpoint } from './gateways.ts';
import { CACHES, startPair } from './pair.ts';
import { runClients } from './run.ts';

/** How long the wrong caches of this file keep what they have read, in milliseconds. */
const TTL_MS = Number(process.env.CACHE_TTL ?? 500);
/** Seeds that are tried until one shows that an answer is stale. */
const SEEDS = 12;

let gateways: [TestGateway, TestGateway];
let close: () => Promise<void>;
const restore: Array<() => unknown> = [];
beforeAll(async () => {
  ({ gateways, close } = await startPair(CACHES.on));
});
afterEach(async () => {
  for (const undo of restore.splice(0)) await undo();
});
afterAll(() => close?.());

interface Kept {
  at: number;
  value: unknown;
}

interface KeepOptions {
  /** Whether records that do not exist are kept too. @default false */
  keepsAbsent?: boolean;
  ttlMs?: number;
}

/** Puts a cache without invalidation in front of one kind of record in both gateways. @returns the caches */
function keep(
  name: keyof Batchers,
  { keepsAbsent = false, ttlMs = TTL_MS }: KeepOptions = {},
): Array<Map<string, Kept>> {
  return gateways.map(({ services: { store } }) => {
    const batchers = store.batchers as unknown as Record<string, Batcher<unknown, unknown>>;
    const inner = batchers[name]!;
    const kept = new Map<string, Kept>();
    const loadMany = async (networkId: string, keys: readonly unknown[]) => {
      const found = new Map<unknown, unknown>();
      const missing = keys.filter((key) => {
        const known = kept.get(`${networkId} ${inner.keyOf(key)}`);
        if (!known || performance.now() - known.at > ttlMs) return true;
        found.set(key, known.value);
        return false;
      });
      const loaded = missing.length > 0 ? await inner.loadMany(networkId, missing) : [];
      for (const [index, key] of missing.entries()) {
        const value = loaded[index];
        found.set(key, value);
        if (value instanceof Error || (value === null && !keepsAbsent)) continue;
        kept.set(`${networkId} ${inner.keyOf(key)}`, { at: performance.now(), value });
      }
      return keys.map((key) => found.get(key));
    };
    const load = async (networkId: string, key: unknown) => (await loadMany(networkId, [key]))[0];
    batchers[name] = { ...inner, load, loadMany, peek: () => undefined } as never;
    restore.push(() => {
      batchers[name] = inner;
    });
    return kept;
  });
}

/** Empties caches after every request to a gateway that writes; `lagMs` later those of the other gateway. */
function clearOnWrites(caches: ReadonlyArray<ReadonlyArray<Map<string, Kept>>>, lagMs: number): Promise<Endpoint[]> {
  return Promise.all(
    gateways.map(async ({ url }, place) => {
      const proxy = await startCachingProxy(url, {
        ttlMs: 0,
        keyOf: () => '',
        afterWrite() {
          for (const each of caches) {
            each[place]!.clear();
            setTimeout(() => each[1 - place]!.clear(), lagMs);
          }
        },
      });
      restore.push(proxy.close);
      return { name: `gateway ${place + 1}`, url: proxy.url };
    }),
  );
}

const plain = (): Endpoint[] => gateways.map(({ url }, place) => ({ name: `gateway ${place + 1}`, url }));

async function caching(keyOf: Parameters<typeof startCachingProxy>[1]['keyOf']): Promise<Endpoint[]> {
  return Promise.all(
    gateways.map(async ({ url }, place) => {
      const proxy = await startCachingProxy(url, { ttlMs: TTL_MS, keyOf });
      restore.push(proxy.close);
      return { name: `gateway ${place + 1}`, url: proxy.url };
    }),
  );
}

const keeping = (name: keyof Batchers, options?: KeepOptions) => (): Endpoint[] => {
  keep(name, options);
  return plain();
};

/** For records that few requests read: as long as a run lasts. */
const FOR_LONG: KeepOptions = { ttlMs: 10_000 };

/** Caches that break the guarantee of docs/caching.md. Each starts with correct gateways and returns the endpoints of wrong ones. */
const MUTATIONS: { [name: string]: () => Endpoint[] | Promise<Endpoint[]> } = {
  'keeps users': keeping('users'),
  'keeps sessions, with roles and revocation': keeping('sessions'),
  'keeps communities': keeping('communities'),
  'keeps memberships': keeping('communityUsers', FOR_LONG),
  'keeps posts': keeping('posts'),
  'keeps comments': keeping('comments', FOR_LONG),
  'keeps the memberships of channels': keeping('channelUsers', FOR_LONG),
  'keeps the reactions to records': keeping('reactors', FOR_LONG),
  'keeps lists': () => {
    for (const { services } of gateways) keepLists(services.store.records!);
    return plain();
  },
  'trusts its records without waiting for changes': () => {
    for (const { services } of gateways) {
      const records = services.store.records!;
      const { isFresh, whenFresh } = records;
      Object.assign(records, { isFresh: () => true, whenFresh: () => Promise.resolve(true) });
      restore.push(() => Object.assign(records, { isFresh, whenFresh }));
    }
    return plain();
  },
  'keeps absent memberships only': () => {
    const caches = keep('communityUsers', { keepsAbsent: true });
    for (const cache of caches) dropPresent(cache);
    return plain();
  },
  'invalidates users only for writes through the same gateway': () =>
    clearOnWrites([keep('users', { ttlMs: 60_000 })], 60_000),
  'invalidates records of other gateways 100 ms late': () =>
    clearOnWrites(
      (['users', 'communities', 'communityUsers', 'posts'] as const).map((name) => keep(name, { ttlMs: 60_000 })),
      100,
    ),
  'keeps answers of each user': () => caching(({ url, headers }) => `${url} ${headers.authorization}`),
  'shares answers among users': () => caching(({ url }) => String(url)),
};

function keepLists(records: RecordCache): void {
  const { peekList, readList } = records;
  const kept = new Map<string, { at: number; list: Document[] }>();
  Object.assign(records, {
    peekList(name) {
      const known = kept.get(name);
      return known && performance.now() - known.at < TTL_MS ? known.list : undefined;
    },
    async readList(named, read) {
      const list = await readList(named, read);
      kept.set(named.name, { at: performance.now(), list });
      return list;
    },
  } satisfies Partial<RecordCache>);
  restore.push(() => Object.assign(records, { peekList, readList }));
}

/** Keeps only that records do not exist. */
function dropPresent(cache: Map<string, Kept>): void {
  const set = cache.set.bind(cache);
  cache.set = (key, kept) => (kept.value === null ? set(key, kept) : cache);
}

test.each(Object.keys(MUTATIONS))(
  'a cache that %s is found',
  async (name) => {
    const endpoints = await MUTATIONS[name]!();
    let found: string[] = [];
    let seed = 0;
    while (found.length === 0 && seed < SEEDS) {
      seed += 1;
      found = (await runClients({ seed, gateway: gateways[0], endpoints, operations: 25 })).problems;
    }
    if (process.env.CACHE_VERBOSE) console.log(`${name}: seed ${seed}, ${found.length} problems, ${found[0]}`);
    expect(found.length).toBeGreaterThan(0);
  },
  3_600_000,
);
