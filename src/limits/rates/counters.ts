import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { RATE_SECONDS } from './rate-classes.ts';
import type { SharedCount, SharedCounts } from './shared-counts.ts';

const WINDOW_MS = RATE_SECONDS * 1_000;
/** Counters in memory; the least recently used are dropped beyond that. One takes about 250 bytes. */
const MAX_COUNTERS = 50_000;

/**
 * The part of a limit that a process may count without having reported it. A client that uses n processes is admitted at
 * most `limit + (n - 1) × max(1, limit / 20)` times.
 */
const UNREPORTED_PART = 1 / 20;

export interface Counter {
  readonly key: string;
  /** Operations in the current window, including those that other processes have reported. */
  count: number;
  /** When the window ends, on the clock of the counters. */
  endsAt: number;
  /** The part of `count` that other processes do not know. */
  unreported: number;
  /** The largest `unreported`, unless one operation counts more often. */
  readonly maxUnreported: number;
  report: Promise<void> | null;
}

export interface Counters {
  /** The counter of the current window. @param limit bounds it */
  get(key: string, limit: number): Counter;
  /** What to wait for before `count` more may be added; null: nothing. */
  requiredReport(counter: Counter, count: number): Promise<void> | null;
  add(counter: Counter, count: number): void;
  /** Adds what other processes have reported. Without an answer of the database the counters stay as they are. */
  update(counters: readonly Counter[]): Promise<void>;
}

export interface CounterOptions {
  shared: SharedCounts | null;
  /** Whole milliseconds. */
  now: () => number;
}

/**
 * Counts in the memory of this process. If counts are shared, each counter adds what it counted to the database in the
 * background, one command for every fortieth of the limit: clients that use less than that cause none. While the database
 * does not answer, this process counts for itself.
 */
export function createCounters({ shared, now }: CounterOptions): Counters {
  const counters = new LRUCache<string, Counter>({ max: MAX_COUNTERS });

  function merge(counter: Counter, { total, endsInMs }: SharedCount): void {
    counter.count = Math.max(counter.count, total + counter.unreported);
    // Not longer, in case the clock of another process is ahead.
    counter.endsAt = now() + Math.min(endsInMs, WINDOW_MS);
  }

  function report(counter: Counter): Promise<void> {
    const reported = counter.unreported;
    const endsInMs = Math.max(1, counter.endsAt - now());
    counter.report ??= shared!.add(sharedKey(counter.key), reported, endsInMs).then((sum) => {
      counter.report = null;
      // Also after a failure: the database may have added it, and adding it twice would refuse a client too early.
      counter.unreported -= reported;
      if (sum) merge(counter, sum);
    });
    return counter.report;
  }

  return {
    get(key, limit) {
      const time = now();
      let counter = counters.get(key);
      if (!counter || counter.endsAt <= time) {
        const maxUnreported = Math.max(1, Math.floor(limit * UNREPORTED_PART));
        counter = { key, count: 0, endsAt: time + WINDOW_MS, unreported: 0, maxUnreported, report: null };
        counters.set(key, counter);
      }
      return counter;
    },
    requiredReport(counter, count) {
      if (!shared || counter.unreported === 0 || counter.unreported + count <= counter.maxUnreported) return null;
      return counter.report ?? (shared.isAvailable() ? report(counter) : null);
    },
    add(counter, count) {
      counter.count += count;
      if (!shared) return;
      counter.unreported += count;
      // Early, so that the reply arrives before an operation has to wait for it.
      if (counter.unreported * 2 >= counter.maxUnreported && !counter.report && shared.isAvailable()) {
        void report(counter);
      }
    },
    async update(known) {
      if (!shared?.isAvailable()) return;
      await Promise.all(known.map((counter) => counter.report));
      const found = await shared.read(known.map(({ key }) => sharedKey(key)));
      if (!found) return;
      for (const counter of known) {
        const sum = found.get(sharedKey(counter.key));
        // A report that has started since may be in the sum.
        if (sum && !counter.report) merge(counter, sum);
      }
    },
  };
}

/** A hash: the database stores no user id, address or key. */
function sharedKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}
