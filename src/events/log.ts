import { setTimeout as pause } from 'node:timers/promises';
import { type ChangeStreamDocument, type Db, type Document, MongoServerError, Timestamp } from 'mongodb';
import { unavailability } from '../database-errors.ts';
import type { EventRecord } from '../store/records/event.ts';
import { type Cursor, cursorExpired, invalidCursor, placeAt, timeOf } from './cursor.ts';

/** An event with its place in the log. Shared by everybody who is told of it: never changed. */
export interface LiveEvent {
  readonly cursor: Cursor;
  readonly event: EventRecord;
}

/** A record changed on which the rights of those who listen depend. */
export interface RightsChange {
  collection: RightsCollection;
  /** Internal id of the record. */
  id: string;
  /** The record, when it has just been made. */
  inserted: Document | null;
}

const RIGHTS = ['sessions', 'communityUsers', 'channelUsers', 'roles'] as const;
export type RightsCollection = (typeof RIGHTS)[number];

const EVENTS = { $match: { operationType: 'insert', 'ns.coll': 'events' } };
/** One stream carries both, so that a change of rights is known before whatever was committed after it. */
const PIPELINE = [
  {
    $match: {
      $or: [
        { operationType: 'insert', 'ns.coll': 'events' },
        { operationType: { $in: ['insert', 'update', 'replace', 'delete'] }, 'ns.coll': { $in: [...RIGHTS] } },
      ],
    },
  },
];

export interface LogReader {
  /** Where reading begins; null: now. */
  after: Cursor | null;
  /** Reading goes on when what this returns has settled. */
  onEvent(live: LiveEvent): unknown;
  onRights?(change: RightsChange): void;
  /** Everything up to here has been told. */
  onPosition(position: Cursor): void;
  /** Told of each failure that reading goes on after. */
  onRetry?(error: unknown): void;
  signal: AbortSignal;
}

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;
/** An empty answer that comes sooner was not waited for. */
const HASTY_MS = 20;
const MAX_HASTY = 50;

/**
 * Reads the log until the signal ends it, over outages of the database too: events come in the order of their commits,
 * each once.
 *
 * @throws {OperationError} CURSOR_EXPIRED when the log no longer reaches back to where reading was; INVALID_PARAMETERS
 *   when `after` is no place in it
 */
export async function readLog(db: Db, reader: LogReader): Promise<void> {
  const { signal } = reader;
  let position = reader.after;
  let wait = FIRST_PAUSE_MS;
  /** Whether the log has been read from where we are: until then `after` may be anything that looks like a place. */
  let isPlace = position === null;
  while (!signal.aborted) {
    try {
      await readStream(db, reader, position, (reached) => {
        isPlace ||= reached !== position;
        position = reached;
        wait = FIRST_PAUSE_MS;
        reader.onPosition(reached);
      });
    } catch (error) {
      if (signal.aborted) return;
      if (isHistoryLost(error)) throw cursorExpired();
      if (position !== null && isInvalidPosition(error, isPlace)) throw invalidCursor();
      reader.onRetry?.(error);
      await pause(wait, undefined, { signal, ref: false }).catch(() => undefined);
      wait = Math.min(wait * 2, LONGEST_PAUSE_MS);
    }
  }
}

export interface LatestOptions {
  until: Cursor;
  seconds: number;
  /** All there is has come, but only the next change will say so: a silent database keeps its place to itself. */
  onReachedEnd(): void;
  signal: AbortSignal;
}

/**
 * The events of the last seconds up to a place, and where they begin. @throws when the log does not reach back so far,
 * or does not answer in time
 */
export async function readLatest(
  db: Db,
  { until, seconds, onReachedEnd: onQuiet, signal }: LatestOptions,
): Promise<{ from: Cursor; events: LiveEvent[] }> {
  const begin = timeOf(until) / 1_000 - seconds;
  const stream = db.watch([EVENTS], { startAtOperationTime: new Timestamp({ t: begin, i: 1 }) });
  const events: LiveEvent[] = [];
  try {
    for (let position: Cursor | null = null; position === null || position < until; ) {
      signal.throwIfAborted();
      const change = await stream.tryNext();
      if (change) dispatch(change, (live) => live.cursor <= until && events.push(live), undefined);
      position = change ? tokenOf(change._id) : tokenOf(stream.resumeToken);
      if (change || (position !== null && position >= until)) continue;
      onQuiet();
      await pause(HASTY_MS, undefined, { signal, ref: false });
    }
    return { from: placeAt(begin), events };
  } finally {
    stream.close().catch(() => undefined);
  }
}

/** Pulls, since what has been told and how far the stream has looked must never come apart. */
async function readStream(
  db: Db,
  { onEvent, onRights, signal }: LogReader,
  after: Cursor | null,
  reached: (position: Cursor) => void,
): Promise<void> {
  const stream = db.watch(PIPELINE, { ...(after !== null && { resumeAfter: { _data: after } }) });
  // A database that is away keeps a stream from ending for seconds, and nobody needs its end.
  let leave = (): void => undefined;
  const stop = () => {
    stream.close().catch(() => undefined);
    leave();
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    for (let hasty = 0; !signal.aborted; ) {
      const asked = performance.now();
      const change = await new Promise<ChangeStreamDocument | null>((resolve, reject) => {
        leave = () => resolve(null);
        stream.tryNext().then(resolve, reject);
      });
      if (signal.aborted) return;
      if (change) await dispatch(change, onEvent, onRights);
      // A server waits before it says that nothing has come; an end of the stream says so at once, and again and again.
      hasty = change || performance.now() - asked > HASTY_MS ? 0 : hasty + 1;
      if (hasty > 0) await pause(HASTY_MS, undefined, { signal, ref: false }).catch(() => undefined);
      if (hasty > MAX_HASTY) throw new Error('The stream of changes has ended.');
      const position = tokenOf(stream.resumeToken);
      if (position !== null) reached(position);
    }
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

function dispatch(
  change: ChangeStreamDocument,
  onEvent: LogReader['onEvent'],
  onRights: LogReader['onRights'],
): unknown {
  if (!('ns' in change) || !('coll' in change.ns) || !('documentKey' in change)) return undefined;
  const fullDocument = change.operationType === 'insert' ? change.fullDocument : null;
  if (change.ns.coll === 'events') {
    return onEvent(Object.freeze({ cursor: tokenOf(change._id)!, event: Object.freeze(fullDocument) as EventRecord }));
  }
  return onRights?.({
    collection: change.ns.coll as RightsCollection,
    id: String(change.documentKey._id),
    inserted: fullDocument,
  });
}

function tokenOf(token: unknown): Cursor | null {
  const data = (token as { _data?: unknown } | null | undefined)?._data;
  return typeof data === 'string' ? data : null;
}

/** ChangeStreamHistoryLost; ChangeStreamFatalError, when the place itself has gone. */
function isHistoryLost(error: unknown): boolean {
  return error instanceof MongoServerError && (error.code === 286 || error.code === 280);
}

/**
 * MongoDB has a number for each way in which a token cannot be read, dozens of them, and no list: of a place that was
 * never read from, whatever does not pass by itself says that it is none. Of others, FailedToParse, TypeMismatch,
 * InvalidResumeToken and the like: it is another database now.
 */
function isInvalidPosition(error: unknown, isPlace: boolean): boolean {
  if (!(error instanceof MongoServerError)) return false;
  return isPlace ? FOREIGN.has(Number(error.code)) : unavailability(error) === null;
}
const FOREIGN = new Set([2, 9, 14, 260, 40_647, 40_649, 50_811]);
