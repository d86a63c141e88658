import type { Engine } from '../engine.ts';
import { CommandError, newSlice, takeSpentSteps } from '../lib/index.ts';
import { type ChangeEntry, type ChangeLog, keyBefore } from '../storage/index.ts';
import { MAX_DOCUMENT_SIZE } from '../wire/index.ts';
import { eventOf, invalidationOf, selectedEventOf } from './event.ts';
import type { EventPipeline } from './event-pipeline.ts';
import { lookUpAdditions } from './lookup.ts';
import type { StreamOptions } from './options.ts';
import type { Scope } from './scope.ts';
import { EVENT, encodeToken, INVALIDATION, isAfter, type ResumeToken, SEEN } from './token.ts';

export interface StreamParts {
  log: ChangeLog;
  scope: Scope;
  options: StreamOptions;
  pipeline: EventPipeline;
  source: Pick<Engine, 'catalog' | 'storage'>;
}

export interface Batch {
  events: Buffer[];
  /** The position from which a client resumes without gaps or repetitions. */
  token: string;
  /** Whether the collection or database was dropped, so that these are the last events. */
  isInvalidated: boolean;
  /** Whether the stream has read the whole log. */
  isAtEnd: boolean;
}

export interface Stream {
  /** Returns up to `count` events and 16 MiB; reads a bounded number of changes. */
  next(count: number): Batch;
}

/** Changes read from the log together, and changes examined before a batch ends even without events. */
const READ_COUNT = 64;
const MAX_EXAMINED = 1024;
/** The first bytes of a key: seconds and increment. */
const TIME_LENGTH = 8;
/** MongoDB allows its own messages 16 KiB more than the largest document. */
const MAX_EVENT_SIZE = MAX_DOCUMENT_SIZE + 16 * 1024;

/**
 * Creates a stream: a reader of the change log at a position. It holds no snapshot and no events.
 *
 * @throws CommandError 286, here and later, if changes after its position are no longer in the log
 */
export function createStream({ log, scope, options, pipeline, source }: StreamParts): Stream {
  /** The position up to which all matching events have been sent. */
  let sentUpTo: ResumeToken = options.start ?? { key: log.end, kind: SEEN, log: log.id };
  /** The resume token whose event must still be found in this stream. */
  let awaitedToken: ResumeToken | undefined = options.mustContainStart ? options.start : undefined;
  /** The key after which the log is read. */
  let position = awaitedToken ? keyBefore(awaitedToken.key) : sentUpTo.key;
  let isInvalidated = false;
  /** Null if the options add documents to events. */
  const selected =
    options.fullDocument === 'default' && options.fullDocumentBeforeChange === 'off' ? pipeline.selected : null;
  log.assertKept(position);
  log.assertReached(sentUpTo.key, sentUpTo.log);

  function render(entry: ChangeEntry, token: ResumeToken): Buffer | undefined {
    const event = selected && token.kind === EVENT ? selectedEventOf(entry, selected) : transformed(entry, token);
    if (event && event.length > MAX_EVENT_SIZE) throw tooLarge(event.length);
    return event;
  }

  function transformed(entry: ChangeEntry, token: ResumeToken): Buffer | undefined {
    const plain = token.kind === INVALIDATION ? invalidationOf(entry) : eventOf(entry);
    takeSpentSteps();
    if (!pipeline.wants(plain)) return undefined;
    const whole = token.kind === INVALIDATION ? plain : eventOf(entry, lookUpAdditions(entry, options, source));
    return pipeline.transform(whole, encodeToken(token));
  }

  function isAlreadySent(token: ResumeToken): boolean {
    if (isAfter(token, sentUpTo)) {
      if (awaitedToken) throw notFound(awaitedToken);
      return false;
    }
    if (awaitedToken && !isAfter(awaitedToken, token)) awaitedToken = undefined;
    return true;
  }

  /** Adds the events of a change; returns false if they do not all fit. */
  function addEvents(entry: ChangeEntry, events: Buffer[], fits: (event: Buffer) => boolean): boolean {
    let isSent = false;
    const kinds = scope.isEndedBy(entry.kind) ? [EVENT, INVALIDATION] : [EVENT];
    for (const kind of scope.covers(entry) ? kinds : []) {
      const token = { key: entry.key, kind, log: log.id };
      if (isAlreadySent(token)) continue;
      const event = render(entry, token);
      if (event && !fits(event)) return false;
      if (event) events.push(event);
      isInvalidated = kind === INVALIDATION;
      isSent = event !== undefined || isInvalidated;
      if (isSent) sentUpTo = token;
    }
    const seen = { key: entry.key, kind: SEEN, log: log.id };
    if (!isSent && isAfter(seen, sentUpTo)) sentUpTo = seen;
    position = entry.key;
    return true;
  }

  return {
    next(count) {
      const events: Buffer[] = [];
      let size = 0;
      const fits = (event: Buffer): boolean => {
        size += event.length;
        return events.length === 0 || (events.length < count && size <= MAX_DOCUMENT_SIZE);
      };
      const batch = (isAtEnd: boolean): Batch => ({ events, token: encodeToken(sentUpTo), isInvalidated, isAtEnd });
      /** Advances the position without events, so that a stream without matching changes can resume after trimming. */
      const emptyBatch = (): Batch => {
        if (sentUpTo.kind === EVENT && !awaitedToken && sentUpTo.key.equals(log.end))
          sentUpTo = { key: sentUpTo.key, kind: SEEN, log: log.id };
        return batch(true);
      };
      if (count === 0) return batch(false);
      const isOver = newSlice();
      let examinedCount = 0;
      let isLong = false;
      while (true) {
        const entries = log.read(position, READ_COUNT);
        if (entries.length === 0) return events.length > 0 ? batch(true) : emptyBatch();
        for (const entry of entries) {
          // The changes of a transaction have one time: a batch that ends for lack of time includes all of them.
          if (isLong && !hasSameTime(entry.key, position)) return batch(false);
          if (!addEvents(entry, events, fits) || isInvalidated) return batch(false);
          examinedCount += 1;
          isLong ||= examinedCount >= MAX_EXAMINED || isOver();
        }
      }
    },
  };
}

const hasSameTime = (key: Buffer, other: Buffer): boolean => key.compare(other, 0, TIME_LENGTH, 0, TIME_LENGTH) === 0;

/** The error for a resume token of another collection or another server. */
const notFound = (token: ResumeToken): CommandError =>
  new CommandError(280, `cannot resume stream; the resume token was not found: ${encodeToken(token)}`, {
    labels: ['NonResumableChangeStreamError'],
  });

const tooLarge = (size: number): CommandError =>
  new CommandError(10334, `An event of ${size} bytes is larger than ${MAX_EVENT_SIZE}`);
