import type { Db } from 'mongodb';
import { OperationError } from '../errors.ts';
import { createSemaphore } from '../lib/semaphore.ts';
import { type Cursor, checkCursor, cursorExpired } from './cursor.ts';
import { type LiveEvent, type RightsChange, readLatest, readLog } from './log.ts';
import { createReplayBuffer, type ReplayBuffer } from './replay-buffer.ts';

export interface HubSubscriber {
  /** Only what came after this place; null: what comes from now on. */
  after?: Cursor | null | undefined;
  /** In the order of the log, each once. While what was missed is read, the reading waits for what this returns. */
  onEvent(live: LiveEvent): unknown;
  /** What was missed has been told: from now on events come as they are committed. */
  onLive?(): void;
  /**
   * No more events come. CURSOR_EXPIRED: what lies between is no longer in the log; INVALID_PARAMETERS: no such place;
   * UNAVAILABLE: the process ends.
   */
  onLost(reason: OperationError): void;
}

export interface HubSubscription {
  close(): void;
}

/** The one reader of the log in this process, and everybody who is told what it reads. */
export interface Hub {
  /** How far the log has been read; null before the database has been reached. */
  readonly position: Cursor | null;
  /** One of the newest events, with its place; null when it is older, or not read yet. */
  findRecent(eventId: string): LiveEvent | null;
  /** Begins to read; until then nothing is told. */
  open(): void;
  /** Resolves once the log is being read. */
  ready(): Promise<Cursor>;
  subscribe(subscriber: HubSubscriber): HubSubscription;
  /** Told of every change of a record that rights depend on, before any event that was committed after it. */
  onRights(listener: (change: RightsChange) => void): () => void;
  /** Told when changes of rights may have been missed: nothing that was remembered of them holds. */
  onGap(listener: () => void): () => void;
  close(): Promise<void>;
}

export interface HubOptions {
  db: Db;
  /** Told of each failure that reading goes on after. */
  onRetry?: (error: unknown) => void;
  /** How many of the newest events are kept in memory, at least. @default 5_000 */
  bufferSize?: number;
  /** Seconds of the log that are read into memory at first, for those whom a restart of the process cut off. @default 60 */
  bufferSeconds?: number;
  /** How many readers of what is older read at once; the others wait. @default 8 */
  concurrentReplays?: number;
}

/**
 * Reads the log once it is opened. Who subscribes after a place gets what came since, from memory or by a reader of its own, and
 * then what comes, without gap and without duplicate.
 */
