import { CommandError, newSlice, pause } from '../lib/index.ts';
import type { Catalog, Collection, Index } from './catalog.ts';
import type { ChangeLog } from './change-log/change-log.ts';
import { type ChangeRecord, recordOf } from './change-log/change-log-entry.ts';
import { applyChanges, applyChecked, type Change, duplicateKey, type PreparedChange, prepare } from './changes.ts';
import { LockWait, type WriteQueue } from './group-commit.ts';
import { keyName, lockNames, recordName } from './lock-names.ts';
import { addPending, netChanges, type PendingRecords } from './net-changes.ts';
import type { Reader } from './reader.ts';
import { transactionTooOld } from './sessions.ts';
import { pinView } from './snapshots.ts';
import type { Storage } from './storage.ts';
import type { UncommittedRecord, View, Writer } from './view.ts';

export interface Transaction extends Writer {
  readonly sessionId: string;
  readonly number: bigint;
  readonly isOpen: boolean;
  /** The Stable API parameters of its first command. */
  readonly api: string;
  /** Whether the transaction created the collection. */
  hasCreated(collection: Collection): boolean;
  /** Whether the transaction has written to the collection. */
  hasWritten(collection: Collection): boolean;
  /** Settles when the transaction has committed or aborted. */
  readonly ended: Promise<void>;
  /** Settles when the last statement of the transaction has been answered. */
  lastStatement: Promise<void> | undefined;
}

export interface Transactions {
  start(sessionId: string, number: bigint, api: string): Transaction;
  /**
   * Records the transaction number of a session and ends its open transaction with a lower one. Returns whether the
   * number is new.
   *
   * @throws CommandError 225 if the session has already used a higher number
   */
  advance(sessionId: string, number: bigint): boolean;
  /** @throws CommandError 225 when the session has already used a higher number */
  assertCurrent(sessionId: string, number: bigint): void;
  /** The open transaction of a session. */
  find(sessionId: string): Transaction | undefined;
  /** Applies the writes and runs `alsoInCommit` in one commit; resolves when it is on disk. */
  commit(transaction: Transaction, alsoInCommit: () => void): Promise<void>;
  abort(transaction: Transaction): void;
  /** The writer for statements outside of transactions, used inside a commit. */
  direct: Writer;
  /** @throws LockWait while an open transaction has written to the collection */
  assertUnwritten(collection: Collection): void;
  close(): void;
}

export interface TransactionParts {
  storage: Storage;
  catalog: Catalog;
  queue: WriteQueue;
  log: Pick<ChangeLog, 'append'>;
  /** How long a transaction may stay open, in milliseconds. */
  lifetimeMs: number;
}

interface OpenTransaction extends Transaction {
  isOpen: boolean;
  snapshot: Reader & { release(): void };
  uncommitted: PendingRecords;
  /** Collections that exist only for this transaction until it commits. */
  created: Map<string, Collection>;
  /** The indexes of each collection at its first write: the keys of its records in them are locked. */
  indexes: Map<Collection, readonly Index[]>;
  /** All writes in order, for the change log. */
  written: ChangeRecord[];
  /** Bytes held by {@link uncommitted} and {@link written}. */
  uncommittedBytes: number;
  /** Unique keys that this transaction assigned to a record, or released (undefined). */
  keys: Map<string, number | undefined>;
  locks: Set<string>;
  end(): void;
  timer: NodeJS.Timeout;
}

/** Sessions whose transaction numbers are kept in memory; committed ones are also on disk. */
const MAX_SESSIONS = 10_000;
/** Each open transaction occupies a reader slot of the storage, which has a few more. */
const MAX_OPEN = 1000;
/**
 * The memory limit for the writes of one transaction, about a quarter of what the transaction and its commit take at
 * their peak. The duration of a commit is not limited: it delays other commands, but a refused transaction could never
 * succeed.
 */
const MAX_UNCOMMITTED_BYTES = 256 * 1024 * 1024;
/** The memory of a write apart from its encoded documents and its change log entry. */
const WRITE_OVERHEAD = 1024;
const NOT_FOUND = 'does not match any in-progress transactions';

/**
 * Errors of a commit caused by an index that was built after the write: duplicate key, parallel arrays, too many keys.
 */
const NEW_INDEX_ERRORS: ReadonlySet<number> = new Set([11000, 171, 201]);

/** MongoDB's error for a transaction that was aborted, expired or never existed; drivers then retry it. */
export const noSuchTransaction = (number: bigint): CommandError =>
  new CommandError(251, `Given transaction number ${number} ${NOT_FOUND}.`, { labels: ['TransientTransactionError'] });

const writeConflict = (): CommandError =>
  new CommandError(112, 'Write conflict during plan execution and yielding is disabled. Please retry your operation.', {
    labels: ['TransientTransactionError'],
  });

