import { setTimeout as pause } from 'node:timers/promises';
import {
  type ChangeStreamDocument,
  type Db,
  type Document,
  MongoServerError,
  Timestamp,
  type UpdateDescription,
} from 'mongodb';
import { unavailability } from '../database-errors.ts';
import type { ChannelUserRecord } from '../store/records/chat.ts';
import type { EventRecord } from '../store/records/event.ts';
import { type Cursor, cursorExpired, invalidCursor, timeOf } from './cursor.ts';

/** An event and its position in the log. Shared by all subscribers, therefore immutable. */
export interface LiveEvent {
  readonly cursor: Cursor;
  readonly event: EventRecord;
}

/** A change of a record that determines what subscribers may see; of {@link ACTIVITY} in channels, none. */
export interface RightsChange {
  collection: RightsCollection;
  /** Internal id of the record. */
  id: string;
  /** The record, if it was inserted; updates and deletions carry only the id. */
  inserted: Document | null;
}

/** Fields of a membership in a channel that change with every message sent or read, and that grant or deny nothing. */
const ACTIVITY = new Set<string>([
  'lastActivity',
  'readToSegment',
  'lastMentionedSegment',
  'rateWindow',
  'updatedAt',
] satisfies Array<keyof ChannelUserRecord>);

/** An MQTT client has connected to some process. */
export interface MqttConnect {
  /** Internal id of the client's session. */
  sessionId: string;
  connectionId: string;
}

const RIGHTS = ['sessions', 'communityUsers', 'channelUsers', 'roles'] as const;
export type RightsCollection = (typeof RIGHTS)[number];

const EVENTS = { $match: { operationType: 'insert', 'ns.coll': 'events' } };
/** Topics of a session also change, which concerns only the process of its connection. */
const MQTT_CONNECTS = {
  'ns.coll': 'mqttSessions',
  $or: [
    { operationType: 'insert' },
    { operationType: 'update', 'updateDescription.updatedFields.connectionId': { $exists: true } },
  ],
};
/** Not the results of deliveries, which are stored with the endpoint. */
const NEW_ENDPOINTS = {
  'ns.coll': 'webhookEndpoints',
  $or: [
    { operationType: { $in: ['insert', 'replace'] } },
    { operationType: 'update', 'updateDescription.updatedFields.enabled': true },
  ],
};
/**
 * One stream carries events and the changes that decide who receives them, so that such a change is always read before
 * later commits.
 */
const PIPELINE = [
  {
    $match: {
      $or: [
        { operationType: 'insert', 'ns.coll': 'events' },
        { operationType: { $in: ['insert', 'update', 'replace', 'delete'] }, 'ns.coll': { $in: [...RIGHTS] } },
        MQTT_CONNECTS,
        NEW_ENDPOINTS,
      ],
    },
  },
];

export interface LogReader {
  /** Start after this position; null: start now. */
  after: Cursor | null;
  /** The next change is read when the returned promise has settled. */
  onEvent(live: LiveEvent): unknown;
  onRights?(change: RightsChange): void;
  onMqttConnect?(connect: MqttConnect): void;
  /** A webhook endpoint was created or enabled. */
  onEndpoint?(): void;
  /** Called when everything up to this position has been passed on. */
  onPosition(position: Cursor): void;
  /** Called with each transient error, before the read is retried. */
  onRetry?(error: unknown): void;
  /** How long the server waits for further changes before it reports the position that was reached. @default 1_000 */
  maxWaitMs?: number;
  signal: AbortSignal;
}

/** For reads up to a known position: how long the server waits before it reports that it has reached the end of the log. */
export const SHORT_WAIT_MS = 50;
const MIN_RETRY_MS = 50;
const MAX_RETRY_MS = 2_000;
/** The server delays an empty batch. One that arrives sooner than this may come from a stream that has ended. */
const MIN_WAIT_MS = 20;
/** Consecutive empty batches without that delay after which the stream is reopened. */
const MAX_UNBLOCKED = 50;

/**
 * Reads the log until the signal is aborted, and retries while the database is unavailable. Each event is passed on
 * once, in commit order.
 *
 * @throws {OperationError} CURSOR_EXPIRED when the log no longer reaches back to the position; INVALID_PARAMETERS when
 *   `after` is not a position in this log
 */
export async function readLog(db: Db, reader: LogReader): Promise<void> {
  const { signal } = reader;
  let position = reader.after;
  let wait = MIN_RETRY_MS;
  /** Whether the server has accepted the position. Before the first read, `after` is unverified input. */
  let isVerified = position === null;
  while (!signal.aborted) {
    try {
      await readStream(db, reader, position, (reached) => {
        isVerified ||= reached !== position;
        position = reached;
        wait = MIN_RETRY_MS;
        reader.onPosition(reached);
      });
    } catch (error) {
      if (signal.aborted) return;
      if (isHistoryLost(error)) throw cursorExpired();
      if (position !== null && isInvalidPosition(error, isVerified)) throw invalidCursor();
      reader.onRetry?.(error);
      await pause(wait, undefined, { signal, ref: false }).catch(() => undefined);
      wait = Math.min(wait * 2, MAX_RETRY_MS);
    }
  }
}

export interface EventsReader {
  /** The first position of a second: the server reads from that time on. */
  from: Cursor;
  until: Cursor;
  /** @returns whether to go on */
  onEvent(live: LiveEvent): boolean;
  signal: AbortSignal;
}

