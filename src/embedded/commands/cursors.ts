import { randomBytes } from 'node:crypto';
import type { Timestamp } from 'bson';
import { CommandError, cursorReply, newSlice, type Pause } from '../lib/index.ts';
import { type Progress, yieldToEventLoop } from '../query/index.ts';
import type { Transaction } from '../storage/index.ts';
import { MAX_DOCUMENT_SIZE } from '../wire/index.ts';
import { assertSameApi } from './api-version.ts';

/** MongoDB's limits: the default size of a first batch, the bytes of any batch, and the idle time of a cursor. */
const FIRST_BATCH = 101;
const IDLE_MS = 10 * 60_000;
const SWEEP_MS = 60_000;
const CURSOR_IN_USE = 143;

/** A query with unread results. It holds no snapshot: see `inSteps` in storage/reader.ts. */
export interface Cursor {
  id: bigint;
  ns: string;
  rows: Iterator<Uint8Array | Pause>;
  /** A document that was read but did not fit into the last batch. */
  ahead: Uint8Array | undefined;
  /** An upper bound of the remaining rows. */
  remaining: number;
  sessionId: string | undefined;
  transaction: Transaction | undefined;
  isImmortal: boolean;
  api: string;
  atClusterTime: Timestamp | undefined;
  readsDurable: boolean;
  usedAt: number;
  progress: Progress | undefined;
  /** Whether a batch is being read. */
  isBusy: boolean;
}

export interface NewCursor {
  ns: string;
  rows: Iterable<Uint8Array | Pause>;
  batchSize: number | undefined;
  isSingleBatch?: boolean;
  /** An upper bound of the number of rows. */
  most?: number;
  isImmortal?: boolean;
  sessionId?: string | undefined;
  transaction?: Transaction | undefined;
  /** The Stable API parameters of the command that opens it. */
  api?: string;
  /** The time of its snapshot. */
  atClusterTime?: Timestamp | undefined;
  /** Whether its replies contain only data that is on disk. */
  readsDurable?: boolean;
  /** The progress of its query; the deadline excludes time between batches. */
  progress?: Progress;
}

export interface Cursors {
  /** Returns the reply with the first batch and keeps the rest, if any, for {@link Cursors.more}. */
  open(cursor: NewCursor): Buffer | Promise<Buffer>;
  /** @throws CommandError 43 for an unknown cursor, 237 if it is killed during the call */
  more(request: {
    id: bigint;
    ns: string;
    batchSize: number | undefined;
    transaction: Transaction | undefined;
    api: string;
    assertWanted: Progress['assertWanted'];
  }): Buffer | Promise<Buffer>;
  /** Whether replies of the cursor contain only data that is on disk. */
  readsDurable(id: bigint): boolean;
  /** Whether a cursor with this id is open. */
  has(id: bigint): boolean;
  /** Returns whether the cursor existed. */
  kill(id: bigint): boolean;
  killBySession(sessionId: string): void;
  readonly size: number;
  close(): void;
}

