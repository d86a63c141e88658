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
 * The log of changes, from which change streams read. A change is written in the commit of its records, so that
 * neither is ever there without the other, and shown once that commit is on disk.
 */
export interface ChangeLog {
  /** Of this log alone: a copy of the store begins another. */
  readonly id: Buffer;
  /** Inside a commit: notes what happens at one time, in this order. */
  append(records: readonly ChangeRecord[], origin?: Origin): void;
  /** After a commit: what to call once it is on disk. */
  committed(): (() => void) | undefined;
  /** After a commit has failed: forgets what it would have added and removed. */
  revert(): void;
  /** The key of the last change that is on disk. */
  readonly end: Buffer;
  /** The time of {@link end}. */
  readonly time: Timestamp;
  /** The time of the last change that is committed, whether or not it is on disk yet. */
  readonly lastChange: Timestamp;
  /** The highest time known: of the last change, or a later one that a client has passed on. */
  readonly clusterTime: Timestamp;
  /** All further changes come after this time. */
  advance(time: Timestamp): void;
  /**
   * At most `count` changes after a key, in order of their time; fewer when they are large, none when there is none.
   *
   * @throws CommandError 286 when changes after the key have been removed already
   */
  read(after: Buffer, count: number): ChangeEntry[];
  /** @throws CommandError 286 when changes after the key have been removed already */
  assertKept(after: Buffer): void;
  /**
   * A time may be one to come, a change may not.
   *
   * @param log the id of the log that it is a place in; undefined for a time
   * @throws CommandError 286 for a change that has not been told here: it is from a store of which this is a copy
   */
  assertReached(place: Buffer, log: Buffer | undefined): void;
  /** Calls `listener` whenever there are new changes to read; returns how to stop that. */
  onMore(listener: () => void): () => void;
  /** The oldest change that is kept, if there is any. */
  oldest(): ChangeEntry | undefined;
  /**
   * Inside a commit: removes the oldest changes, at most `count` of them and as long as `isOver` says so. The newest
   * stays, so that whoever has seen everything can always resume.
   */
  trim(count: number, isOver: (entry: ChangeEntry, removedBytes: number) => boolean): number;
}

/** Under this key stands up to where the log has been cut, and the log's id; all others are twelve bytes long. */
const CUT_KEY = Buffer.from([0]);
const FIRST_KEY = Buffer.alloc(12);
/** A stream that has fallen behind reads so much at a time from disk. */
const READ_BYTES = 4 * 1024 * 1024;

const historyLost = (): CommandError =>
  new CommandError(286, 'The change stream cannot go on: the changes after its resume point are no longer in the log', {
    labels: ['NonResumableChangeStreamError'],
  });

export function openChangeLog(storage: Storage): ChangeLog {
  const table = storage.changes;
  const listeners = new Set<() => void>();
  const id = readId() ?? randomBytes(LOG_ID_LENGTH);
  let cut = readCut() ?? endOf({ seconds: Math.floor(Date.now() / 1000), increment: 0 });
  if (!readId()) startLog();
  let end = lastPlace();
  let last: ClusterTime = timeOf(end);
  let lastCommitted = end;
  let pending = newPending();
  const tail = createTail(end);

  /** Nothing is known of what happened before the log was there. One that is older than ids is given its own. */
  function startLog(): void {
    try {
      storage.commit(putHead);
    } catch {
      // A full disk must not keep the store from being read: the next start tries again.
    }
  }

  function putHead(): void {
    storage.putChange(CUT_KEY, Buffer.concat([cut, id]));
  }

  function readCut(): Buffer | undefined {
    const bytes = table.get(CUT_KEY);
    return bytes && Buffer.from(bytes.subarray(0, FIRST_KEY.length));
  }

  function readId(): Buffer | undefined {
    const bytes = table.get(CUT_KEY);
    return bytes && bytes.length > FIRST_KEY.length ? Buffer.from(bytes.subarray(FIRST_KEY.length)) : undefined;
  }

  function lastKey(): Buffer | undefined {
    const [key] = [...table.getKeys({ reverse: true, limit: 1 })];
    return key?.length === FIRST_KEY.length ? Buffer.from(key) : undefined;
  }

  /** That of the last change; where none is kept a time after the cut, so that a stream can begin with it. */
  function lastPlace(): Buffer {
    const key = lastKey();
    if (key && Buffer.compare(key, cut) > 0) return key;
    const { seconds, increment } = timeOf(cut);
    return endOf({ seconds, increment: increment + 1 });
  }

  /** Grows also when the clock is set back, and across restarts. */
  function nextTime(now: number): ClusterTime {
    const seconds = Math.floor(now / 1000);
    last = seconds > last.seconds ? { seconds, increment: 1 } : { ...last, increment: last.increment + 1 };
    return last;
  }

  function show(committed: Pending): void {
    tail.take(committed);
    end = committed.last!;
    for (const listener of [...listeners]) listener();
  }

  function assertKept(after: Buffer): void {
    if (Buffer.compare(after, cut) < 0) throw historyLost();
  }

  return {
    id,
    append(records, origin) {
      if (records.length === 0) return;
      const now = Date.now();
      const time = nextTime(now);
      for (const [place, record] of records.entries()) {
        const key = keyOf(time, place);
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
      return () => show(committed);
    },
    revert() {
      pending = newPending();
      cut = readCut() ?? cut;
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
    assertReached(place, log) {
      if (log && !log.equals(id)) throw historyLost();
      if (!isEndOfTime(place) && Buffer.compare(place, end) > 0) throw historyLost();
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
      // One by one: a change may hold 16 MiB, and most often the first is to stay.
      for (const { key, value } of table.getRange({ start: FIRST_KEY, end, limit: count })) {
        // A damaged one is removed like any other.
        if (!isOver(decodeEntry({ key, bytes: value, log: id }), bytes)) break;
        found.push(Buffer.from(key));
        bytes += sizeOnDisk(key.length + value.length);
      }
      for (const key of found) storage.removeChange(key);
      const newest = found.at(-1);
      if (newest && Buffer.compare(newest, cut) > 0) {
        cut = newest;
        putHead();
      }
      return found.length;
    },
  };
}

const PAGE = 4096;
/** What does not fit twice on a page is stored on pages of its own. */
const LARGEST_SHARED = PAGE / 2 - 64;

const sizeOnDisk = (length: number): number =>
  length <= LARGEST_SHARED ? length : Math.ceil((length + 32) / PAGE) * PAGE;
