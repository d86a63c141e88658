import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, open, type RangeOptions, type RootDatabase } from 'lmdb';
import { CommandError } from '../lib/index.ts';
import { DamagedRecordError, hasChecksum, verifiedValue, withChecksum } from './checksum.ts';
import { type EntrySums, openEntrySums } from './entry-sums.ts';
import { clearCreationMark } from './file/creation-mark.ts';
import { allocateReaderTable, hasDiskSpace, StorageFailure, watchDiskSpace } from './file/disk-space.ts';

/**
 * The storage layout: one LMDB environment with five tables.
 * - `catalog`:  namespace -> description of the collection and its indexes, and index id -> sum of its entries
 * - `records`:  collection id (4 bytes) + record id (8) -> BSON and a checksum
 * - `entries`:  index id (4) + key + record id (8) -> nothing
 * - `sessions`: logical session id -> results of its last retryable write or transaction
 * - `changes`:  time (8) + position (4) -> a change, see change-log-entry.ts; created if missing
 */
export interface Storage extends Reader {
  /** The LMDB environment, for maintenance. */
  root: RootDatabase<Buffer, Buffer>;
  /** The inode of the file before it was opened; undefined if it did not exist. */
  inode: number | undefined;
  catalog: Table;
  sessions: Table;
  changes: Table;
  /** Increases with every commit; data read at an older version may have changed. */
  version: number;
  /**
   * Runs `work` in one write transaction, which becomes visible on return and is on disk once {@link flush} calls back.
   * Reads inside see the writes. An exception rolls everything back.
   */
  commit(work: () => void): void;
  /**
   * Runs `work` before the next commit. An exception fails that commit, and `work` runs again before the following one.
   */
  beforeCommit(work: () => void): void;
  /** Flushes all committed transactions to disk. */
  flush(done: (error?: Error) => void): void;
  putRecord(collectionId: number, recordId: number, bytes: Uint8Array): void;
  removeRecord(collectionId: number, recordId: number): void;
  putEntry(key: Buffer, recordId: number): void;
  removeEntry(key: Buffer, recordId: number): void;
  putSession(id: Buffer, bytes: Buffer): void;
  /** Appends to the change log; the key must be greater than all others. */
  appendChange(key: Buffer, bytes: Buffer): void;
  putChange(key: Buffer, bytes: Buffer): void;
  removeChange(key: Buffer): void;
  /** The size of the change log on disk, in bytes. */
  changesSize(): number;
  /** Removes records of a collection or entries of an index until `isOver`; returns whether none is left. */
  clearRecords(collectionId: number, isOver: () => boolean): boolean;
  clearEntries(indexId: number, isOver: () => boolean): boolean;
  /**
   * Adds checksums to records of an earlier version, starting after a key, until `isOver`; returns the key after which
   * to continue, or undefined when all records have one.
   */
  addChecksums(after: Buffer, isOver: () => boolean): Buffer | undefined;
  /** Whether every record has a checksum. */
  readonly hasChecksums: boolean;
  sums: EntrySums;
  /** Returns a reader of the current snapshot, which is kept until it is released. */
  pin(): Reader & { release(): void };
  /** Checks, before the commit, that the disk has space for this many bytes. @throws StorageFailure */
  reserve(bytes: number): void;
  /** Bytes written so far in the current commit. */
  readonly writtenBytes: number;
  /** Whether the disk has no space for another write. */
  isFull(): boolean;
  close(): Promise<void>;
}

/** A half-open range of keys in byte order. */
export interface KeyRange {
  start: Buffer;
  end: Buffer;
}

/** All keys that begin with the id of a collection or an index. */
export const ALL_KEYS: KeyRange = { start: Buffer.alloc(4), end: Buffer.alloc(4, 0xff) };

export interface Row {
  recordId: number;
  bytes: Buffer;
}

export interface Entry {
  /** The index id, the key and the record id. */
  key: Buffer;
  recordId: number;
}

/** Reads the newest data or a pinned snapshot. Iterators hold no snapshot between two steps. */
export interface Reader {
  record(collectionId: number, recordId: number): Buffer | undefined;
  scanRecords(collectionId: number, isReverse?: boolean): Generator<Row>;
  /** The records with ids greater than this one. */
  recordsAfter(collectionId: number, recordId: number): Generator<Row>;
  scanEntries(range: KeyRange, isReverse?: boolean): Generator<Entry>;
  /** The ids of records with exactly this index key, at most two. */
  holdersOf(key: Buffer): number[];
  /**
   * Counts entries.
   *
   * @param limit counts at most this many and returns the range that follows them as `rest`; all by default
   */
  countEntries(range: KeyRange, limit?: number): { count: number; rest: KeyRange | undefined };
  /** @param numbers a half-open range of record ids; all by default */
  countRecords(collectionId: number, numbers?: { from: number; to: number }): number;
  lastRecordId(collectionId: number): number;
}

