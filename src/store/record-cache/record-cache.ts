import { LRUCache } from 'lru-cache';
import type { Db, Document, MongoClient, Timestamp, TopologyDescription } from 'mongodb';
import { compositeKey } from '../../lib/composite-key.ts';
import type { BatchSource } from '../batcher.ts';
import type { CollectionName, Records } from '../collections.ts';
import { storedBytes } from '../decode.ts';
import { hasClusterTime } from '../driver-patches.ts';
import { type ChangeFeed, clusterTimeOf, type OpenChangeFeed } from './change-feed.ts';

/**
 * Records that were read by id, as fresh as a read of the database: see docs/caching.md. Only a request that has read
 * the database after it began may use it, since such a reply carries a time that all acknowledged writes precede.
 */
export interface RecordCache {
  /** Whether the cache includes every change that this process knows to have happened. */
  isFresh(): boolean;
  /**
   * Like {@link isFresh}, but first requests the changes that are missing, and waits for them for up to
   * {@link MAX_WAIT_MS}. If true, records may be taken from the cache in the same turn of the event loop.
   */
  whenFresh(): Promise<boolean>;
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

/** How long a request waits for changes before it reads the database instead. */
const MAX_WAIT_MS = 20;
/** How long requests do not wait after one has waited without success. */
const BYPASS_MS = 100;
/** How long the cache may lack known changes before it is emptied. */
const MAX_LAG_MS = 1_000;
/** How often changes are applied without a request that needs them. */
const IDLE_MS = 500;
const MIN_RETRY_MS = 50;
const MAX_RETRY_MS = 2_000;
/** The newest changes that are remembered, to reject records that were read before them. */
const MAX_RECENT = 8_192;
/** Heap of a record per stored byte, and of its places in the maps. */
const TIMES_STORED = 5;
const ENTRY_BYTES = 500;

interface Entry {
  record: Document;
  /** Where lookups find it. */
  places: Array<{ index: Map<string, Entry>; name: string }>;
  recordKey: string;
}

interface Waiter {
  target: bigint;
  until: number;
  resolve(isFresh: boolean): void;
}

/** The state when a read was sent. */
interface ReadStart {
  feed: ChangeFeed | null;
  changes: number;
}

/**
 * Creates a cache that follows the database through one change feed. Changes are requested when a request needs them,
 * so that writes cost nothing while nobody reads, and many requests share one command.
 */
export function createRecordCache({ client, db, maxBytes, openChangeFeed }: RecordCacheOptions): RecordCache {
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    sizeCalculation: ({ record }) => TIMES_STORED * storedBytes(record) + ENTRY_BYTES,
    dispose: ({ places }) => {
      for (const { index, name } of places) index.delete(name);
    },
  });
  const collections = new Set<string>();
  // A secondary may return an older version than one whose change was applied, and a time before acknowledged writes.
  const isNeverSupported = !hasClusterTime() || (db.readPreference?.mode ?? 'primary') !== 'primary';
  /** Number of the last change of a record, oldest first. */
  const recent = new Map<string, number>();
  /** Changes up to this number are no longer in {@link recent}. */
  let forgotten = 0;
  let changes = 0;
  let feed: ChangeFeed | null = null;
  let position = 0n;
  /** The largest cluster time that this process has received in this term of the primary. */
  let known: Timestamp | null = null;
  let knownTime = 0n;
  let isUnsupported = isNeverSupported;
  let isClosed = false;
  let isOpening = false;
  /** The feed whose next changes were requested. */
  let pulling: ChangeFeed | null = null;
  let retryMs = MIN_RETRY_MS;
  let openAfter = 0;
  let bypassUntil = 0;
  let behindSince: number | null = null;
  let waiters: Waiter[] = [];
  let waitTimer: NodeJS.Timeout | null = null;
  let primary: string | null = null;

  const idleTimer = setInterval(() => {
    if (feed === null) return;
    noteLag();
    void pull();
  }, IDLE_MS);
  idleTimer.unref();

  client.on('topologyDescriptionChanged', ({ newDescription }) => {
    const current = primaryOf(newDescription);
    if (current === primary) return;
    // Reads from the earlier primary may have been rolled back, and the times of the new one may be lower.
    primary = current;
    isUnsupported = isNeverSupported;
    known = null;
    knownTime = 0n;
    lose();
  });

  /** The largest cluster time in any reply so far; 0 if unknown. */
  function newestTime(): bigint {
    const time = (client as unknown as WithTopology).topology?.clusterTime?.clusterTime ?? null;
    if (time !== known && time !== null) {
      known = time;
      const found = clusterTimeOf(time);
      if (found > knownTime) knownTime = found;
    }
    return knownTime;
  }

  function clear(): void {
    entries.clear();
    recent.clear();
    forgotten = ++changes;
  }

  /** Ends the feed: nothing is cached until another one is open. */
  function lose(): void {
    const lost = feed;
    feed = null;
    position = 0n;
    behindSince = null;
    clear();
    lost?.close();
    settle(waiters.splice(0), false);
  }

  async function open(): Promise<void> {
    if (isOpening || isClosed || isUnsupported || performance.now() < openAfter) return;
    isOpening = true;
    const openedFor = primary;
    try {
      const opened = await openChangeFeed(client, db);
      if (opened === null) isUnsupported = true;
      else if (isClosed || primary !== openedFor) opened.close();
      else {
        clear();
        position = opened.start;
        feed = opened;
      }
    } catch {
      delayOpening();
    } finally {
      isOpening = false;
    }
  }

  function delayOpening(): void {
    openAfter = performance.now() + retryMs;
    retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
  }

  /** Applies changes until no request waits for more. */
  async function pull(): Promise<void> {
    if (feed === null || pulling === feed) return;
    const current = feed;
    pulling = current;
    try {
      do {
        const batch = await current.next();
        if (feed !== current) return;
        for (const change of batch.changes) applyChange(change.collection, change.id);
        if (batch.isReset) clear();
        if (batch.position > position) position = batch.position;
        retryMs = MIN_RETRY_MS;
        noteLag();
        releaseWaiters();
      } while (waiters.length > 0);
    } catch {
      if (feed === current) {
        delayOpening();
        lose();
      }
    } finally {
      if (pulling === current) pulling = null;
    }
  }

  function applyChange(collection: string, id: string): void {
    if (!collections.has(collection)) return;
    const recordKey = keyOf(collection, id);
    entries.delete(recordKey);
    recent.delete(recordKey);
    recent.set(recordKey, ++changes);
    if (recent.size <= MAX_RECENT) return;
    const [oldest, number] = recent.entries().next().value!;
    recent.delete(oldest);
    forgotten = number;
  }

  /** Empties a cache that has lacked known changes for too long. */
  function noteLag(): void {
    if (position >= newestTime()) behindSince = null;
    else if (behindSince === null) behindSince = performance.now();
    else if (performance.now() - behindSince > MAX_LAG_MS && entries.size > 0) clear();
  }

  function releaseWaiters(): void {
    const now = performance.now();
    const fresh = waiters.filter(({ target }) => target <= position);
    const late = waiters.filter(({ target, until }) => target > position && until <= now);
    waiters = waiters.filter(({ target, until }) => target > position && until > now);
    if (late.length > 0) bypassUntil = now + BYPASS_MS;
    settle(fresh, true);
    settle(late, false);
  }

  function settle(settled: readonly Waiter[], isFresh: boolean): void {
    for (const { resolve } of settled) resolve(isFresh);
  }

  /** Releases requests even if the feed does not answer. */
  function watchWaiters(): void {
    if (waitTimer || waiters.length === 0) return;
    waitTimer = setTimeout(() => {
      waitTimer = null;
      noteLag();
      releaseWaiters();
      watchWaiters();
    }, MAX_WAIT_MS);
  }

  function isFresh(): boolean {
    if (feed === null) {
      void open();
      return false;
    }
    const newest = newestTime();
    return newest > 0n && position >= newest;
  }

  function startRead(): ReadStart {
    if (feed === null) void open();
    return { feed, changes };
  }

  /** Whether the feed has reported no change of the record since the read was sent; later changes will remove it. */
  function mayInsert(recordKey: string, start: ReadStart): boolean {
    return start.changes >= forgotten && (recent.get(recordKey) ?? 0) <= start.changes;
  }

  function insert(record: Document, recordKey: string, place: { index: Map<string, Entry>; name: string }): void {
    const present = entries.get(recordKey);
    if (present?.record === record) {
      if (place.index.get(place.name) === present) return;
      present.places.push(place);
      place.index.set(place.name, present);
      return;
    }
    const entry: Entry = { record, places: [place], recordKey };
    entries.set(recordKey, entry);
    if (entries.peek(recordKey) === entry) place.index.set(place.name, entry);
  }

  return {
    isFresh,
    async whenFresh() {
      if (isFresh()) return true;
      const now = performance.now();
      const target = newestTime();
      if (feed === null || target === 0n) return false;
      if (now < bypassUntil) {
        noteLag();
        void pull();
        return false;
      }
      const waited = new Promise<boolean>((resolve) => {
        waiters.push({ target, until: now + MAX_WAIT_MS, resolve });
      });
      watchWaiters();
      void pull();
      return waited;
    },
    cached(collection, source) {
      collections.add(collection);
      const index = new Map<string, Entry>();
      return {
        keyOf: source.keyOf,
        async fetch(networkId, keys) {
          const start = startRead();
          const found = await source.fetch(networkId, keys);
          if (feed === null || feed !== start.feed) return found;
          for (const [text, record] of found) {
            const recordKey = keyOf(collection, record._id.toHexString());
            if (!mayInsert(recordKey, start)) continue;
            insert(record, recordKey, { index, name: compositeKey(networkId, text) });
          }
          return found;
        },
        peek(networkId, key) {
          const entry = index.get(compositeKey(networkId, source.keyOf(key)));
          if (!entry) return undefined;
          // Marks it as used.
          entries.get(entry.recordKey);
          return entry.record as never;
        },
      };
    },
    status: () => ({ isOpen: feed !== null, position, records: entries.size, bytes: entries.calculatedSize }),
    close() {
      isClosed = true;
      clearInterval(idleTimer);
      if (waitTimer) clearTimeout(waitTimer);
      lose();
    },
  };
}

/** The part of the driver's client that is not public: the largest `$clusterTime` of all replies. */
interface WithTopology {
  topology?: { clusterTime?: { clusterTime: Timestamp } };
}

function keyOf(collection: string, id: string): string {
  return `${collection}/${id}`;
}

/** Identifies the primary and its term; null without one. */
function primaryOf({ servers }: TopologyDescription): string | null {
  for (const { type, address, electionId } of servers.values()) {
    if (type === 'RSPrimary') return `${address} ${electionId?.toHexString() ?? ''}`;
  }
  return null;
}
