/** The stored data: the file and its LMDB tables, collections and indexes, transactions, and the log of changes. */

export {
  type Catalog,
  type Collection,
  checkNamespace,
  type Index,
  type IndexBuild,
  type IndexSpec,
  isDatabaseName,
  openCatalog,
} from './catalog.ts';
export { describeIndex, indexSpecOf, readCollection } from './catalog-format.ts';
export { type ChangeLog, openChangeLog } from './change-log/change-log.ts';
export {
  type ChangeEntry,
  documentKey,
  endBefore,
  endOf,
  type Kind,
  keyBefore,
  keyOf,
  LOG_ID_LENGTH,
  readEntry,
  timeOf,
  timestampOf,
} from './change-log/change-log-entry.ts';
export { addDuplicateCandidate, duplicateKey, type Version } from './changes.ts';
export { DamagedRecordError, verifiedValue } from './checksum.ts';
export { newSum, sumsOf } from './entry-sums.ts';
export { checkFile, checkHead, findDamagedIndexes } from './file/check-file.ts';
export { DamagedFileError } from './file/damaged-file.ts';
export { StorageFailure } from './file/disk-space.ts';
export { eraseUnusedBytes } from './file/erase-unused-bytes.ts';
export {
  type Claim,
  COMPACTED,
  checkFormat,
  claimFolder,
  findLiveOwner,
  findLiveSocket,
  isServed,
  namesLiveOwner,
  prepareFolder,
  removeOwner,
} from './file/folder.ts';
export { importFolderOf } from './file/import-folder.ts';
export { type Meta, readMeta, readTreeInfo, type TreeInfo } from './file/meta.ts';
export { openPageFile, type PageFile } from './file/page-file.ts';
export { readRows } from './file/read-rows.ts';
export { renewBoundaryKeys } from './file/renew-boundary-keys.ts';
export { boundResidentPages } from './file/resident-pages.ts';
export { restoreFolderOf } from './file/restore-folder.ts';
export { createGarbage, startCleaning } from './garbage.ts';
export { createWriteQueue, LockWait, OUT_OF_SPACE, type WriteQueue } from './group-commit.ts';
export { type HistoryLimits, startHistoryTrimming } from './history-trimming.ts';
export { keysOf, NEW_INDEX_LIMITS, storedKey, truncateBound } from './index-entries.ts';
export { LARGE_VALUE, paddedCopy, precomputeChecksum } from './padded-value.ts';
export { createReader, type Entry, type Reader, type Row } from './reader.ts';
export {
  isCommitted,
  openStatementHistory,
  recordCommit,
  removeOldSessions,
  SESSION_TIMEOUT_MINUTES,
  type StatementHistory,
  verifiedSession,
} from './sessions.ts';
export { createSnapshots, type Snapshot, type Snapshots, snapshotTooOld } from './snapshots.ts';
export { ALL_CHECKED, openStorage, type Storage } from './storage.ts';
export { ALL_KEYS, idPrefix, type KeyRange, prefixRange, successor, type Table } from './table.ts';
export { createTransactions, noSuchTransaction, type Transaction, type Transactions } from './transactions.ts';
export { upgradeChecksums } from './upgrade-checksums.ts';
export type { UncommittedRecord, View, Writer } from './view.ts';