export type Table = Database<Buffer, Buffer>;

interface TableStats {
  pageSize: number;
  treeBranchPageCount: number;
  treeLeafPageCount: number;
  overflowPages: number;
}

/** The first steps of a scan are small, because most scans end early. */
const FIRST_STEP = 32;
const LARGEST_STEP = 512;
/** A step ends with the record that reaches this many bytes. */
const STEP_BYTES = 1024 * 1024;
const NOTHING = Buffer.alloc(0);
const PAGE = 4096;
/** The catalog key that marks a store in which every record has a checksum. */
export const ALL_CHECKED = Buffer.from('\0checksums');
/** One reader per open transaction, see transactions.ts; scans release their snapshot between steps. */
const MAX_READERS = 1100;
/**
 * Address space reserved for the file, which costs nothing. By default LMDB maps the size of the file, maps it again
 * whenever the file doubles, and never unmaps the earlier maps, whose pages stay resident.
 */
const MAP_BYTES = 64 * 1024 ** 3;
/**
 * Flags of a transaction that can be aborted and is committed on return. LMDB then also flushes on this thread, unless
 * it overlaps flushes, which file/meta.ts does not support; {@link Storage.flush} has little left to do.
 */
const COMMIT_WITHOUT_FLUSH: number = 0x10003;

export interface StorageOptions {
  folder: string;
  /** Never flush; the operating system writes the data. For tests only. */
  isMemory: boolean;
}

export function openStorage({ folder, isMemory }: StorageOptions): Storage {
  const binary = { keyEncoding: 'binary', encoding: 'binary' } as const;
  const inode = statSync(join(folder, 'store.mdb'), { throwIfNoEntry: false })?.ino;
  const root: RootDatabase<Buffer, Buffer> = open({
    path: join(folder, 'store.mdb'),
    noSubdir: true,
    noSync: isMemory,
    maxReaders: MAX_READERS,
    mapSize: MAP_BYTES,
    ...binary,
  });
  clearCreationMark(folder);
  allocateReaderTable(folder);
  const table = (name: string): Table => root.openDB<Buffer, Buffer>(name, binary);
  const records = table('records');
  const entries = table('entries');
  const changes = table('changes');
  const sessions = table('sessions');
  const catalog = table('catalog');
  const isNew = catalog.getKeysCount({ limit: 1 }) === 0;
  const sums = openEntrySums(catalog);
  let hasChecksums = catalog.get(ALL_CHECKED) !== undefined;
  if (isNew) {
    try {
      root.transactionSync(() => {
        catalog.putSync(ALL_CHECKED, Buffer.from([1]));
        sums.start(new Map());
      }, COMMIT_WITHOUT_FLUSH);
      hasChecksums = true;
    } catch {
      // Reads must work on a full disk too; the empty store is upgraded at a later start.
      sums.revert();
    }
  }
  /** Whether the current commit adds the last missing checksum. */
  let isLastAdded = false;
  const room = watchDiskSpace(folder);
  let preparation: (() => void) | undefined;
  let writtenBytes = 0;
  /** Each change dirties one or two pages, most of them shared. */
  const change = <Result>(bytes: number, write: () => Result): Result => {
    room.take(bytes + PAGE);
    writtenBytes += bytes;
    return guarded(write);
  };
  const readWith = (options: RangeOptions, areRequired = () => hasChecksums) =>
    createReader({ records, entries, options, hasChecksums: areRequired });

  const storage: Storage = {
    root,
    inode,
    catalog,
    sums,
    get hasChecksums() {
      return hasChecksums;
    },
    sessions,
    changes,
    version: 1,
    ...readWith({}),
    get writtenBytes() {
      return writtenBytes;
    },
    reserve: room.reserve,
    commit(work) {
      room.begin();
      writtenBytes = 0;
      preparation?.();
      preparation = undefined;
      try {
        root.transactionSync(() => {
          work();
          guarded(sums.save);
        }, COMMIT_WITHOUT_FLUSH);
      } catch (error) {
        sums.revert();
        isLastAdded = false;
        throw error;
      }
      if (isLastAdded) hasChecksums = true;
      storage.version++;
    },
    beforeCommit(work) {
      preparation = work;
    },
    flush(done) {
      if (isMemory) setImmediate(done);
      else (root as unknown as { sync(callback: (error?: Error) => void): void }).sync(done);
    },
    putRecord: (collectionId, recordId, bytes) =>
      change(bytes.length, () => {
        const key = recordKey(collectionId, recordId);
        records.putSync(key, withChecksum(key, bytes));
      }),
    removeRecord: (collectionId, recordId) => change(0, () => records.removeSync(recordKey(collectionId, recordId))),
    putEntry: (key, recordId) =>
      change(0, () => {
        const entry = entryKey(key, recordId);
        const isAdded: unknown = entries.putSync(entry, NOTHING, { noOverwrite: true });
        if (isAdded) sums.note(entry, 1);
      }),
    removeEntry: (key, recordId) =>
      change(0, () => {
        const entry = entryKey(key, recordId);
        if (entries.removeSync(entry)) sums.note(entry, -1);
      }),
    putSession: (id, bytes) => change(bytes.length, () => sessions.putSync(id, bytes)),
    appendChange: (key, bytes) =>
      change(bytes.length, () => {
        // With `append`, LMDB fills pages completely instead of by half; it returns false if the key is not the last
        // one.
        const isLast: unknown = changes.putSync(key, bytes, { append: true });
        if (isLast === false) throw new Error('a change out of order');
      }),
    putChange: (key, bytes) => change(bytes.length, () => changes.putSync(key, bytes)),
    removeChange: (key) => change(0, () => changes.removeSync(key)),
    changesSize() {
      const { pageSize, treeBranchPageCount, treeLeafPageCount, overflowPages } = changes.getStats() as TableStats;
      return pageSize * (treeBranchPageCount + treeLeafPageCount + overflowPages);
    },
    clearRecords: (collectionId, isOver) => guarded(() => clear(records, prefixRange(idPrefix(collectionId)), isOver)),
    clearEntries: (indexId, isOver) =>
      guarded(() => clear(entries, prefixRange(idPrefix(indexId)), isOver, (key) => sums.note(key, -1))),
    addChecksums: (after, isOver) =>
      guarded(() => {
        for (let from = after; ; ) {
          const rows = [...records.getRange({ start: from, exclusiveStart: true, limit: FIRST_STEP })];
          for (const { key, value } of rows) {
            // A damaged record is left for readers to detect.
            if (hasChecksum(key, value) || !verifiedValue(key, value, false)) continue;
            room.take(value.length + PAGE);
            records.putSync(key, withChecksum(key, value));
          }
          if (rows.length < FIRST_STEP) {
            catalog.putSync(ALL_CHECKED, Buffer.from([1]));
            isLastAdded = true;
            return undefined;
          }
          from = Buffer.from(rows.at(-1)!.key);
          if (isOver()) return from;
        }
      }),
    pin() {
      root.resetReadTxn();
      const transaction = root.useReadTransaction();
      let isReleased = false;
      // Every step of a scan evaluates this getter, also after a suspension.
      const options = {
        get transaction() {
          if (isReleased) throw new CommandError(239, 'The snapshot of this read is no longer kept.');
          return transaction;
        },
      };
      const release = (): void => {
        if (!isReleased) transaction.done();
        isReleased = true;
      };
      const areRequired = hasChecksums;
      return { ...readWith(options, () => areRequired), release };
    },
    isFull: () => !hasDiskSpace(folder),
    close: () => root.close(),
  };
  return storage;
}

