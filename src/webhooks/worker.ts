import { setMaxListeners } from 'node:events';
import { createSemaphore, type Semaphore } from '../lib/semaphore.ts';
import { waitAtMost } from '../lib/wait-at-most.ts';
import type { WebhookEndpointRecord } from '../store/records/webhook.ts';
import { type AttemptOptions, attempt, type HeldDelivery } from './attempt.ts';
import { createDueNotifier, type NotifyDue } from './due-notifier.ts';
import { createEndpointCache, type EndpointCache } from './endpoint-cache.ts';
import { pausedUntil } from './health.ts';
import { claim, dueEndpoints, type EndpointKey, storeNextDue } from './queue.ts';
import { createWriter } from './writer.ts';

/** The deliveries of one endpoint that this process sends. */
interface EndpointQueue {
  key: EndpointKey;
  /** Deliveries that were claimed or reserved and are not finished. */
  claimed: number;
  /** Upper bound of `claimed`. */
  limit: number;
  /** Bounds the concurrent calls. */
  semaphore: Semaphore;
  endpointCache: EndpointCache;
  notifyDue: NotifyDue;
  /** Whether more deliveries are due than could be claimed. */
  hasMore: boolean;
  /** The claim in progress: one at a time. */
  serving: Promise<void> | null;
  isRequestedAgain: boolean;
}

/** An endpoint, and when reading it began in `performance.now()` time. */
interface EndpointRead {
  found: WebhookEndpointRecord | null | Promise<WebhookEndpointRecord | null>;
  readAt: number;
}

export interface WorkerOptions extends Omit<AttemptOptions, 'writer'> {
  /** How long a delivery belongs to the process that claimed it: longer than an attempt can take. @default 60_000 */
  leaseMs?: number | undefined;
  /** Interval of the search for due deliveries; 0: no polling. @default 1_000 */
  pollMs?: number | undefined;
  /** Called with the error of a failed poll or attempt, which is repeated later. */
  onError(error: unknown): void;
}

/** Room for one delivery that is stored with a lease of this process. */
export interface Reservation {
  leaseMs: number;
  /** Sends the delivery after it was stored. */
  send(held: Required<HeldDelivery>): void;
  /** Frees the room when the delivery was not stored. */
  cancel(): void;
}

/** @param readAt when reading the endpoint began. @returns null when there is no room */
export type Reserve = (endpoint: WebhookEndpointRecord, readAt: number) => Reservation | null;

export interface CloseTimes {
  /** Milliseconds after which calls without an answer are aborted and their deliveries released. @default 3_000 */
  answersWithinMs?: number;
  /** Milliseconds after which results are no longer awaited. @default 6_000 */
  withinMs?: number;
}

export interface Worker {
  /** Reserves room for a delivery that is about to be stored, so that it needs no claim. */
  reserve: Reserve;
  /** Polls immediately, because deliveries were just stored. */
  wake(): void;
  /** Attempts due deliveries until none is due; for tests with a manual clock. */
  runDue(): Promise<void>;
  /** Claims nothing more. A delivery whose result is not stored in time is due again when its lease ends. */
  close(times?: CloseTimes): Promise<void>;
}

const LEASE_MS = 60_000;
const POLL_MS = 1_000;
/** Concurrent calls to one endpoint from one process. */
const MAX_CALLS = 8;
/**
 * Deliveries of one endpoint that this process holds. They are claimed in batches; locally enqueued ones skip the claim.
 * A delivery that is not attempted within its lease is released.
 */
const MAX_CLAIMED = 400;
/** Deliveries of all endpoints that this process holds; beyond it, each endpoint may hold {@link MAX_CLAIMED_FULL}. */
const MAX_CLAIMED_TOTAL = 4_000;
const MAX_CLAIMED_FULL = 24;
/** Deliveries that this process holds for a failing endpoint, whose calls may last until their timeout. */
const MAX_CLAIMED_FAILING = 2;
const MAX_ENDPOINTS = 5_000;
const ANSWERS_WITHIN_MS = 3_000;
const CLOSES_WITHIN_MS = 6_000;

