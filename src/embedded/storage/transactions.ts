import { CommandError, newSlice, pause } from '../lib/index.ts';
import type { Catalog, Collection, Index } from './catalog.ts';
import type { ChangeLog } from './change-log/change-log.ts';
import { type ChangeRecord, recordOf } from './change-log/change-log-entry.ts';
import { applyChanges, applyChecked, type Change, duplicateKey, type PreparedChange, prepare } from './changes.ts';
import { LockWait, type WriteQueue } from './group-commit.ts';
import { keyName, lockNames, recordName } from './lock-names.ts';
import { transactionTooOld } from './sessions.ts';
import { pinView } from './snapshots.ts';
import type { Reader, Storage } from './storage.ts';
import type { StagedRecord, View, Writer } from './view.ts';

export interface Transaction extends Writer {
  readonly sessionId: string;
  readonly number: bigint;
  readonly isOpen: boolean;
  /** The parameters of the Stable API with which it was started. */
  readonly api: string;
  /** Whether it has created the collection. */
  hasCreated(collection: Collection): boolean;
  /** Whether it has written to the collection. */
  hasWritten(collection: Collection): boolean;
  /** Settles when the transaction has committed or aborted. */
  readonly ended: Promise<void>;
  /** Settles when the statement that runs in it, if any, has been answered. */
  turn: Promise<void> | undefined;
}