export function createHub({
  db,
  onRetry,
  bufferSize = 5_000,
  bufferSeconds = 60,
  concurrentReplays = 8,
}: HubOptions): Hub {
  const stopped = new AbortController();
  const live = new Set<HubSubscriber>();
  const replaying = new Set<HubSubscriber>();
  const rightsListeners = new Set<(change: RightsChange) => void>();
  const gapListeners = new Set<() => void>();
  const takeTurn = createSemaphore(concurrentReplays);
  let ring: ReplayBuffer | null = null;
  let position: Cursor | null = null;
  let opened = deferred<Cursor>();
  let filled = Promise.resolve();
  let reading: Promise<void> | null = null;

  /** What listens from now on is not told of it. Resolves when it is no use to wait for it. */
  async function fill(into: ReplayBuffer, until: Cursor): Promise<void> {
    const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(FILL_MS)]);
    // Of a log that does not reach back so far each reads what there is.
    const quiet = deferred<void>();
    const filling = readLatest(db, { until, seconds: bufferSeconds, onReachedEnd: quiet.resolve, signal })
      .then(({ from, events }) => into.fill(from, events))
      .catch(() => undefined);
    await Promise.race([filling, quiet.promise, aborted(signal)]);
  }

  async function keepReading(): Promise<void> {
    while (!stopped.signal.aborted) {
      await readLog(db, {
        after: position,
        signal: stopped.signal,
        onEvent(event) {
          ring?.push(event);
          for (const subscriber of live) subscriber.onEvent(event);
        },
        onRights(change) {
          for (const listener of rightsListeners) listener(change);
        },
        onPosition(reached) {
          position = reached;
          if (ring) return;
          ring = createReplayBuffer(reached, bufferSize);
          filled = fill(ring, reached);
          opened.resolve(reached);
        },
        onRetry: (error) => onRetry?.(error),
      }).catch((error: unknown) => {
        // The database was away for longer than its log reaches back: whoever listens has missed something.
        onRetry?.(error);
        position = null;
        ring = null;
        opened = deferred();
        for (const listener of gapListeners) listener();
        loseAll(cursorExpired());
      });
    }
  }

  function loseAll(reason: OperationError): void {
    const lost = [...live, ...replaying];
    live.clear();
    replaying.clear();
    for (const subscriber of lost) subscriber.onLost(reason);
  }

  function subscribe(subscriber: HubSubscriber): HubSubscription {
    const ended = new AbortController();
    if (subscriber.after === null || subscriber.after === undefined) {
      live.add(subscriber);
    } else {
      replaying.add(subscriber);
      catchUp(subscriber, subscriber.after, ended.signal).catch((error: unknown) => {
        if (replaying.delete(subscriber)) subscriber.onLost(toReason(error));
      });
    }
    return {
      close() {
        live.delete(subscriber);
        replaying.delete(subscriber);
        ended.abort();
      },
    };
  }

  /** What is older than the ring by a reader of its own, then the ring's, then in the very same turn what comes. */
  async function catchUp(subscriber: HubSubscriber, after: Cursor, ended: AbortSignal): Promise<void> {
    // Nothing is told before whoever subscribes has got their subscription.
    await Promise.resolve();
    let place = checkCursor(after);
    // Nothing is told before the subscriber holds what ends it.
    await null;
    while (replaying.has(subscriber)) {
      const missed = ring?.after(place);
      if (!missed) {
        const { reached, taken } = await takeTurn(() => readOlder(subscriber, place, ended));
        place = reached;
        await taken;
      } else if (missed.length > AT_ONCE) {
        for (const event of missed.slice(0, AT_ONCE)) {
          await subscriber.onEvent(event);
          if (!replaying.has(subscriber)) return;
          place = event.cursor;
        }
      } else {
        replaying.delete(subscriber);
        live.add(subscriber);
        for (const event of missed) subscriber.onEvent(event);
        subscriber.onLive?.();
      }
    }
  }

  /**
   * Reads what the ring no longer holds, for one turn: nobody who reads slowly keeps others from theirs.
   * @returns how far it read, and what the subscriber has still to take
   */
  async function readOlder(
    subscriber: HubSubscriber,
    after: Cursor,
    ended: AbortSignal,
  ): Promise<{ reached: Cursor; taken: unknown }> {
    await opened.promise;
    // What a restart left behind may be in memory by now.
    await filled;
    if (ring && ring.start <= after) return { reached: after, taken: undefined };
    const over = new AbortController();
    const isOver = aborted(over.signal);
    // Not AbortSignal.any: what it makes is kept for as long as the longest of its signals lives.
    const end = () => over.abort();
    const enders = [ended, stopped.signal];
    for (const signal of enders) signal.addEventListener('abort', end, { once: true });
    if (enders.some(({ aborted }) => aborted)) end();
    let turn: NodeJS.Timeout | undefined;
    // Counted from the first answer: each turn gets somewhere. Without any it ends too, and is taken again.
    const patience = setTimeout(() => over.abort(), ANSWER_MS);
    const begin = () => {
      turn ??= setTimeout(() => over.abort(), TURN_MS);
    };
    let reached = after;
    let taken: unknown;
    await readLog(db, {
      after,
      signal: over.signal,
      onEvent(event) {
        if (over.signal.aborted) return undefined;
        begin();
        if (ring && event.cursor > ring.start) {
          // From here on the hub tells, which has heard by then of every change of rights before the event.
          if (ring.start > reached) reached = ring.start;
          over.abort();
          return undefined;
        }
        reached = event.cursor;
        taken = subscriber.onEvent(event);
        return Promise.race([taken, isOver]);
      },
      onPosition(position) {
        if (over.signal.aborted) return;
        begin();
        reached = position;
        if (ring && reached >= ring.start) over.abort();
      },
      // Who waits for the database to come back waits like everybody else.
      onRetry: begin,
    }).finally(() => {
      clearTimeout(patience);
      clearTimeout(turn);
      for (const signal of enders) signal.removeEventListener('abort', end);
    });
    return { reached, taken };
  }

  return {
    get position() {
      return position;
    },
    open() {
      reading ??= keepReading();
    },
    findRecent: (eventId) => ring?.find(eventId) ?? null,
    ready: () => opened.promise,
    subscribe,
    onRights(listener) {
      rightsListeners.add(listener);
      return () => rightsListeners.delete(listener);
    },
    onGap(listener) {
      gapListeners.add(listener);
      return () => gapListeners.delete(listener);
    },
    async close() {
      stopped.abort();
      loseAll(
        new OperationError('UNAVAILABLE', { message: 'The server is about to end: come back with your cursor.' }),
      );
      await reading;
    },
  };
}

function toReason(error: unknown): OperationError {
  return error instanceof OperationError ? error : new OperationError('UNAVAILABLE');
}

interface Deferred<Value> {
  promise: Promise<Value>;
  resolve(value: Value): void;
}

function deferred<Value>(): Deferred<Value> {
  let resolve: Deferred<Value>['resolve'] = () => undefined;
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** How long one subscriber reads what is older before the next one may. */
const TURN_MS = 1_000;
/** How long it waits for the first answer: finding a place far back takes the database a while. */
const ANSWER_MS = 60_000;
/** How long a fresh process reads what was before it. */
const FILL_MS = 15_000;
/** What can be told in one turn of the event loop. */
const AT_ONCE = 100;