function guarded<Result>(write: () => Result): Result {
  try {
    return write();
  } catch (error) {
    throw new StorageFailure(error instanceof Error ? error.message : String(error));
  }
}

interface ReaderParts {
  records: Table;
  entries: Table;
  options: RangeOptions;
  hasChecksums(): boolean;
}

export function createReader({ records, entries, options, hasChecksums }: ReaderParts): Reader {
  const verified = (key: Buffer, stored: Buffer): Buffer => {
    const bytes = verifiedValue(key, stored, hasChecksums());
    if (!bytes) throw new DamagedRecordError(key.readUInt32BE(0), recordIdOf(key), 'its checksum does not match');
    return bytes;
  };
  return {
    record(collectionId, recordId) {
      const key = recordKey(collectionId, recordId);
      const stored = records.get(key, options);
      return stored && verified(key, stored);
    },
    *scanRecords(collectionId, isReverse = false) {
      const step = (range: RangeOptions) => upToStepBytes(records.getRange({ ...options, ...range }));
      for (const { key, value } of inSteps(prefixRange(idPrefix(collectionId)), isReverse, step, (row) => row.key)) {
        yield { recordId: recordIdOf(key), bytes: verified(key, value) };
      }
    },
    *recordsAfter(collectionId, recordId) {
      const step = (range: RangeOptions) => upToStepBytes(records.getRange({ ...options, ...range }));
      const range = { start: recordKey(collectionId, recordId + 1), end: successor(idPrefix(collectionId)) };
      for (const { key, value } of inSteps(range, false, step, (row) => row.key)) {
        yield { recordId: recordIdOf(key), bytes: verified(key, value) };
      }
    },
    *scanEntries(range, isReverse = false) {
      const step = (within: RangeOptions) => ({
        items: [...entries.getKeys({ ...options, ...within })],
        isCutShort: false,
      });
      for (const key of inSteps(range, isReverse, step, (row) => row)) yield { key, recordId: recordIdOf(key) };
    },
    holdersOf: (key) => [...entries.getKeys({ ...options, ...prefixRange(key), limit: 2 })].map(recordIdOf),
    countEntries(range, limit = Number.POSITIVE_INFINITY) {
      const count = entries.getKeysCount({ ...options, ...range, ...(Number.isFinite(limit) && { limit }) });
      if (count < limit) return { count, rest: undefined };
      const [start] = [...entries.getKeys({ ...options, ...range, offset: limit, limit: 1 })];
      return { count, rest: start && { start: Buffer.from(start), end: range.end } };
    },
    countRecords(collectionId, numbers) {
      const range = numbers
        ? { start: recordKey(collectionId, numbers.from), end: recordKey(collectionId, numbers.to) }
        : prefixRange(idPrefix(collectionId));
      return records.getKeysCount({ ...options, ...range });
    },
    lastRecordId(collectionId) {
      const { start, end } = prefixRange(idPrefix(collectionId));
      const [last] = [...records.getKeys({ ...options, start: end, end: start, reverse: true, limit: 1 })];
      return last ? recordIdOf(last) : 0;
    },
  };
}

