import { randomBytes } from 'node:crypto';
import { Timestamp } from 'bson';
import { CommandError } from '../../lib/index.ts';
import { withChecksum } from '../checksum.ts';
import type { Storage } from '../storage.ts';
import {
  type ChangeEntry,
  type ChangeRecord,
  type ClusterTime,
  decodeEntry,
  encodeEntry,
  endOf,
  isEndOfTime,
  keyOf,
  LOG_ID_LENGTH,
  type Origin,
  readEntry,
  timeOf,
  timestampOf,
} from './change-log-entry.ts';
import { createTail, newPending, type Pending } from './change-log-tail.ts';

/**
 * The log from which change streams read. A change is written in the commit of its record, so neither exists without
 * the other, and published once that commit is on disk.
 */
export interface ChangeLog {
  /** Identifies this log; a copy of the store starts a new one. */
  readonly id: Buffer;
  /** Inside a commit: appends changes of one time, in this order. */
  append(records: readonly ChangeRecord[], origin?: Origin): void;
  /** After a commit: returns a function to call once it is on disk. */
  committed(): (() => void) | undefined;
  /** After a failed commit: discards what it would have added and removed. */
  revert(): void;
  /** The key of the last change that is on disk. */
  readonly end: Buffer;
  /** The time of {@link end}. */
  readonly time: Timestamp;
  /** The time of the last committed change, on disk or not. */
  readonly lastChange: Timestamp;
  /** The highest known time: that of the last change, or a later one sent by a client. */
  readonly clusterTime: Timestamp;
  /** Ensures that all further changes have a later time than this. */
  advance(time: Timestamp): void;
  /**
   * Reads at most `count` changes after a key in order of time; fewer if they are large.
   *
   * @throws CommandError 286 if changes after the key have been removed
   */
  read(after: Buffer, count: number): ChangeEntry[];
  /** @throws CommandError 286 if changes after the key have been removed */
  assertKept(after: Buffer): void;
  /**
   * Asserts that a resume position has been reached: a time may be in the future, a change may not.
   *
   * @param log the id of the log that contains the position; undefined for a time
   * @throws CommandError 286 for a change that this log never published, such as one from a store of which this is a
   *   copy
   */
  assertReached(position: Buffer, log: Buffer | undefined): void;
  /** Calls `listener` whenever new changes can be read; returns a function that unsubscribes. */
  onMore(listener: () => void): () => void;
  /** The oldest change in the log. */
  oldest(): ChangeEntry | undefined;
  /**
   * Inside a commit: removes the oldest changes, at most `count`, while `isOver` returns true for them. The newest
   * change is kept, so that streams that are up to date can always resume.
   */
  trim(count: number, isOver: (entry: ChangeEntry, removedBytes: number) => boolean): number;
}

/** The key of the position up to which the log was trimmed, and of the log's id; all other keys have twelve bytes. */
const HEAD_KEY = Buffer.from([0]);
const FIRST_KEY = Buffer.alloc(12);
/** The bytes that a stream which has fallen behind reads from disk in one step. */
const READ_BYTES = 4 * 1024 * 1024;

const historyLost = (): CommandError =>
  new CommandError(
    286,
    'The change stream cannot continue: the changes after its resume point are no longer in the log',
    {
      labels: ['NonResumableChangeStreamError'],
    },
  );

