import { setTimeout as pause } from 'node:timers/promises';
import { ObjectId } from 'mongodb';
import type { OperationError } from '../errors.ts';
import type { EventRecord } from '../store/records/event.ts';
import type { WebhookPositionRecord } from '../store/records/webhook.ts';
import { createInbox } from './bounded-queue.ts';
import { keepPosition, type Lease, leavePosition, takePosition } from './checkpoint.ts';
import { type PutInOptions, putIn } from './enqueue.ts';
import { deliveriesOf, type Told } from './plan-deliveries.ts';

/** What is needed of the hub: committed events in their order, from a place on. */
export interface EventSource {
  /** How far the log has been read; null before that began. */
  readonly position: string | null;
  /** Resolves with where reading began, once it has. */
  ready(): Promise<string>;
  subscribe(options: { after: string; onEvent(live: Live): void; onLost(reason: OperationError): void }): {
    close(): void;
  };
}

interface Live {
  cursor: string;
  event: EventRecord;
}

export interface DispatcherOptions extends PutInOptions {
  events: EventSource;
  /** Names this process among those that could do it. */
  holder: string;
  now(): Date;
  /** How long a delivery is kept. */
  keptMs: number;
  /** @default 15_000 */
  leaseMs?: number | undefined;
  /** Told of what made it begin anew. */
  onError(error: unknown): void;
}

const LEASE_MS = 15_000;
/** Events that are turned into deliveries together. */
const BATCH = 100;
/** How often the position is noted: what came since is put in again after a crash, under the same names. */
const NOTE_MS = 200;
/** Events that wait in memory; what comes beyond is read again later. */
const MAX_WAITING = 20_000;
/** By how much ids and commits may be out of order, and clocks differ: no transaction takes longer. */
const OVERLAP_MS = 10 * 60_000;

type Reached = Partial<Pick<WebhookPositionRecord, 'cursor' | 'dispatchedUntil'>>;

/**
 * Turns each event of the log into deliveries, once: in the one process that holds the lease, from where the last one
 * stopped. A crash between putting deliveries in and noting the position puts them in again, under the same names.
 */
export function createDispatcher(options: DispatcherOptions): { close(): Promise<void> } {
  const { collections, events, now, onError, leaseMs = LEASE_MS } = options;
  const lease: Lease = { holder: options.holder, leaseMs, now };
  const stopped = new AbortController();
  const { signal } = stopped;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        const position = await takePosition(collections, lease);
        if (position) await lead(position);
      } catch (error) {
        if (!signal.aborted) onError(error);
      }
      await pause(leaseMs / 5, undefined, { signal }).catch(() => undefined);
    }
    await leavePosition(collections, lease).catch(() => undefined);
  }

  /** Follows the log until the lease or the place in it is lost. */
  async function lead({ cursor, dispatchedUntil }: WebhookPositionRecord): Promise<void> {
    const after = cursor ?? (await placeNow());
    if (cursor === null && !(await keepPosition(collections, lease, { cursor: after }))) return;
    const inbox = createInbox<Live>(MAX_WAITING);
    const onLost = ({ errorName }: OperationError) => inbox.end(errorName === 'UNAVAILABLE' ? 'closed' : 'lost');
    const subscription = events.subscribe({ after, onEvent: inbox.put, onLost });
    let until = dispatchedUntil;
    let reached: Reached = {};
    let notedAt = performance.now();
    const note = async (): Promise<boolean> => {
      const holds = await keepPosition(collections, lease, reached);
      reached = {};
      notedAt = performance.now();
      return holds;
    };
    try {
      while (!signal.aborted) {
        const { batch, end } = await inbox.take(BATCH, reached.cursor ? NOTE_MS : leaseMs / 3, signal);
        await dispatch(batch);
        const last = batch.at(-1);
        if (last) {
          until = last.event.createdAt;
          reached = { cursor: last.cursor, dispatchedUntil: until };
        }
        if (end === null && last && performance.now() - notedAt < NOTE_MS) continue;
        if (!(await note())) return;
        if (end === 'lost') return await readUp(until);
        if (end !== null) return;
      }
      await note();
    } finally {
      subscription.close();
    }
  }

  /** The log does not reach back to the place: reads the records of the events instead, from a little earlier on. */
  async function readUp(until: Date): Promise<void> {
    const cursor = await placeNow();
    const reached = now();
    const first = ObjectId.createFromTime(Math.floor((until.getTime() - OVERLAP_MS) / 1_000)).toHexString();
    for (const networkId of await networksWithEndpoints()) {
      for (let after = first, isOver = false; !isOver; ) {
        if (signal.aborted) return;
        const filter = { networkId, eventId: { $gt: after } };
        const batch = await collections.events.find(filter).sort({ eventId: 1 }).limit(BATCH).toArray();
        await dispatch(batch.map((event) => ({ event, cursor: null })));
        isOver = batch.length < BATCH;
        after = batch.at(-1)?.eventId ?? after;
        if (!(await keepPosition(collections, lease))) return;
      }
    }
    await keepPosition(collections, lease, { cursor, dispatchedUntil: reached });
  }

  /** @throws when it is closed before the log is being read */
  async function placeNow(): Promise<string> {
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

  async function dispatch(batch: readonly Told[]): Promise<void> {
    const deliveries = await deliveriesOf(collections, batch);
    await putIn(options, deliveries, { now: now(), keptMs: options.keptMs });
  }

  const running = run();
  return {
    async close() {
      stopped.abort();
      await running;
    },
  };
}
