import type { Db, MongoClient } from 'mongodb';
import { hasClusterTime } from '../driver-patches.ts';
import type { ChangeFeed, OpenChangeFeed, RecordChange } from './change-feed.ts';
import { createClusterClock } from './cluster-clock.ts';
import { createWaitingRequests } from './waiting-requests.ts';

/** Applies the changes of the database and knows up to which cluster time it has done so. */
export interface FeedFollower {
  /** The feed whose changes are applied; null while there is none. */
  readonly feed: ChangeFeed | null;
  /** Cluster time up to which changes were applied. */
  readonly position: bigint;
  /** Opens a feed if there is none. */
  open(): void;
  /** Whether every change was applied that this process knows to have happened. */
  isFresh(): boolean;
  /** Requests the changes that are missing, without waiting for them. */
  catchUp(): void;
  /** Like {@link isFresh}, but first requests the changes that are missing, and waits a short time for them. */
  whenFresh(): Promise<boolean>;
  close(): void;
}

export interface FeedFollowerOptions {
  client: MongoClient;
  db: Db;
  openChangeFeed: OpenChangeFeed;
  onChange: (change: RecordChange) => void;
  /** Called when any record may have changed, or when too many changes are missing. */
  onReset: () => void;
}

/** How long known changes may be missing before {@link FeedFollowerOptions.onReset} is called. */
const MAX_LAG_MS = 1_000;
/** How often changes are applied without a request that needs them. */
const IDLE_MS = 500;
const MIN_RETRY_MS = 50;
const MAX_RETRY_MS = 2_000;

/**
 * Follows one change feed, and opens another one when it ends. Changes are requested when a request begins, so that they
 * cost nothing while no requests arrive, and many requests share one command.
 */
export function followChanges({ client, db, openChangeFeed, onChange, onReset }: FeedFollowerOptions): FeedFollower {
  // A secondary may return an older version than one whose change was applied, and a time before acknowledged writes.
  const isNeverSupported = !hasClusterTime() || (db.readPreference?.mode ?? 'primary') !== 'primary';
  let isUnsupported = isNeverSupported;
  let feed: ChangeFeed | null = null;
  let position = 0n;
  let isClosed = false;
  let isOpening = false;
  /** The feed whose next changes were requested. */
  let pulling: ChangeFeed | null = null;
  let retryMs = MIN_RETRY_MS;
  let openAfter = 0;
  let behindSince: number | null = null;

  const requests = createWaitingRequests(() => {
    noteLag();
    requests.release(position);
  });
  const clock = createClusterClock(client, () => {
    // Reads from the earlier primary may have been rolled back.
    isUnsupported = isNeverSupported;
    lose();
  });
  const idleTimer = setInterval(() => {
    if (feed === null) return;
    noteLag();
    void pull();
  }, IDLE_MS);
  idleTimer.unref();

  function lose(): void {
    const lost = feed;
    feed = null;
    position = 0n;
    behindSince = null;
    onReset();
    lost?.close();
    requests.abandon();
  }

  async function open(): Promise<void> {
    if (feed !== null || isOpening || isClosed || isUnsupported || performance.now() < openAfter) return;
    isOpening = true;
    const openedFor = clock.primary;
    try {
      const opened = await openChangeFeed(client, db);
      if (opened === null) isUnsupported = true;
      else if (isClosed || clock.primary !== openedFor) opened.close();
      else {
        onReset();
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
        for (const change of batch.changes) onChange(change);
        if (batch.isReset) onReset();
        if (batch.position > position) position = batch.position;
        retryMs = MIN_RETRY_MS;
        noteLag();
        requests.release(position);
      } while (!requests.isEmpty);
    } catch {
      if (feed === current) {
        delayOpening();
        lose();
      }
    } finally {
      if (pulling === current) pulling = null;
    }
  }

  function noteLag(): void {
    const now = performance.now();
    if (position >= clock.newestTime()) behindSince = null;
    else if (behindSince === null) behindSince = now;
    else if (now - behindSince > MAX_LAG_MS) {
      onReset();
      behindSince = now;
    }
  }

  function isFresh(): boolean {
    if (feed === null) {
      void open();
      return false;
    }
    const newest = clock.newestTime();
    return newest > 0n && position >= newest;
  }

  return {
    get feed() {
      return feed;
    },
    get position() {
      return position;
    },
    open: () => void open(),
    isFresh,
    catchUp() {
      if (!isFresh()) void pull();
    },
    async whenFresh() {
      if (isFresh()) return true;
      const target = clock.newestTime();
      if (feed === null || target === 0n) return false;
      if (!requests.mayWait()) {
        noteLag();
        void pull();
        return false;
      }
      const waited = requests.wait(target);
      void pull();
      return waited;
    },
    close() {
      isClosed = true;
      clearInterval(idleTimer);
      lose();
    },
  };
}