interface Step<Item> {
  items: Item[];
  /** Whether the step ended because of its size; more items may follow. */
  isCutShort: boolean;
}

function upToStepBytes<Item extends { value: Buffer }>(rows: Iterable<Item>): Step<Item> {
  const items: Item[] = [];
  let size = 0;
  for (const row of rows) {
    items.push(row);
    size += row.value.length;
    if (size >= STEP_BYTES) return { items, isCutShort: true };
  }
  return { items, isCutShort: false };
}

/**
 * Reads a range in steps, each with its own seek, so that a suspended scan holds no snapshot: LMDB could not reuse the
 * pages of a held one.
 */
function* inSteps<Item>(
  { start, end }: KeyRange,
  isReverse: boolean,
  read: (range: RangeOptions) => Step<Item>,
  keyOf: (item: Item) => Buffer,
): Generator<Item> {
  let from: RangeOptions = isReverse ? { start: end, end: start, inclusiveEnd: true, reverse: true } : { start, end };
  if (isReverse) from.exclusiveStart = true;
  let limit = FIRST_STEP;
  while (true) {
    const { items, isCutShort } = read({ ...from, limit });
    yield* items;
    if (items.length < limit && !isCutShort) return;
    from = { ...from, start: keyOf(items.at(-1)!), exclusiveStart: true };
    limit = Math.min(limit * 2, LARGEST_STEP);
  }
}

function clear(table: Table, range: KeyRange, isOver: () => boolean, onRemoved?: (key: Buffer) => void): boolean {
  while (true) {
    const keys = [...table.getKeys({ ...range, limit: FIRST_STEP })];
    for (const key of keys) if (table.removeSync(key)) onRemoved?.(key);
    if (keys.length < FIRST_STEP) return true;
    if (isOver()) return false;
  }
}

/** The four-byte prefix of all keys of a collection or an index. */
export function idPrefix(id: number): Buffer {
  const prefix = Buffer.allocUnsafe(4);
  prefix.writeUInt32BE(id, 0);
  return prefix;
}

function recordKey(collectionId: number, recordId: number): Buffer {
  const key = Buffer.allocUnsafe(12);
  key.writeUInt32BE(collectionId, 0);
  writeRecordId(key, recordId, 4);
  return key;
}

function entryKey(key: Buffer, recordId: number): Buffer {
  const whole = Buffer.allocUnsafe(key.length + 8);
  key.copy(whole, 0);
  writeRecordId(whole, recordId, key.length);
  return whole;
}

/** Record ids are integers below 2^48. */
function writeRecordId(target: Buffer, recordId: number, at: number): void {
  target.writeUInt16BE(0, at);
  target.writeUIntBE(recordId, at + 2, 6);
}

const recordIdOf = (key: Buffer): number => key.readUIntBE(key.length - 6, 6);

/** All keys that begin with `prefix`. */
export const prefixRange = (prefix: Buffer): KeyRange => ({ start: prefix, end: successor(prefix) });

/** The first key after all that begin with `prefix`. */
export function successor(prefix: Buffer): Buffer {
  let length = prefix.length;
  while (length > 0 && prefix[length - 1] === 0xff) length--;
  const next = Buffer.from(prefix.subarray(0, length));
  if (length > 0) next[length - 1]!++;
  return next;
}