/**
 * Sends due deliveries. Each endpoint has its own queue and calls, so that a dead or slow receiver does not delay others.
 * Any number of processes may run a worker.
 */
export function createWorker(options: WorkerOptions): Worker {
  const { collections, bodyStore, now, onError, leaseMs = LEASE_MS, pollMs = POLL_MS } = options;
  const queues = new Map<string, EndpointQueue>();
  const attempts: AttemptOptions = { ...options, writer: createWriter(collections, bodyStore) };
  const aborted = new AbortController();
  // Each call in progress listens to it.
  setMaxListeners(0, aborted.signal);
  const inProgress = new Set<Promise<void>>();
  let claimedTotal = 0;
  let isClosed = false;
  let polling: Promise<void> | null = null;
  let isPollRequested = false;
  let timer: NodeJS.Timeout | undefined;

  function queueFor(key: EndpointKey): EndpointQueue {
    const name = nameOf(key);
    const known = queues.get(name);
    if (known) return known;
    const queue: EndpointQueue = {
      key: keyOf(key),
      claimed: 0,
      limit: MAX_CLAIMED,
      semaphore: createSemaphore(MAX_CALLS),
      endpointCache: createEndpointCache(() => collections.webhookEndpoints.findOne(keyOf(key))),
      notifyDue: createDueNotifier(collections, keyOf(key)),
      hasMore: false,
      serving: null,
      isRequestedAgain: false,
    };
    queues.set(name, queue);
    return queue;
  }

  /** Claims and sends due deliveries, after a claim in progress. @param known the endpoint, if it was just read */
  function serve(queue: EndpointQueue, known?: EndpointRead): void {
    if (isClosed) return;
    if (queue.serving) {
      queue.isRequestedAgain = true;
      return;
    }
    queue.isRequestedAgain = false;
    queue.serving = claimDue(queue, known ?? readNow(queue.key))
      .catch(onError)
      .finally(() => {
        queue.serving = null;
        if (queue.isRequestedAgain) serve(queue);
        else evictIfIdle(queue);
      });
    track(queue.serving);
  }

  /** Claims due deliveries while there is room, and stores when the next one is due. */
  async function claimDue(queue: EndpointQueue, { found, readAt }: EndpointRead): Promise<void> {
    // Read the record, not the cache: `queued` must count deliveries that were stored since.
    const endpoint = await found;
    if (endpoint) queue.endpointCache.put(endpoint, readAt);
    if (!endpoint || (await deferIfPaused(endpoint))) return;
    queue.limit = limitOf(endpoint);
    const room = queue.limit - queue.claimed;
    if (room <= 0) {
      queue.hasMore = true;
      return;
    }
    const { deliveries, nextDueAt } = await claim(collections, endpoint, { limit: room, now: now(), leaseMs });
    queue.hasMore = nextDueAt !== null && nextDueAt <= now();
    count(queue, deliveries.length);
    for (const delivery of deliveries) send(queue, endpoint, { delivery });
    if (!queue.hasMore) await storeNextDue(collections, endpoint, nextDueAt);
  }

  function count(queue: EndpointQueue, more: number): void {
    queue.claimed += more;
    claimedTotal += more;
  }

  function limitOf({ failingSince }: WebhookEndpointRecord): number {
    if (failingSince !== null) return MAX_CLAIMED_FAILING;
    return claimedTotal < MAX_CLAIMED_TOTAL ? MAX_CLAIMED : MAX_CLAIMED_FULL;
  }

  function send(queue: EndpointQueue, endpoint: WebhookEndpointRecord, held: HeldDelivery): void {
    const { semaphore, endpointCache, notifyDue } = queue;
    track(
      attempt(attempts, endpoint, held, { semaphore, endpointCache, notifyDue, leaseMs, signal: aborted.signal })
        .catch(onError)
        .finally(() => free(queue)),
    );
  }

  function reserve(endpoint: WebhookEndpointRecord, readAt: number): Reservation | null {
    if (isClosed || pausedUntil(endpoint, now())) return null;
    const queue = queueFor(endpoint);
    queue.endpointCache.put(endpoint, readAt);
    queue.limit = limitOf(endpoint);
    // Deliveries that are due already go first.
    if (queue.hasMore || queue.claimed >= queue.limit) return null;
    count(queue, 1);
    return { leaseMs, send: (held) => send(queue, endpoint, held), cancel: () => free(queue) };
  }

  function readNow(key: EndpointKey): EndpointRead {
    return { readAt: performance.now(), found: collections.webhookEndpoints.findOne(keyOf(key)) };
  }

  /** Claims again when half of the room is free, since claiming many deliveries costs little more than claiming one. */
  function free(queue: EndpointQueue): void {
    count(queue, -1);
    if (queue.hasMore && queue.claimed * 2 <= queue.limit) serve(queue);
    else if (queue.claimed === 0) evictIfIdle(queue);
  }

  /** Whether the endpoint is paused. If so, its queue becomes due again when the pause ends. */
  async function deferIfPaused(endpoint: WebhookEndpointRecord): Promise<boolean> {
    const { networkId, endpointId, queued } = endpoint;
    const paused = pausedUntil(endpoint, now());
    if (!paused) return false;
    await collections.webhookEndpoints.updateOne(
      { networkId, endpointId, queued },
      paused === 'disabled' ? { $unset: { dueAt: '' } } : { $set: { dueAt: paused } },
    );
    return true;
  }

  function evictIfIdle(queue: EndpointQueue): void {
    if (!queue.serving && queue.claimed === 0) queues.delete(nameOf(queue.key));
  }

  function track(work: Promise<void>): void {
    inProgress.add(work);
    void work.finally(() => inProgress.delete(work));
  }

  /** @returns the number of endpoints with due deliveries */
  async function serveDue(): Promise<number> {
    const readAt = performance.now();
    const due = await dueEndpoints(collections, now(), MAX_ENDPOINTS);
    for (const endpoint of due) serve(queueFor(endpoint), { readAt, found: endpoint });
    return due.length;
  }

  function poll(): Promise<void> {
    isPollRequested = false;
    polling ??= serveDue()
      .then(() => undefined)
      .catch(onError)
      .finally(() => {
        polling = null;
        schedule(isPollRequested ? 0 : pollMs);
      });
    return polling;
  }

  function schedule(inMs: number): void {
    clearTimeout(timer);
    if (!isClosed && pollMs > 0) timer = setTimeout(poll, inMs);
  }

  async function finishAttempts(): Promise<void> {
    await polling;
    while (inProgress.size > 0) await Promise.all(inProgress);
  }

  schedule(0);

  return {
    reserve,
    wake() {
      isPollRequested = true;
      if (!polling) schedule(0);
    },
    async runDue() {
      while (!isClosed) {
        if ((await serveDue()) === 0 && inProgress.size === 0) return;
        await Promise.all(inProgress);
      }
    },
    async close({ answersWithinMs = ANSWERS_WITHIN_MS, withinMs = CLOSES_WITHIN_MS } = {}) {
      isClosed = true;
      clearTimeout(timer);
      const end = setTimeout(() => aborted.abort(), Math.min(answersWithinMs, withinMs / 2));
      await waitAtMost(finishAttempts(), withinMs);
      clearTimeout(end);
      // Attempts that have not begun must not call a receiver any more.
      aborted.abort();
    },
  };
}

function keyOf({ networkId, endpointId }: EndpointKey): EndpointKey {
  return { networkId, endpointId };
}

function nameOf({ networkId, endpointId }: EndpointKey): string {
  return `${networkId} ${endpointId}`;
}
