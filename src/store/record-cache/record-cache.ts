import type { Db, MongoClient } from 'mongodb';
import { compositeKey } from '../../lib/composite-key.ts';
import type { BatchSource } from '../batcher.ts';
import type { CollectionName, Records } from '../collections.ts';
import { createCachedRecords } from './cached-records.ts';
import type { OpenChangeFeed } from './change-feed.ts';
import { type FeedFollower, followChanges } from './feed-follower.ts';
import { createRecentChanges } from './recent-changes.ts';

/**
 * Records that were read by id, as fresh as a read of the database: see docs/caching.md. Only a request that has read
 * the database after it began may use it, since such a reply carries a time that all acknowledged writes precede.
 *
 * After `isFresh` or `whenFresh` returned true, records may be taken from the cache in the same turn of the event loop.
 */
export interface RecordCache extends Pick<FeedFollower, 'isFresh' | 'whenFresh'> {
  /** Adds a cache to a source whose keys are unique. */
  cached<Key, Name extends CollectionName>(
    collection: Name,
    source: BatchSource<Key, Records[Name]>,
  ): BatchSource<Key, Records[Name]>;
  status(): RecordCacheStatus;
  close(): void;
}

export interface RecordCacheStatus {
  /** Whether changes are being read, so that records are cached. */
  isOpen: boolean;
  /** Cluster time up to which changes were applied. */
  position: bigint;
  records: number;
  /** Estimated heap of the cached records. */
  bytes: number;
}

export interface RecordCacheOptions {
  client: MongoClient;
  db: Db;
  /** Heap that cached records may take. */
  maxBytes: number;
  openChangeFeed: OpenChangeFeed;
}

/** Creates a cache that follows the database through one change feed. */
export function createRecordCache({ maxBytes, ...options }: RecordCacheOptions): RecordCache {
  const records = createCachedRecords(maxBytes);
  const recent = createRecentChanges();
  const collections = new Set<string>();
  const follower = followChanges({
    ...options,
    onChange({ collection, id }) {
      if (!collections.has(collection)) return;
      const key = keyOf(collection, id);
      records.delete(key);
      recent.add(key);
    },
    onReset() {
      records.clear();
      recent.addAll();
    },
  });

  return {
    isFresh: follower.isFresh,
    whenFresh: follower.whenFresh,
    cached(collection, source) {
      collections.add(collection);
      const index = records.createIndex();
      return {
        collection,
        keyOf: source.keyOf,
        async fetch(networkId, keys) {
          follower.open();
          const { feed } = follower;
          const sentAfter = recent.last;
          const found = await source.fetch(networkId, keys);
          if (feed === null || feed !== follower.feed) return found;
          for (const [text, record] of found) {
            const key = keyOf(collection, record._id.toHexString());
            // A change that was not reported yet will remove the record.
            if (!recent.hasChangedSince(key, sentAfter)) index.add(compositeKey(networkId, text), key, record);
          }
          return found;
        },
        peek: (networkId, key) => index.get(compositeKey(networkId, source.keyOf(key))) as never,
      };
    },
    status: () => ({
      isOpen: follower.feed !== null,
      position: follower.position,
      records: records.size,
      bytes: records.bytes,
    }),
    close: follower.close,
  };
}

function keyOf(collection: string, id: string): string {
  return `${collection}/${id}`;
}
