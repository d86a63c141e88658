import type { Db } from 'mongodb';
import { OperationError } from '../errors.ts';
import { createSemaphore } from '../lib/semaphore.ts';
import { eventsRead } from '../observe/metrics/definitions.ts';
import { type Cursor, checkCursor, cursorAt, cursorExpired, timeOf } from './cursor.ts';
import { createMissedLoader } from './load-missed.ts';
import { type LiveEvent, type MqttConnect, type RightsChange, readLog, SHORT_WAIT_MS } from './log.ts';
import { createReplayBuffer, type ReplayBuffer } from './replay-buffer.ts';

export interface HubSubscriber {
  /** Start after this position; null or absent: from now on. */
  after?: Cursor | null | undefined;
  /** Called once for each event, in log order. During replay, the next event waits for the returned promise. */
  onEvent(live: LiveEvent): unknown;
  /** Called with the last missed events together, at most 100, instead of `onEvent`. */
  onMissed?(events: readonly LiveEvent[]): void;
  /** Called when all missed events have been passed on; later ones are passed on as they are committed. */
  onLive?(): void;
  /**
   * Called when the subscription ends. CURSOR_EXPIRED: the log no longer holds the events after the position;
   * INVALID_PARAMETERS: not a position in this log; UNAVAILABLE: the process is shutting down.
   */
  onLost(reason: OperationError): void;
}

export interface HubSubscription {
  close(): void;
}

/** Reads the event log once per process and passes each event on to all subscribers. */
export interface Hub {
  /** Position up to which the log has been read; null before the first read. */
  readonly position: Cursor | null;
  /** A buffered event; null when it is older than the buffer, or not read yet. */
  findRecent(eventId: string): LiveEvent | null;
  /** Starts to read the log. */
  open(): void;
  /** The error of the last attempt to read the log; null while it is read. */
  readonly lastError: unknown;
  /** Resolves once the log is being read. Rejects when the hub is closed before. */
  ready(): Promise<Cursor>;
  subscribe(subscriber: HubSubscriber): HubSubscription;
  /** Reports every change of a record that access rights depend on, before any event that was committed after it. */
  onRights(listener: (change: RightsChange) => void): () => void;
  /** Reports the connections of MQTT clients to all processes, in the order in which they are stored. */
  onMqttConnect(listener: (connect: MqttConnect) => void): () => void;
  /** Reports that a webhook endpoint was created or enabled, before any event that was committed after it. */
  onEndpoint(listener: () => void): () => void;
  /** Reports that other changes than events may have been missed: what was derived from them must be cleared. */
  onGap(listener: () => void): () => void;
  close(): Promise<void>;
}

export interface HubOptions {
  db: Db;
  /** Called with each error after which reading continues. */
  onRetry?: (error: unknown) => void;
  /** Minimum number of the newest events kept in memory. @default 5_000 */
  bufferSize?: number;
  /** Maximum concurrent reads of events older than the buffer. @default 8 */
  concurrentReplays?: number;
}

/**
 * A subscriber that starts after a position first receives the missed events, from memory or through a change stream of
 * its own, and then live events, without gaps or duplicates. See docs/decisions/0014-event-log.md.
 */