/**
 * Reads the events of a part of the log.
 *
 * @returns whether all of them were read: false when `onEvent` returned false
 * @throws when the log does not reach back to `from`, or the signal is aborted
 */
export async function readEvents(db: Db, { from, until, onEvent, signal }: EventsReader): Promise<boolean> {
  const startAtOperationTime = new Timestamp({ t: timeOf(from) / 1_000, i: 1 });
  const stream = db.watch([EVENTS], { startAtOperationTime, maxAwaitTimeMS: SHORT_WAIT_MS });
  // A stream of an unreachable database may take longer than its reader waits.
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  aborted.catch(() => undefined);
  try {
    for (let position: Cursor | null = null; position === null || position < until; ) {
      const change = await Promise.race([stream.tryNext(), aborted]);
      const isRefused =
        change !== null && dispatch(change, { onEvent: (live) => live.cursor <= until && !onEvent(live) });
      if (isRefused) return false;
      position = tokenOf(change ? change._id : stream.resumeToken);
      // A stream that has ended returns immediately.
      if (!change) await pause(MIN_WAIT_MS, undefined, { ref: false });
    }
    return true;
  } finally {
    stream.close().catch(() => undefined);
  }
}

/** Pulls instead of listening for `change`, so that the resume token always matches the events already passed on. */
async function readStream(
  db: Db,
  { signal, maxWaitMs, ...reader }: LogReader,
  after: Cursor | null,
  reached: (position: Cursor) => void,
): Promise<void> {
  const stream = db.watch(PIPELINE, {
    ...(after !== null && { resumeAfter: { _data: after } }),
    ...(maxWaitMs !== undefined && { maxAwaitTimeMS: maxWaitMs }),
  });
  // Closing a stream of an unreachable database takes seconds, so nothing waits for it.
  let stopWaiting = (): void => undefined;
  const stop = () => {
    stream.close().catch(() => undefined);
    stopWaiting();
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    for (let unblocked = 0; !signal.aborted; ) {
      const startedAt = performance.now();
      const change = await new Promise<ChangeStreamDocument | null>((resolve, reject) => {
        stopWaiting = () => resolve(null);
        stream.tryNext().then(resolve, reject);
      });
      if (signal.aborted) return;
      if (change) await dispatch(change, reader);
      // A live stream blocks for some time before it returns an empty batch; an ended one returns immediately, repeatedly.
      unblocked = change || performance.now() - startedAt > MIN_WAIT_MS ? 0 : unblocked + 1;
      if (unblocked > 0) await pause(MIN_WAIT_MS, undefined, { signal, ref: false }).catch(() => undefined);
      if (unblocked > MAX_UNBLOCKED) throw new Error('The change stream has ended.');
      const position = tokenOf(stream.resumeToken);
      if (position !== null) reached(position);
    }
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

type Listeners = Pick<LogReader, 'onEvent' | 'onRights' | 'onMqttConnect' | 'onEndpoint'>;

function dispatch(change: ChangeStreamDocument, { onEvent, onRights, onMqttConnect, onEndpoint }: Listeners): unknown {
  if (!('ns' in change) || !('coll' in change.ns) || !('documentKey' in change)) return undefined;
  const fullDocument = change.operationType === 'insert' ? change.fullDocument : null;
  if (change.ns.coll === 'events') {
    return onEvent(Object.freeze({ cursor: tokenOf(change._id)!, event: Object.freeze(fullDocument) as EventRecord }));
  }
  const id = String(change.documentKey._id);
  if (change.ns.coll === 'mqttSessions') {
    const changed = change.operationType === 'update' ? change.updateDescription.updatedFields : fullDocument;
    return onMqttConnect?.({ sessionId: id, connectionId: String(changed?.connectionId) });
  }
  if (change.ns.coll === 'webhookEndpoints') return onEndpoint?.();
  if (change.ns.coll === 'channelUsers' && change.operationType === 'update' && isActivity(change.updateDescription)) {
    return undefined;
  }
  return onRights?.({ collection: change.ns.coll as RightsCollection, id, inserted: fullDocument });
}

function isActivity({ updatedFields = {}, removedFields = [], truncatedArrays = [] }: UpdateDescription): boolean {
  const changed = [...Object.keys(updatedFields), ...removedFields, ...truncatedArrays.map(({ field }) => field)];
  return changed.every((path) => ACTIVITY.has(path.split('.', 1)[0]!));
}

function tokenOf(token: unknown): Cursor | null {
  const data = (token as { _data?: unknown } | null | undefined)?._data;
  return typeof data === 'string' ? data : null;
}

/** ChangeStreamHistoryLost (286), or ChangeStreamFatalError (280) when the resume point itself was removed. */
function isHistoryLost(error: unknown): boolean {
  return error instanceof MongoServerError && (error.code === 286 || error.code === 280);
}

/**
 * MongoDB reports malformed tokens with dozens of undocumented error codes. On the first read, any non-transient error
 * therefore means that the cursor is invalid. A position that the server accepted before becomes invalid only when the
 * database was replaced: FailedToParse, TypeMismatch, InvalidResumeToken and related codes.
 */
function isInvalidPosition(error: unknown, isVerified: boolean): boolean {
  if (!(error instanceof MongoServerError)) return false;
  return isVerified ? INVALID_TOKEN_CODES.has(Number(error.code)) : unavailability(error) === null;
}
const INVALID_TOKEN_CODES = new Set([2, 9, 14, 260, 40_647, 40_649, 50_811]);