export function createCursors(): Cursors {
  const cursors = new Map<bigint, Cursor>();
  let isClosed = false;
  const sweep = setInterval(() => {
    const oldest = Date.now() - IDLE_MS;
    for (const cursor of cursors.values()) if (!cursor.isImmortal && cursor.usedAt < oldest) cursors.delete(cursor.id);
  }, SWEEP_MS);
  sweep.unref();

  return {
    open({ ns, rows, batchSize = FIRST_BATCH, isSingleBatch = false, isImmortal = false, most, ...owner }) {
      const cursor: Cursor = {
        id: 0n,
        ns,
        rows: rows[Symbol.iterator](),
        ahead: undefined,
        remaining: most ?? Number.POSITIVE_INFINITY,
        sessionId: owner.sessionId,
        transaction: owner.transaction,
        progress: owner.progress,
        isImmortal,
        api: owner.api ?? '{}',
        atClusterTime: owner.atClusterTime,
        readsDurable: owner.readsDurable ?? false,
        usedAt: Date.now(),
        isBusy: false,
      };
      const finish = (documents: Uint8Array[]): Buffer => {
        if (cursor.remaining > 0 && !isSingleBatch) {
          cursor.id = randomBytes(8).readBigInt64LE() & 0x7fff_ffff_ffff_ffffn;
          cursors.set(cursor.id, cursor);
          void owner.transaction?.ended.then(() => cursors.delete(cursor.id));
        }
        return cursorReply({ field: 'firstBatch', documents, id: cursor.id, ns, atClusterTime: cursor.atClusterTime });
      };
      const assertOpen = (): void => {
        if (isClosed) throw new CommandError(11600, 'interrupted at shutdown');
      };
      return takeBatch(cursor, { count: batchSize, assertOpen, finish });
    },
    more({ id, ns, batchSize, transaction, api, assertWanted }) {
      const cursor = cursors.get(id);
      if (!cursor) throw new CommandError(43, `cursor id ${id} not found`);
      if (cursor.ns !== ns) {
        throw new CommandError(13, `Requested getMore on namespace '${ns}', but cursor belongs to '${cursor.ns}'`);
      }
      if (cursor.transaction !== transaction) {
        throw new CommandError(50738, `Cannot run getMore on cursor ${id}, which belongs to another transaction`);
      }
      assertSameApi('getMore', api, cursor.api, 'the cursor-creating command');
      if (cursor.isBusy) throw new CommandError(CURSOR_IN_USE, `cursor id ${id} is already in use`);
      const now = Date.now();
      if (cursor.progress?.deadline) cursor.progress.deadline += now - cursor.usedAt;
      cursor.usedAt = now;
      if (cursor.progress?.isOver) Object.assign(cursor.progress, { isOver: newSlice(), assertWanted });
      const finish = (documents: Uint8Array[]): Buffer => {
        const isAtEnd = cursor.remaining <= 0;
        if (isAtEnd) cursors.delete(id);
        return cursorReply({
          field: 'nextBatch',
          documents,
          id: isAtEnd ? 0n : id,
          ns,
          atClusterTime: cursor.atClusterTime,
        });
      };
      const drop = (error: unknown): never => {
        cursors.delete(id);
        throw error;
      };
      const assertOpen = (): void => {
        if (cursors.get(id) !== cursor) throw new CommandError(237, `cursor id ${id} was killed`);
      };
      try {
        const reply = takeBatch(cursor, { count: batchSize ?? Number.POSITIVE_INFINITY, assertOpen, finish });
        return reply instanceof Promise ? reply.catch(drop) : reply;
      } catch (error) {
        return drop(error);
      }
    },
    has: (id) => cursors.has(id),
    readsDurable: (id) => cursors.get(id)?.readsDurable === true,
    kill: (id) => cursors.delete(id),
    killBySession(sessionId) {
      for (const cursor of cursors.values()) if (cursor.sessionId === sessionId) cursors.delete(cursor.id);
    },
    get size() {
      return cursors.size;
    },
    close() {
      isClosed = true;
      clearInterval(sweep);
      cursors.clear();
    },
  };
}

interface Batch {
  documents: Uint8Array[];
  size: number;
  count: number;
}

interface Taking {
  count: number;
  /** Called after each pause. @throws CommandError when the cursor is no longer wanted */
  assertOpen(): void;
  finish(documents: Uint8Array[]): Buffer;
}

/** Reads a batch and builds the reply: synchronously, or asynchronously if the rows require pauses. */
function takeBatch(cursor: Cursor, { count, assertOpen, finish }: Taking): Buffer | Promise<Buffer> {
  const batch: Batch = { documents: [], size: 0, count };
  if (fillBatch(cursor, batch)) return finish(batch.documents);
  cursor.isBusy = true;
  return (async () => {
    try {
      do {
        if (cursor.progress) await yieldToEventLoop(cursor.progress);
        assertOpen();
      } while (!fillBatch(cursor, batch));
    } finally {
      cursor.isBusy = false;
    }
    return finish(batch.documents);
  })();
}

/**
 * Adds up to `count` documents and 16 MiB, at least one if there is one. Like MongoDB it does not read past a full
 * batch, so the last batch may be empty. Returns true when the batch is complete, false for a pause.
 */
function fillBatch(cursor: Cursor, batch: Batch): boolean {
  while (cursor.remaining > 0 && batch.documents.length < batch.count) {
    const next = cursor.ahead ?? nextRow(cursor);
    cursor.ahead = undefined;
    if (next === END) return true;
    if (!next) return false;
    batch.size += next.length;
    if (batch.documents.length > 0 && batch.size > MAX_DOCUMENT_SIZE) {
      cursor.ahead = next;
      return true;
    }
    batch.documents.push(next);
    cursor.remaining--;
  }
  return true;
}

const END = Symbol('end');

function nextRow(cursor: Cursor): Uint8Array | Pause | typeof END {
  const next = cursor.rows.next();
  if (!next.done) return next.value;
  cursor.remaining = 0;
  return END;
}