export function openChangeLog(storage: Storage): ChangeLog {
  const table = storage.changes;
  const listeners = new Set<() => void>();
  const id = readId() ?? randomBytes(LOG_ID_LENGTH);
  let trimmedTo = readTrimmedTo() ?? endOf({ seconds: Math.floor(Date.now() / 1000), increment: 0 });
  if (!readId()) startLog();
  let end = lastPosition();
  let last: ClusterTime = timeOf(end);
  let lastCommitted = end;
  let pending = newPending();
  const tail = createTail(end);

  /** Starts a log whose history begins now; assigns an id to a log of an earlier version without one. */
  function startLog(): void {
    try {
      storage.commit(putHead);
    } catch {
      // Reads must work on a full disk too; the next start tries again.
    }
  }

  function putHead(): void {
    storage.putChange(HEAD_KEY, Buffer.concat([trimmedTo, id]));
  }

  function readTrimmedTo(): Buffer | undefined {
    const bytes = table.get(HEAD_KEY);
    return bytes && Buffer.from(bytes.subarray(0, FIRST_KEY.length));
  }

  function readId(): Buffer | undefined {
    const bytes = table.get(HEAD_KEY);
    return bytes && bytes.length > FIRST_KEY.length ? Buffer.from(bytes.subarray(FIRST_KEY.length)) : undefined;
  }

  function lastKey(): Buffer | undefined {
    const [key] = [...table.getKeys({ reverse: true, limit: 1 })];
    return key?.length === FIRST_KEY.length ? Buffer.from(key) : undefined;
  }

  /**
   * The position of the last change; in an empty log a time after the trimmed part, so that a stream can start there.
   */
  function lastPosition(): Buffer {
    const key = lastKey();
    if (key && Buffer.compare(key, trimmedTo) > 0) return key;
    const { seconds, increment } = timeOf(trimmedTo);
    return endOf({ seconds, increment: increment + 1 });
  }

  /** Increases even if the clock is set back, and across restarts. */
  function nextTime(now: number): ClusterTime {
    const seconds = Math.floor(now / 1000);
    last = seconds > last.seconds ? { seconds, increment: 1 } : { ...last, increment: last.increment + 1 };
    return last;
  }

  function publish(committed: Pending): void {
    tail.take(committed);
    end = committed.last!;
    for (const listener of [...listeners]) listener();
  }

  function assertKept(after: Buffer): void {
    if (Buffer.compare(after, trimmedTo) < 0) throw historyLost();
  }

  return {
    id,
    append(records, origin) {
      if (records.length === 0) return;
      const now = Date.now();
      const time = nextTime(now);
      for (const [index, record] of records.entries()) {
        const key = keyOf(time, index);
        const bytes = encodeEntry(record, now, origin);
        storage.appendChange(key, withChecksum(key, bytes));
        pending.add(decodeEntry({ key, bytes, log: id }));
      }
    },
    committed() {
      const committed = pending;
      if (!committed.last) return undefined;
      pending = newPending();
      lastCommitted = committed.last;
      return () => publish(committed);
    },
    revert() {
      pending = newPending();
      trimmedTo = readTrimmedTo() ?? trimmedTo;
    },
    get end() {
      return end;
    },
    get time() {
      return timestampOf(end);
    },
    get lastChange() {
      return timestampOf(lastCommitted);
    },
    get clusterTime() {
      return new Timestamp({ t: last.seconds, i: last.increment });
    },
    advance({ t, i }) {
      if (t > last.seconds || (t === last.seconds && i > last.increment)) last = { seconds: t, increment: i };
    },
    read(after, count) {
      assertKept(after);
      if (Buffer.compare(after, end) >= 0) return [];
      const kept = tail.read(after, count);
      if (kept) return kept;
      const entries: ChangeEntry[] = [];
      let bytes = 0;
      for (const { key, value } of table.getRange({ start: after, exclusiveStart: true, end, inclusiveEnd: true })) {
        entries.push(readEntry({ key: Buffer.from(key), bytes: value, log: id }));
        bytes += value.length;
        if (entries.length === count || bytes >= READ_BYTES) break;
      }
      return entries;
    },
    assertKept,
    assertReached(position, log) {
      if (log && !log.equals(id)) throw historyLost();
      if (!isEndOfTime(position) && Buffer.compare(position, end) > 0) throw historyLost();
    },
    onMore(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    oldest() {
      const [first] = [...table.getRange({ start: FIRST_KEY, limit: 1 })];
      return first && decodeEntry({ key: first.key, bytes: first.value, log: id });
    },
    trim(count, isOver) {
      const found: Buffer[] = [];
      let bytes = 0;
      // One at a time: a change may have 16 MiB, and most often the first one is kept.
      for (const { key, value } of table.getRange({ start: FIRST_KEY, end, limit: count })) {
        // A damaged change is removed like any other.
        if (!isOver(decodeEntry({ key, bytes: value, log: id }), bytes)) break;
        found.push(Buffer.from(key));
        bytes += sizeOnDisk(key.length + value.length);
      }
      for (const key of found) storage.removeChange(key);
      const newest = found.at(-1);
      if (newest && Buffer.compare(newest, trimmedTo) > 0) {
        trimmedTo = newest;
        putHead();
      }
      return found.length;
    },
  };
}

const PAGE = 4096;
/** LMDB stores a value that does not fit twice on a page on overflow pages. */
const LARGEST_SHARED = PAGE / 2 - 64;

const sizeOnDisk = (length: number): number =>
  length <= LARGEST_SHARED ? length : Math.ceil((length + 32) / PAGE) * PAGE;
