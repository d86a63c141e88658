import { LRUCache } from 'lru-cache';
import type { Find } from './find.ts';
import type { NetworkSettings } from './records/user.ts';

/** How long settings are cached: every process uses a changed setting after this time at the latest. */
export const SETTINGS_CACHED_MS = 2_000;

/** Settings of networks, for rules that every read of a post needs. */
export interface NetworkCache {
  /** At most {@link SETTINGS_CACHED_MS} old; null for an unknown network. */
  settingsOf(networkId: string): Promise<NetworkSettings | null>;
  /** Makes the next call of `settingsOf` read the database: for the process that has just changed a setting. */
  invalidate(networkId: string): void;
}

export function createNetworkCache(find: Find): NetworkCache {
  const cache = new LRUCache<string, Promise<NetworkSettings | null>>({ max: 16, ttl: SETTINGS_CACHED_MS });
  return {
    settingsOf(networkId) {
      const cached = cache.get(networkId);
      if (cached) return cached;
      const settings = find('networks', { networkId }).then(([network]) => network?.settings ?? null);
      cache.set(networkId, settings);
      settings.catch(() => cache.delete(networkId));
      return settings;
    },
    invalidate: (networkId) => void cache.delete(networkId),
  };
}
