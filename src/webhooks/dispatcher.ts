import { setTimeout as pause } from 'node:timers/promises';
import { ObjectId } from 'mongodb';
import type { OperationError } from '../errors.ts';
import type { LiveEvent } from '../events/log.ts';
import { waitAtMost } from '../lib/wait-at-most.ts';
import type { WebhookPositionRecord } from '../store/records/webhook.ts';
import { createBoundedQueue } from './bounded-queue.ts';
import { acquireCheckpoint, type Lease, releaseCheckpoint, saveCheckpoint } from './checkpoint.ts';
import { type EnqueueOptions, enqueue } from './enqueue.ts';
import {
  type EndpointChanges,
  followNetworksWithoutEndpoints,
  type NetworksWithoutEndpoints,
} from './networks-without-endpoints.ts';
import { type LoggedEvent, planDeliveries } from './plan-deliveries.ts';

/** The part of the hub that the dispatcher uses: committed events in order, from a cursor on. */
export interface EventSource extends EndpointChanges {
  /** Cursor of the newest event that was read from the log; null before the first read. */
  readonly position: string | null;
  /** Resolves with the first cursor when reading has begun. */
  ready(): Promise<string>;
  subscribe(options: { after: string; onEvent(live: LiveEvent): void; onLost(reason: OperationError): void }): {
    close(): void;
  };
}

export interface DispatcherOptions extends EnqueueOptions {
  events: EventSource;
  /** Id of this process, as the holder of the lease. */
  holder: string;
  now(): Date;
  /** How long deliveries are stored, in milliseconds. */
  retentionMs: number;
  /** @default 15_000 */
  leaseMs?: number | undefined;
  /** Called with errors after which the dispatcher starts again from the checkpoint. */
  onError(error: unknown): void;
}

const LEASE_MS = 15_000;
/** Events whose deliveries are enqueued together. */
const BATCH = 100;
/** How often the checkpoint is saved. After a crash, later events are enqueued again under the same ids. */
const SAVE_MS = 1_000;
/** Events that wait in memory; further events are read from the log again. */
const MAX_WAITING = 20_000;
/** How far event ids may be behind commit order: the longest transaction and the difference of clocks. */
const OVERLAP_MS = 10 * 60_000;
const CLOSES_WITHIN_MS = 5_000;

export interface Dispatcher {
  /** Saves the checkpoint and releases the lease, if the database answers within `withinMs` milliseconds. */
  close(withinMs?: number): Promise<void>;
}

type Progress = Partial<Pick<WebhookPositionRecord, 'cursor' | 'dispatchedUntil'>>;

/**
 * Turns each event of the log into deliveries exactly once. Only the process that holds the lease does so, starting at the
 * checkpoint of its predecessor. After a crash between enqueueing and saving the checkpoint, the deliveries are enqueued
 * again under the same ids and stored once.
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { collections, events, now, onError, leaseMs = LEASE_MS } = options;
  const lease: Lease = { holder: options.holder, leaseMs, now };
  const stopped = new AbortController();
  const { signal } = stopped;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        const checkpoint = await acquireCheckpoint(collections, lease);
        if (checkpoint) await runAsLeader(checkpoint);
      } catch (error) {
        if (!signal.aborted) onError(error);
      }
      await pause(leaseMs / 5, undefined, { signal }).catch(() => undefined);
    }
    await releaseCheckpoint(collections, lease).catch(() => undefined);
  }

  /** Follows the log until the lease is lost or the log no longer holds the checkpoint's cursor. */
  async function runAsLeader({ cursor, dispatchedUntil }: WebhookPositionRecord): Promise<void> {
    // A new checkpoint has no cursor: events may have been written since the gateway listens, or since the process that
    // created the checkpoint died.
    const after = cursor ?? (await dispatchFromRecords(dispatchedUntil));
    if (after === null) return;
    const queue = createBoundedQueue<LiveEvent>(MAX_WAITING);
    const without = followNetworksWithoutEndpoints(events);
    const onLost = ({ errorName }: OperationError) => queue.end(errorName === 'UNAVAILABLE' ? 'closed' : 'lost');
    const subscription = events.subscribe({ after, onEvent: queue.put, onLost });
    let until = dispatchedUntil;
    let progress: Progress = {};
    let savedAt = performance.now();
    const save = async (): Promise<boolean> => {
      const holds = await saveCheckpoint(collections, lease, progress);
      progress = {};
      savedAt = performance.now();
      return holds;
    };
    try {
      while (!signal.aborted) {
        const { batch, end } = await queue.take(BATCH, progress.cursor ? SAVE_MS : leaseMs / 3, signal);
        await dispatch(batch, without);
        const last = batch.at(-1);
        if (last) {
          until = last.event.createdAt;
          progress = { cursor: last.cursor, dispatchedUntil: until };
        }
        if (end === null && last && performance.now() - savedAt < SAVE_MS) continue;
        if (!(await save())) return;
        if (end === 'lost') return void (await dispatchFromRecords(until));
        if (end !== null) return;
      }
      await save();
    } finally {
      subscription.close();
      without.close();
    }
  }

  /**
   * Reads the records of events where the log has no cursor to start at; begins a little before `until`.
   *
   * @returns the cursor of the log at which to continue, or null when the lease was lost or the dispatcher was closed
   */
  async function dispatchFromRecords(until: Date): Promise<string | null> {
    const cursor = await currentCursor();
    const startedAt = now();
    const first = ObjectId.createFromTime(Math.floor((until.getTime() - OVERLAP_MS) / 1_000));
    for (const networkId of await networksWithEndpoints()) {
      for (let after = first, isOver = false; !isOver; ) {
        if (signal.aborted) return null;
        const filter = { networkId, _id: { $gt: after } };
        const batch = await collections.events.find(filter).sort({ _id: 1 }).limit(BATCH).toArray();
        await dispatch(batch.map((event) => ({ event, cursor: null })));
        isOver = batch.length < BATCH;
        after = batch.at(-1)?._id ?? after;
        if (!(await saveCheckpoint(collections, lease))) return null;
      }
    }
    return (await saveCheckpoint(collections, lease, { cursor, dispatchedUntil: startedAt })) ? cursor : null;
  }

  /** @throws when the dispatcher is closed before the log is read */
  async function currentCursor(): Promise<string> {
    if (events.position !== null) return events.position;
    const ended = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    return Promise.race([events.ready(), ended]);
  }

  async function networksWithEndpoints(): Promise<string[]> {
    const found = await collections.webhookEndpoints
      .find({ networkId: { $gt: '' } }, { projection: { _id: 0, networkId: 1 } })
      .toArray();
    return [...new Set(found.map(({ networkId }) => networkId))];
  }

  async function dispatch(batch: readonly LoggedEvent[], without?: NetworksWithoutEndpoints): Promise<void> {
    const deliveries = await planDeliveries(collections, batch, without);
    await enqueue(options, deliveries, { now: now(), retentionMs: options.retentionMs });
  }

  const running = run();
  return {
    async close(withinMs = CLOSES_WITHIN_MS) {
      stopped.abort();
      await waitAtMost(running, withinMs);
    },
  };
}
