import { LRUCache } from 'lru-cache';
import type { MaybePromise } from '../lib/maybe-promise.ts';
import type { Find } from './find.ts';
import type { ContentRulesRecord, NetworkSettings } from './records/user.ts';

/** How long settings are cached: every process uses a changed setting after this time at the latest. */
const SETTINGS_CACHED_MS = 2_000;

/** Settings and rules of networks, which reads and writes of content need. */
export interface NetworkCache {
  /** At most {@link SETTINGS_CACHED_MS} old; null for an unknown network. */
  settingsOf(networkId: string): MaybePromise<NetworkSettings | null>;
  /** At most {@link SETTINGS_CACHED_MS} old; null for a network without rules. */
  contentRulesOf(networkId: string): MaybePromise<ContentRulesRecord | null>;
  /** Makes the next calls read the database: for the process that has just changed a setting or rule. */
  invalidate(networkId: string): void;
}

export function createNetworkCache(find: Find): NetworkCache {
  const settings = createCache(async (networkId) => (await find('networks', { networkId }))[0]?.settings ?? null);
  const contentRules = createCache(async (networkId) => (await find('contentRules', { networkId }))[0] ?? null);
  return {
    settingsOf: settings.read,
    contentRulesOf: contentRules.read,
    invalidate(networkId) {
      settings.invalidate(networkId);
      contentRules.invalidate(networkId);
    },
  };
}

function createCache<Value>(fetch: (networkId: string) => Promise<Value>) {
  const cache = new LRUCache<string, { value: MaybePromise<Value> }>({ max: 16, ttl: SETTINGS_CACHED_MS });
  return {
    read(networkId: string): MaybePromise<Value> {
      const cached = cache.get(networkId);
      if (cached) return cached.value;
      const value = fetch(networkId);
      const entry: { value: MaybePromise<Value> } = { value };
      cache.set(networkId, entry);
      value.then(
        (fetched) => {
          entry.value = fetched;
        },
        () => cache.delete(networkId),
      );
      return value;
    },
    invalidate: (networkId: string) => void cache.delete(networkId),
  };
}
