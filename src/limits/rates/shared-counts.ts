import type { Db } from 'mongodb';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { RateCounterRecord } from '../../store/records/limits.ts';
import { RATE_SECONDS } from './rate-classes.ts';

/** A count of all processes. */
export interface SharedCount {
  total: number;
  /** Milliseconds until it starts again. */
  endsInMs: number;
}

/** Counts that the processes of one database share. No function rejects: null means that the count is not known now. */
export interface SharedCounts {
  /** Whether to try. False for {@link RETRY_MS} after a failure, while each process counts for itself. */
  isAvailable(): boolean;
  /** Adds what this process has counted. @param endsInMs when a count that does not exist yet starts again */
  add(key: string, count: number, endsInMs: number): Promise<SharedCount | null>;
  /** Counts that exist, by their keys, in one command. */
  read(keys: readonly string[]): Promise<ReadonlyMap<string, SharedCount> | null>;
}

export interface SharedCountOptions {
  db: Db;
  /** The longest time that an operation waits for a count. */
  timeoutMs: number;
  /** Whether the database is known to be unavailable. */
  isDown?: () => boolean;
  /** Called with the first error of each outage of the counts. */
  onFailure?: (error: unknown) => void;
}

type Library = typeof import('rate-limiter-flexible');

const RATE_COUNTERS = 'rateCounters';

const RETRY_MS = 1_000;
/** A lost count admits a few operations more: no reply waits for a majority or a disk, and reads see the newest count. */
const CONCERNS = { writeConcern: { w: 1, journal: false }, readConcern: { level: 'local' } } as const;

export async function createSharedCounts({
  db,
  timeoutMs,
  isDown = () => false,
  onFailure,
}: SharedCountOptions): Promise<SharedCounts> {
  // Loaded where counts are shared only: the library has limiters for twenty databases.
  // A bundle has only the default export of a CommonJS package that is loaded like this.
  const { default: library } = (await import('rate-limiter-flexible')) as unknown as { default: Library };
  const collection = db.collection<RateCounterRecord>(RATE_COUNTERS, CONCERNS);
  const limiter: RateLimiterAbstract = new library.RateLimiterMongo({
    storeClient: { collection: () => collection },
    tableName: RATE_COUNTERS,
    keyPrefix: '',
    // The store creates them with all others.
    disableIndexesCreation: true,
    // Limits differ by class and are checked by the caller.
    points: Number.MAX_SAFE_INTEGER,
    duration: RATE_SECONDS,
  });
  let retryAt = 0;
  let isFailing = false;

  async function settle<Result>(working: Promise<Result>): Promise<Result | null> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`No reply within ${timeoutMs} ms.`)), timeoutMs);
    });
    try {
      const result = await Promise.race([working, timeout]);
      isFailing = false;
      return result;
    } catch (error) {
      retryAt = performance.now() + RETRY_MS;
      if (!isFailing) onFailure?.(error);
      isFailing = true;
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    isAvailable: () => performance.now() >= retryAt && !isDown(),
    add: (key, count, endsInMs) =>
      settle(
        limiter
          .penalty(key, count, { customDuration: endsInMs / 1_000 })
          .then(({ consumedPoints, msBeforeNext }) => ({ total: consumedPoints, endsInMs: msBeforeNext })),
      ),
    read: (keys) =>
      settle(
        collection
          .find({ key: { $in: [...keys] }, expire: { $gt: new Date() } }, { projection: { _id: 0 } })
          .toArray()
          .then((found) => {
            const now = Date.now();
            return new Map(
              found.map(({ key, points, expire }) => [key, { total: points, endsInMs: expire.getTime() - now }]),
            );
          }),
      ),
  };
}