export interface Transactions {
  start(sessionId: string, number: bigint, api: string): Transaction;
  /**
   * Notes that a session uses a number, which ends its transaction with a lower one. Whether the number is new.
   *
   * @throws CommandError 225 when the session has already used a higher one
   */
  advance(sessionId: string, number: bigint): boolean;
  /** @throws CommandError 225 when the session has already used a higher number */
  assertCurrent(sessionId: string, number: bigint): void;
  /** The open transaction of a session. */
  of(sessionId: string): Transaction | undefined;
  /** Applies the writes and what `alsoInCommit` adds, all in one commit; resolves when it is on disk. */
  commit(transaction: Transaction, alsoInCommit: () => void): Promise<void>;
  abort(transaction: Transaction): void;
  /** A writer for one statement outside of transactions, to be used inside a commit. */
  direct: Writer;
  /** Throws {@link LockWait} while an open transaction has written to the collection. */
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

interface Open extends Transaction {
  isOpen: boolean;
  snapshot: Reader & { release(): void };
  staged: Map<Collection, Map<number, StagedRecord>>;
  /** Collections that exist for this transaction alone until it commits. */
  created: Map<string, Collection>;
  /** The indexes of each collection at the first write: the keys of their records are locked. */
  indexes: Map<Collection, readonly Index[]>;
  /** Everything it has written, in order, for the log of changes. */
  written: ChangeRecord[];
  /** Bytes that {@link staged} and {@link written} hold. */
  stagedBytes: number;
  /** Unique keys that this transaction gave to a record, or freed (undefined). */
  keys: Map<string, number | undefined>;
  locks: Set<string>;
  end(): void;
  timer: NodeJS.Timeout;
}

/** Sessions whose numbers are remembered in memory; what matters after that is on disk. */
const MAX_SESSIONS = 10_000;
/** Each holds a reader slot of the storage, which has a few more. */
const MAX_OPEN = 1000;
/**
 * What the writes of one transaction may hold in memory, which is about a quarter of what it and its commit take at
 * their peak. Time is no reason to refuse: a long commit delays others, but a refused transaction never succeeds.
 */
const MAX_STAGED_BYTES = 256 * 1024 * 1024;
/** What a write holds beside its encoded documents and its entry in the change log. */
const WRITE_OVERHEAD = 1024;
const NOT_FOUND = 'does not match any in-progress transactions';

/** Errors of a commit for which an index was finished after the write: duplicate key, two arrays in one key, too many keys. */
const LATE_REFUSALS: ReadonlySet<number> = new Set([11000, 171, 201]);

/** MongoDB's answer for a transaction that was aborted, has expired or never was; drivers then run it again. */
export const noSuchTransaction = (number: bigint): CommandError =>
  new CommandError(251, `Given transaction number ${number} ${NOT_FOUND}.`, { labels: ['TransientTransactionError'] });

const writeConflict = (): CommandError =>
  new CommandError(112, 'Write conflict during plan execution and yielding is disabled. Please retry your operation.', {
    labels: ['TransientTransactionError'],
  });

const tooLarge = (): CommandError =>
  new CommandError(
    257,
    `The writes of a transaction exceed ${MAX_STAGED_BYTES >> 20} MiB of memory (limit of the embedded store; set MONGODB_URI to use a MongoDB server)`,
  );

const tooMany = (): CommandError =>
  new CommandError(112, `More than ${MAX_OPEN} transactions are open`, { labels: ['TransientTransactionError'] });

/**
 * Snapshot isolation: a transaction reads a pinned snapshot with its own writes on top and locks what it writes,
 * records and unique keys alike. Whoever meets a lock in a transaction fails at once with a conflict, whoever meets
 * it outside waits. As nobody else can change what is locked, a commit has nothing left to check.
 */
export function createTransactions({ storage, catalog, queue, log, lifetimeMs }: TransactionParts): Transactions {
  const locks = new Map<string, Open>();
  const openBySession = new Map<string, Open>();
  /** The highest number of each session, the longest unused first. */
  const numbers = new Map<string, bigint>();

  function finish(transaction: Open): void {
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
    const staged: Open['staged'] = new Map();
    const created: Open['created'] = new Map();
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const view: View = {
      ...pinned,
      collection: (ns) => created.get(ns) ?? pinned.collection(ns),
      stagedIn: (collection) => staged.get(collection),
    };
    const transaction: Open = {
      sessionId,
      number,
      isOpen: true,
      api,
      hasCreated: (collection) => created.get(collection.ns) === collection,
      hasWritten: (collection) => staged.has(collection),
      turn: undefined,
      ended,
      end,
      snapshot,
      staged,
      created,
      indexes: new Map(),
      written: [],
      stagedBytes: 0,
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
      write: (change) => stage(transaction, change),
    };
    openBySession.set(sessionId, transaction);
    return transaction;
  }

  function stage(transaction: Open, change: Change): void {
    const { collection, recordId } = change;
    const records = transaction.staged.get(collection) ?? new Map<number, StagedRecord>();
    const earlier = records.get(recordId);
    const prepared = prepare(change);
    assertNotHeld(transaction, recordName(prepared));
    if (!earlier && hasChangedSince(change)) throw writeConflict();
    checkUnique(transaction, prepared);
    const changed = recordsOf(change);
    const stagedBytes = transaction.stagedBytes + addedBytes(change, earlier, changed);
    if (stagedBytes > MAX_STAGED_BYTES) throw tooLarge();

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
    transaction.stagedBytes = stagedBytes;
    records.set(recordId, { before: earlier ? earlier.before : change.before, after: change.after });
    transaction.staged.set(collection, records);
    if (!transaction.indexes.has(collection)) {
      // The keys of an index that is being filled are not looked at before the commit.
      const isFilling = collection.indexes.some(({ build }) => build);
      transaction.indexes.set(collection, isFilling ? [] : collection.indexes);
    }
  }

  /** Whether someone has committed a change to the record after the snapshot was taken. */
  function hasChangedSince({ collection, recordId, before }: Change): boolean {
    const latest = storage.record(collection.id, recordId);
    return before ? !latest?.equals(before.bytes) : latest !== undefined;
  }

  function assertNotHeld(transaction: Open, name: string): void {
    const holder = locks.get(name);
    if (holder && holder !== transaction) throw writeConflict();
  }

  /** One index after the other, as MongoDB writes them. */
  function checkUnique(transaction: Open, { collection, recordId, indexChanges, failure }: PreparedChange): void {
    for (const { index, removed, added } of indexChanges) {
      if (!index.isUnique) continue;
      // A key that the snapshot holds is a duplicate, whatever somebody else is about to do with it.
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
    const open = transaction as Open;
    // All that can be done before is, because a commit is one piece.
    const changes: PreparedChange[] = [];
    let isOver = newSlice();
    for (const change of netChanges(open)) {
      if (change) changes.push(change);
      if (!isOver()) continue;
      await pause();
      isOver = newSlice();
    }
    await queue.run(() => {
      if (!open.isOpen) throw noSuchTransaction(open.number);
      try {
        // A name is not reserved: the first transaction to commit creates the collection, as in MongoDB.
        for (const ns of open.created.keys()) if (catalog.get(ns)) throw writeConflict();
        if (isAsLocked(open)) applyChecked(changes, storage, catalog);
        else applyChanges([...netChanges(open)].filter(isChange), storage, catalog);
        for (const collection of open.created.values()) catalog.add(collection);
        log.append(open.written, open);
        alsoInCommit();
      } catch (error) {
        // Only an index that came meanwhile can object: run again, the transaction will see it and be told.
        throw error instanceof CommandError && LATE_REFUSALS.has(error.code) ? writeConflict() : error;
      } finally {
        finish(open);
      }
    });
  }

  /** Whether the indexes are those whose keys are locked, so that nobody else can hold one of the keys. */
  function isAsLocked({ indexes }: Open): boolean {
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
    of: (sessionId) => openBySession.get(sessionId),
    commit,
    abort: (transaction) => {
      if (transaction.isOpen) finish(transaction as Open);
    },
    direct: {
      view: {
        reader: storage,
        collection: (ns) => catalog.get(ns),
        stagedIn: () => undefined,
        canUse: () => true,
        version: () => storage.version,
      },
      collectionFor: (ns) => catalog.get(ns) ?? catalog.create(ns),
      write(change) {
        const prepared = prepare(change);
        assertFree(prepared);
        // What may fail comes before the first change, see WriteQueue.run.
        const records = recordsOf(change);
        applyChanges([prepared], storage, catalog);
        log.append(records);
      },
    },
    assertUnwritten(collection) {
      for (const transaction of openBySession.values()) {
        if (transaction.staged.has(collection)) throw new LockWait(transaction.ended);
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

/** How much more memory a transaction holds after a write. */
function addedBytes({ before, after }: Change, earlier: StagedRecord | undefined, logged: ChangeRecord[]): number {
  const replaced = earlier ? -sizeOf(earlier.after) : sizeOf(before);
  const payload = logged.flatMap((record) => record.payload).reduce((sum, part) => sum + part.length, 0);
  return WRITE_OVERHEAD + replaced + sizeOf(after) + payload;
}

const sizeOf = (version: StagedRecord['after']): number => version?.bytes.length ?? 0;

const isChange = (change: PreparedChange | undefined): change is PreparedChange => change !== undefined;

/** One for each record; undefined where nothing is left of its changes. */
function* netChanges({ staged }: Open): Generator<PreparedChange | undefined> {
  for (const [collection, records] of staged) {
    for (const [recordId, { before, after }] of records) {
      yield before || after ? prepare({ collection, recordId, before, after }) : undefined;
    }
  }
}