export function createHub({ db, onRetry, bufferSize = 5_000, concurrentReplays = 8 }: HubOptions): Hub {
  const stopped = new AbortController();
  const live = new Set<HubSubscriber>();
  const replaying = new Set<HubSubscriber>();
  const rightsListeners = new Set<(change: RightsChange) => void>();
  const connectListeners = new Set<(connect: MqttConnect) => void>();
  const endpointListeners = new Set<() => void>();
  const gapListeners = new Set<() => void>();
  const withReplaySlot = createSemaphore(concurrentReplays);
  const loadMissed = createMissedLoader(db, stopped.signal);
  let buffer: ReplayBuffer | null = null;
  let position: Cursor | null = null;
  let opened = deferred<Cursor>();
  let lastError: unknown = null;
  let reading: Promise<void> | null = null;

  function noteError(error: unknown): void {
    lastError = error;
    onRetry?.(error);
  }

  async function keepReading(): Promise<void> {
    while (!stopped.signal.aborted) {
      await readLog(db, {
        after: position,
        signal: stopped.signal,
        onEvent(event) {
          eventsRead.with(event.event.type).add();
          buffer?.push(event);
          // Before it is passed on: a subscriber who starts at the position must not receive it a second time.
          position = event.cursor;
          for (const subscriber of live) subscriber.onEvent(event);
        },
        onRights(change) {
          for (const listener of rightsListeners) listener(change);
        },
        onMqttConnect(connect) {
          for (const listener of connectListeners) listener(connect);
        },
        onEndpoint() {
          for (const listener of endpointListeners) listener();
        },
        onPosition(reached) {
          position = reached;
          lastError = null;
          if (buffer) return;
          buffer = createReplayBuffer(reached, bufferSize);
          // Clients return after a restart, and ask for the newest event, which may precede it.
          void loadMissed(buffer, cursorAt(timeOf(reached) - RECENT_MS));
          // Changes of rights between the gap and this position were not read.
          for (const listener of gapListeners) listener();
          opened.resolve(reached);
        },
        onRetry: noteError,
      }).catch((error: unknown) => {
        // The outage lasted longer than the log reaches back, so subscribers may have missed events.
        noteError(error);
        // Callers of `ready` may still wait for the first position.
        if (buffer) opened = deferred();
        position = null;
        buffer = null;
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
    if (stopped.signal.aborted) {
      // Callbacks run only after `subscribe` has returned the subscription.
      let isOpen = true;
      queueMicrotask(() => isOpen && subscriber.onLost(shuttingDown()));
      return {
        close() {
          isOpen = false;
        },
      };
    }
    const end = createEnd();
    if (subscriber.after === null || subscriber.after === undefined) {
      live.add(subscriber);
    } else {
      replaying.add(subscriber);
      catchUp(subscriber, subscriber.after, end).catch((error: unknown) => {
        if (replaying.delete(subscriber)) subscriber.onLost(toReason(error));
      });
    }
    return {
      close() {
        live.delete(subscriber);
        replaying.delete(subscriber);
        end.abort();
      },
    };
  }

  /**
   * Replays the events of the buffer, which is first extended to the position. Events that do not fit into it are read
   * through a change stream of the subscriber's own. The last event and the switch to live events happen in one synchronous
   * step, so that no event falls between.
   */
  async function catchUp(subscriber: HubSubscriber, after: Cursor, end: End): Promise<void> {
    // Callbacks run only after `subscribe` has returned the subscription.
    await Promise.resolve();
    let current = checkCursor(after);
    while (replaying.has(subscriber)) {
      const missed = buffer?.after(current);
      if (!missed) {
        await opened.promise;
        if (buffer && (await loadMissed(buffer, current))) continue;
        const { reached, delivered } = await withReplaySlot(() => readOlder(subscriber, current, end.signal));
        current = reached;
        await delivered;
      } else if (missed.length > MAX_SYNCHRONOUS) {
        for (const event of missed.slice(0, MAX_SYNCHRONOUS)) {
          await subscriber.onEvent(event);
          if (!replaying.has(subscriber)) return;
          current = event.cursor;
        }
      } else {
        replaying.delete(subscriber);
        live.add(subscriber);
        if (subscriber.onMissed) subscriber.onMissed(missed);
        else for (const event of missed) subscriber.onEvent(event);
        subscriber.onLive?.();
      }
    }
  }

  /**
   * Reads events older than the buffer for a limited time, so that slow subscribers do not block the others.
   * @returns the position reached, and the promise of the last delivery
   */
  async function readOlder(
    subscriber: HubSubscriber,
    after: Cursor,
    ended: AbortSignal,
  ): Promise<{ reached: Cursor; delivered: unknown }> {
    const read = new AbortController();
    const readEnded = aborted(read.signal);
    // Not AbortSignal.any: its result is retained until the longest-lived source signal is collected.
    const end = () => read.abort();
    const sources = [ended, stopped.signal];
    for (const signal of sources) signal.addEventListener('abort', end, { once: true });
    if (sources.some(({ aborted }) => aborted)) end();
    let timeSlice: NodeJS.Timeout | undefined;
    // The time slice starts with the first response, so that each read makes progress. This timer ends a read without one.
    const responseTimeout = setTimeout(end, FIRST_RESPONSE_MS);
    const begin = () => {
      timeSlice ??= setTimeout(end, TIME_SLICE_MS);
    };
    let reached = after;
    let delivered: unknown;
    await readLog(db, {
      after,
      maxWaitMs: SHORT_WAIT_MS,
      signal: read.signal,
      onEvent(event) {
        if (read.signal.aborted) return undefined;
        begin();
        if (buffer && event.cursor > buffer.start) {
          // The hub continues from its buffer: it has processed every change of rights committed before these events.
          if (buffer.start > reached) reached = buffer.start;
          end();
          return undefined;
        }
        reached = event.cursor;
        delivered = subscriber.onEvent(event);
        return Promise.race([delivered, readEnded]);
      },
      onPosition(position) {
        if (read.signal.aborted) return;
        begin();
        reached = position;
        if (buffer && reached >= buffer.start) end();
      },
      // The time slice also starts in an outage, so that other subscribers get the slot.
      onRetry: begin,
    }).finally(() => {
      clearTimeout(responseTimeout);
      clearTimeout(timeSlice);
      for (const signal of sources) signal.removeEventListener('abort', end);
    });
    return { reached, delivered };
  }

  return {
    get position() {
      return position;
    },
    get lastError() {
      return lastError;
    },
    open() {
      reading ??= keepReading();
    },
    findRecent: (eventId) => buffer?.find(eventId) ?? null,
    ready: () => opened.promise,
    subscribe,
    onRights(listener) {
      rightsListeners.add(listener);
      return () => rightsListeners.delete(listener);
    },
    onMqttConnect(listener) {
      connectListeners.add(listener);
      return () => connectListeners.delete(listener);
    },
    onEndpoint(listener) {
      endpointListeners.add(listener);
      return () => endpointListeners.delete(listener);
    },
    onGap(listener) {
      gapListeners.add(listener);
      return () => gapListeners.delete(listener);
    },
    async close() {
      stopped.abort();
      const reason = shuttingDown();
      loseAll(reason);
      opened.reject(reason);
      await reading;
    },
  };
}

function shuttingDown(): OperationError {
  return new OperationError('UNAVAILABLE', {
    message: 'The server is shutting down. Reconnect with your last cursor.',
  });
}

/** Like an `AbortController`, which is created when its signal is needed: thousands of subscribers need none. */
interface End {
  readonly signal: AbortSignal;
  abort(): void;
}

function createEnd(): End {
  let controller: AbortController | null = null;
  let isAborted = false;
  return {
    get signal() {
      controller ??= new AbortController();
      if (isAborted) controller.abort();
      return controller.signal;
    },
    abort() {
      isAborted = true;
      controller?.abort();
    },
  };
}

function toReason(error: unknown): OperationError {
  return error instanceof OperationError ? error : new OperationError('UNAVAILABLE');
}

interface Deferred<Value> {
  promise: Promise<Value>;
  resolve(value: Value): void;
  reject(reason: Error): void;
}

function deferred<Value>(): Deferred<Value> {
  let settle: Omit<Deferred<Value>, 'promise'> | undefined;
  const promise = new Promise<Value>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // Often, nothing waits for it.
  promise.catch(() => undefined);
  return { promise, ...settle! };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** Time that one subscriber may read old events before the next waiting subscriber gets the slot. */
const TIME_SLICE_MS = 1_000;
/** Timeout of the first response: seeking to an old position takes the database a while. */
const FIRST_RESPONSE_MS = 60_000;
/** The part of the log that is loaded at the start. */
const RECENT_MS = 60_000;
/** Maximum number of events passed on without yielding to the event loop. */
const MAX_SYNCHRONOUS = 100;