const tooLarge = (): CommandError =>
  new CommandError(
    257,
    `The writes of a transaction exceed ${MAX_UNCOMMITTED_BYTES >> 20} MiB of memory (limit of the embedded store; set MONGODB_URI to use a MongoDB server)`,
  );

const tooMany = (): CommandError =>
  new CommandError(112, `More than ${MAX_OPEN} transactions are open`, { labels: ['TransientTransactionError'] });

/**
 * Snapshot isolation: a transaction reads a pinned snapshot with its own writes on top and locks the records and unique
 * keys that it writes. A transaction that encounters a lock fails immediately with a conflict; a write outside of
 * transactions waits. Locked data cannot change, so a commit needs no further checks.
 */
export function createTransactions({ storage, catalog, queue, log, lifetimeMs }: TransactionParts): Transactions {
  const locks = new Map<string, OpenTransaction>();
  const openBySession = new Map<string, OpenTransaction>();
  /** The highest transaction number of each session, least recently used first. */
  const numbers = new Map<string, bigint>();

  function finish(transaction: OpenTransaction): void {
    transaction.isOpen = false;
    for (const name of transaction.locks) locks.delete(name);
    openBySession.delete(transaction.sessionId);
    transaction.snapshot.release();
    clearTimeout(transaction.timer);
    transaction.end();
  }

  function assertCurrent(sessionId: string, number: bigint): void {
    const highest = numbers.get(sessionId);
    if (highest !== undefined && number < highest) throw transactionTooOld(number, highest);
  }

  function advance(sessionId: string, number: bigint): boolean {
    assertCurrent(sessionId, number);
    const isNew = numbers.get(sessionId) !== number;
    const open = openBySession.get(sessionId);
    if (open && isNew) finish(open);
    numbers.delete(sessionId);
    numbers.set(sessionId, number);
    if (numbers.size > MAX_SESSIONS) numbers.delete(numbers.keys().next().value!);
    return isNew;
  }

  function start(sessionId: string, number: bigint, api: string): Transaction {
    if (openBySession.size >= MAX_OPEN) throw tooMany();
    const { reader: snapshot, view: pinned } = pinView({ storage, catalog });
    const uncommitted: PendingRecords = new Map();
    const created: OpenTransaction['created'] = new Map();
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const view: View = {
      ...pinned,
      collection: (ns) => created.get(ns) ?? pinned.collection(ns),
      uncommittedIn: (collection) => uncommitted.get(collection),
    };
    const transaction: OpenTransaction = {
      sessionId,
      number,
      isOpen: true,
      api,
      hasCreated: (collection) => created.get(collection.ns) === collection,
      hasWritten: (collection) => uncommitted.has(collection),
      lastStatement: undefined,
      ended,
      end,
      snapshot,
      uncommitted,
      created,
      indexes: new Map(),
      written: [],
      uncommittedBytes: 0,
      view,
      collectionFor(ns) {
        const known = view.collection(ns);
        if (known?.isDropped) throw writeConflict();
        const collection = known ?? catalog.prepare(ns);
        if (!known) created.set(ns, collection);
        return collection;
      },
      keys: new Map(),
      locks: new Set(),
      timer: setTimeout(() => finish(transaction), lifetimeMs).unref(),
      write: (change) => addWrite(transaction, change),
    };
    openBySession.set(sessionId, transaction);
    return transaction;
  }

  function addWrite(transaction: OpenTransaction, change: Change): void {
    const { collection, recordId } = change;
    const earlier = transaction.uncommitted.get(collection)?.get(recordId);
    const prepared = prepare(change);
    assertNotHeld(transaction, recordName(prepared));
    if (!earlier && hasChangedSince(change)) throw writeConflict();
    checkUnique(transaction, prepared);
    const changed = recordsOf(change);
    const uncommittedBytes = transaction.uncommittedBytes + addedBytes(change, earlier, changed);
    if (uncommittedBytes > MAX_UNCOMMITTED_BYTES) throw tooLarge();

    for (const name of lockNames(prepared)) {
      locks.set(name, transaction);
      transaction.locks.add(name);
    }
    for (const { index, removed, added } of prepared.indexChanges) {
      if (!index.isUnique) continue;
      for (const { key } of removed) transaction.keys.set(key.toString('latin1'), undefined);
      for (const { key } of added) transaction.keys.set(key.toString('latin1'), recordId);
    }
    transaction.written.push(...changed);
    transaction.uncommittedBytes = uncommittedBytes;
    addPending(transaction.uncommitted, prepared, transaction.written.length);
    if (!transaction.indexes.has(collection)) {
      // Keys of an index that is being built are checked only at commit.
      const isFilling = collection.indexes.some(({ build }) => build);
      transaction.indexes.set(collection, isFilling ? [] : collection.indexes);
    }
  }

  /** Whether a change to the record was committed after the snapshot was taken. */
  function hasChangedSince({ collection, recordId, before }: Change): boolean {
    const latest = storage.record(collection.id, recordId);
    return before ? !latest?.equals(before.bytes) : latest !== undefined;
  }

  function assertNotHeld(transaction: OpenTransaction, name: string): void {
    const holder = locks.get(name);
    if (holder && holder !== transaction) throw writeConflict();
  }

  /** Checks the indexes in MongoDB's order. */
  function checkUnique(
    transaction: OpenTransaction,
    { collection, recordId, indexChanges, failure }: PreparedChange,
  ): void {
    for (const { index, removed, added } of indexChanges) {
      if (!index.isUnique) continue;
      // A key in the snapshot is a duplicate, regardless of the writes of other transactions.
      for (const { key, values } of index.build ? [] : added) {
        const name = key.toString('latin1');
        const isMine = transaction.keys.has(name);
        const holder = isMine ? transaction.keys.get(name) : transaction.snapshot.holdersOf(key)[0];
        if (holder !== undefined && holder !== recordId) throw duplicateKey(collection, index, values);
        if (!isMine && storage.holdersOf(key).some((id) => id !== recordId)) throw writeConflict();
      }
      for (const { key } of [...removed, ...added]) assertNotHeld(transaction, keyName(key));
    }
    if (failure) throw failure;
  }

  async function commit(transaction: Transaction, alsoInCommit: () => void): Promise<void> {
    const open = transaction as OpenTransaction;
    // Prepared in time slices, because the commit itself cannot be interrupted.
    const changes: PreparedChange[] = [];
    let isOver = newSlice();
    for (const change of netChanges(open.uncommitted)) {
      changes.push(change);
      if (!isOver()) continue;
      await pause();
      isOver = newSlice();
    }
    await queue.run(() => {
      if (!open.isOpen) throw noSuchTransaction(open.number);
      try {
        // Collection names are not reserved: the first transaction to commit creates the collection, as in MongoDB.
        for (const ns of open.created.keys()) if (catalog.get(ns)) throw writeConflict();
        if (locksAllKeys(open)) applyChecked(changes, storage, catalog);
        else applyChanges([...netChanges(open.uncommitted, { prepareAgain: true })], storage, catalog);
        for (const collection of open.created.values()) catalog.add(collection);
        log.append(open.written, open);
        alsoInCommit();
      } catch (error) {
        // Only an index built in the meantime can cause this. A retry of the transaction sees the index and gets its
        // error.
        throw error instanceof CommandError && NEW_INDEX_ERRORS.has(error.code) ? writeConflict() : error;
      } finally {
        finish(open);
      }
    });
  }

  /** Whether the keys of all current indexes are locked, so that no other record can have one of them. */
  function locksAllKeys({ indexes }: OpenTransaction): boolean {
    return [...indexes].every(([collection, locked]) => collection.indexes === locked);
  }

  function assertFree(change: PreparedChange): void {
    if (locks.size === 0) return;
    for (const name of lockNames(change)) {
      const holder = locks.get(name);
      if (holder) throw new LockWait(holder.ended);
    }
  }

  return {
    start,
    advance,
    assertCurrent,
    find: (sessionId) => openBySession.get(sessionId),
    commit,
    abort: (transaction) => {
      if (transaction.isOpen) finish(transaction as OpenTransaction);
    },
    direct: {
      view: {
        reader: storage,
        collection: (ns) => catalog.get(ns),
        uncommittedIn: () => undefined,
        canUse: () => true,
        version: () => storage.version,
      },
      collectionFor: (ns) => catalog.get(ns) ?? catalog.create(ns),
      write(change) {
        const prepared = prepare(change);
        assertFree(prepared);
        // Everything that can fail comes before the first change, see WriteQueue.run.
        const records = recordsOf(change);
        applyChanges([prepared], storage, catalog);
        log.append(records);
      },
    },
    assertUnwritten(collection) {
      for (const transaction of openBySession.values()) {
        if (transaction.uncommitted.has(collection)) throw new LockWait(transaction.ended);
      }
    },
    close() {
      for (const transaction of [...openBySession.values()]) finish(transaction);
    },
  };
}

function recordsOf(change: Change): ChangeRecord[] {
  const record = recordOf(change.collection.ns, change);
  return record ? [record] : [];
}

/** The memory that a write adds to a transaction, in bytes. */
function addedBytes({ before, after }: Change, earlier: UncommittedRecord | undefined, logged: ChangeRecord[]): number {
  const replaced = earlier ? -sizeOf(earlier.after) : sizeOf(before);
  const payload = logged.flatMap((record) => record.payload).reduce((sum, part) => sum + part.length, 0);
  return WRITE_OVERHEAD + replaced + sizeOf(after) + payload;
}

const sizeOf = (version: UncommittedRecord['after']): number => version?.bytes.length ?? 0;
