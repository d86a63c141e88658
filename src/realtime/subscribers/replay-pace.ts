import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';

/**
 * Everything that is rendered again and again is rendered at most once in this time, after the first renderings. All
 * of it is rendered at the same times, so that a socket receives its missed events in few writes.
 */
const INTERVAL_MS = 250;
const FIRST_RENDERINGS = 4;
const MAX_COUNTED = 5_000;

/** Limits how often something is rendered. */
export function createReplayPace(): (key: string) => Promise<void> {
  /** The last interval in which it was rendered, and how often in this and in the intervals just before. */
  const rendered = new LRUCache<string, { interval: number; count: number }>({ max: MAX_COUNTED });

  return async (key) => {
    const now = performance.now();
    const current = Math.floor(now / INTERVAL_MS);
    const last = rendered.get(key);
    const count = last === undefined || last.interval < current - 1 ? 1 : last.count + 1;
    const waits = count > FIRST_RENDERINGS;
    rendered.set(key, { interval: waits ? current + 1 : current, count });
    if (waits) await pause((current + 1) * INTERVAL_MS - now);
  };
}
