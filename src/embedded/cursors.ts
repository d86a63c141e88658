import { randomBytes } from 'node:crypto';
import { cursorReply } from './bytes.ts';
import type { Progress } from './executor.ts';
import { CommandError } from './language/errors.ts';
import type { Transaction } from './transactions.ts';
import { MAX_DOCUMENT_SIZE } from './wire.ts';

/** MongoDB's bounds: what a first batch holds unless told, how many bytes any batch holds, how long a cursor waits. */
const FIRST_BATCH = 101;
const IDLE_MS = 10 * 60_000;
const SWEEP_MS = 60_000;

/** A query that has been answered in part. It holds no snapshot: see `inSteps` in storage.ts. */
export interface Cursor {
  id: bigint;
  ns: string;
  rows: Iterator<Uint8Array>;
  /** Read already, but did not fit into the last batch. */
  ahead: Uint8Array | undefined;
  /** How many rows may still come, as far as is known. */
  left: number;
  sessionId: string | undefined;
  transaction: Transaction | undefined;
  isImmortal: boolean;
  usedAt: number;
  progress: Progress | undefined;
}

export interface NewCursor {
  ns: string;
  rows: Iterable<Uint8Array>;
  batchSize: number | undefined;
  isSingleBatch?: boolean;
  /** More rows than this there cannot be. */
  most?: number;
  isImmortal?: boolean;
  sessionId?: string | undefined;
  transaction?: Transaction | undefined;
  /** Its deadline stands still while nobody asks for more. */
  progress?: Progress;
}

export interface Cursors {
  /** The reply with the first batch; the rest is kept for {@link Cursors.more} if there is any. */
  open(cursor: NewCursor): Buffer;
  /** @throws CommandError 43 when there is no such cursor */
  more(request: {
    id: bigint;
    ns: string;
    batchSize: number | undefined;
    transaction: Transaction | undefined;
  }): Buffer;
  /** Whether there was such a cursor. */
  kill(id: bigint): boolean;
  killOfSession(sessionId: string): void;
  readonly size: number;
  close(): void;
}

export function createCursors(): Cursors {
  const cursors = new Map<bigint, Cursor>();
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
        left: most ?? Number.POSITIVE_INFINITY,
        sessionId: owner.sessionId,
        transaction: owner.transaction,
        progress: owner.progress,
        isImmortal,
        usedAt: Date.now(),
      };
      const documents = takeBatch(cursor, batchSize);
      if (cursor.left > 0 && !isSingleBatch) {
        cursor.id = randomBytes(8).readBigInt64LE() & 0x7fff_ffff_ffff_ffffn;
        cursors.set(cursor.id, cursor);
        void owner.transaction?.ended.then(() => cursors.delete(cursor.id));
      }
      return cursorReply({ field: 'firstBatch', documents, id: cursor.id, ns });
    },
    more({ id, ns, batchSize, transaction }) {
      const cursor = cursors.get(id);
      if (!cursor) throw new CommandError(43, `cursor id ${id} not found`);
      if (cursor.ns !== ns) {
        throw new CommandError(13, `Requested getMore on namespace '${ns}', but cursor belongs to '${cursor.ns}'`);
      }
      if (cursor.transaction !== transaction) {
        throw new CommandError(50738, `Cannot run getMore on cursor ${id}, which belongs to another transaction`);
      }
      const now = Date.now();
      if (cursor.progress?.deadline) cursor.progress.deadline += now - cursor.usedAt;
      cursor.usedAt = now;
      try {
        const documents = takeBatch(cursor, batchSize ?? Number.POSITIVE_INFINITY);
        const isAtEnd = cursor.left <= 0;
        if (isAtEnd) cursors.delete(id);
        return cursorReply({ field: 'nextBatch', documents, id: isAtEnd ? 0n : id, ns });
      } catch (error) {
        cursors.delete(id);
        throw error;
      }
    },
    kill: (id) => cursors.delete(id),
    killOfSession(sessionId) {
      for (const cursor of cursors.values()) if (cursor.sessionId === sessionId) cursors.delete(cursor.id);
    },
    get size() {
      return cursors.size;
    },
    close() {
      clearInterval(sweep);
      cursors.clear();
    },
  };
}

/**
 * Up to `count` documents and 16 MiB; always one if there is one. Like MongoDB it does not look past a full batch, so
 * the last batch may be empty.
 */
function takeBatch(cursor: Cursor, count: number): Uint8Array[] {
  const documents: Uint8Array[] = [];
  let size = 0;
  while (cursor.left > 0 && documents.length < count) {
    const next = cursor.ahead ?? nextRow(cursor);
    cursor.ahead = undefined;
    if (!next) break;
    size += next.length;
    if (documents.length > 0 && size > MAX_DOCUMENT_SIZE) {
      cursor.ahead = next;
      break;
    }
    documents.push(next);
    cursor.left--;
  }
  return documents;
}

function nextRow(cursor: Cursor): Uint8Array | undefined {
  const next = cursor.rows.next();
  if (!next.done) return next.value;
  cursor.left = 0;
  return undefined;
}
