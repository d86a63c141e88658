import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';

/** Missed events that were just rendered several times are rendered again when the next interval of this length begins. */
const INTERVAL_MS = 250;
const FIRST_RENDERINGS = 4;
/** Keys whose renderings are counted. */
const MAX_COUNTED = 5_000;

/**
 * Delays renderings of missed events that follow each other quickly, so that more subscribers share each. Intervals begin
 * at the same times for all keys, so that a socket receives its missed events in few writes. Resolves when a rendering with
 * this key may begin.
 */
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
