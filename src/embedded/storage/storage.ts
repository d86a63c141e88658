import { statSync } from 'node:fs';
import { join } from 'node:path';
import { open, type RangeOptions, type RootDatabase } from 'lmdb';
import { CommandError } from '../lib/index.ts';
import { hasChecksum, verifiedValue, withChecksum } from './checksum.ts';
import { type EntrySums, openEntrySums } from './entry-sums.ts';
import { clearCreationMark } from './file/creation-mark.ts';
import { allocateReaderTable, hasDiskSpace, StorageFailure, watchDiskSpace } from './file/disk-space.ts';
import { createReader, type Reader } from './reader.ts';
import { entryKey, idPrefix, type KeyRange, prefixRange, recordKey, type Table } from './table.ts';

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

interface TableStats {
  pageSize: number;
  treeBranchPageCount: number;
  treeLeafPageCount: number;
  overflowPages: number;
}

/** Rows that are removed or rewritten between two checks of the time. */
const STEP_ROWS = 32;
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
 * The flags of a transaction that can be aborted and is committed when the call returns. With them, LMDB also flushes on
 * this thread, so that {@link Storage.flush} has little left to do. Its overlapping flushes would avoid that, but
 * file/meta.ts does not support their file format.
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
  const diskSpace = watchDiskSpace(folder);
  let preparation: (() => void) | undefined;
  let writtenBytes = 0;
  /** Each change dirties one or two pages, most of them shared. */
  const change = <Result>(bytes: number, write: () => Result): Result => {
    diskSpace.take(bytes + PAGE);
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
    reserve: diskSpace.reserve,
    commit(work) {
      diskSpace.begin();
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
          const rows = [...records.getRange({ start: from, exclusiveStart: true, limit: STEP_ROWS })];
          for (const { key, value } of rows) {
            // A damaged record is left for readers to detect.
            if (hasChecksum(key, value) || !verifiedValue(key, value, false)) continue;
            diskSpace.take(value.length + PAGE);
            records.putSync(key, withChecksum(key, value));
          }
          if (rows.length < STEP_ROWS) {
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
          if (isReleased) throw new CommandError(239, 'The snapshot of this read is no longer retained.');
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

function clear(table: Table, range: KeyRange, isOver: () => boolean, onRemoved?: (key: Buffer) => void): boolean {
  while (true) {
    const keys = [...table.getKeys({ ...range, limit: STEP_ROWS })];
    for (const key of keys) if (table.removeSync(key)) onRemoved?.(key);
    if (keys.length < STEP_ROWS) return true;
    if (isOver()) return false;
  }
}
