import { chmodSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';
import { syncPathNow } from '../../lib/sync-path.ts';
import {
  type Claim,
  COMPACTED,
  claimFolder,
  eraseUnusedBytes,
  openStorage,
  removeOwner,
  renewBoundaryKeys,
  type Storage,
} from '../storage/index.ts';
import { clearHistory } from './clear-history.ts';
import { commitEmptyTransaction, createFreeList, lastTransaction } from './empty-transactions.ts';
import { FolderError, openFolder } from './open-folder.ts';

type Root = RootDatabase<Buffer, Buffer>;

const BINARY = { keyEncoding: 'binary', encoding: 'binary' } as const;

export interface Compaction {
  before: number;
  after: number;
}

/**
 * Writes a copy of the store without free pages and earlier versions of records, and replaces the file with it. The store must not be served; the folder
 * is claimed during the compaction. The copy is compared with the original, row by row, before it is renamed, so a
 * crash at any moment leaves one of the two files, complete.
 *
 * @throws FolderError if the store is in use, the disk has too little space, or the copy differs
 */
export async function compactStore(folder: string): Promise<Compaction> {
  const { storage, owner } = await openFolder(folder);
  const file = join(folder, 'store.mdb');
  const compacted = join(folder, COMPACTED);
  let claim: Claim | undefined;
  const before = statSync(file).size;
  try {
    if (owner !== undefined) throw new FolderError(`${owner} serves the store: stop it, then compact`);
    claim = await claimFolder(folder, storage).catch((error: Error) => {
      throw new FolderError(error.message);
    });
    assertDiskSpace(folder, storage);
    assertNoOtherReader(storage);
    clearHistory(storage);
    makeTransactionOdd(storage.root);
    await storage.root.backup(compacted, true);
    await finishCopy(storage.root, compacted);
    eraseUnusedBytes(compacted);
    assertNoOtherReader(storage);
  } catch (error) {
    if (claim) rmSync(compacted, { force: true });
    claim?.release();
    throw error;
  } finally {
    await storage.close();
  }
  chmodSync(compacted, 0o600);
  syncPathNow(compacted);
  renameSync(compacted, file);
  syncPathNow(folder);
  const renewed = openStorage({ folder, isMemory: false });
  removeOwner(renewed);
  await renewed.close();
  claim.abandon();
  return { before, after: statSync(file).size };
}

function assertDiskSpace(folder: string, { root }: Storage): void {
  const { lastPageNumber, pageSize } = root.getStats() as { lastPageNumber: number; pageSize: number };
  const { bavail, bsize } = statfsSync(folder);
  const [free, needed] = [bavail * bsize, (lastPageNumber + 1) * pageSize];
  if (free >= needed) return;
  const inMiB = (bytes: number) => `${Math.ceil(bytes / 2 ** 20)} MiB`;
  throw new FolderError(
    `compacting needs up to ${inMiB(needed)} in addition to the store, the disk has ${inMiB(free)}`,
  );
}

/** Asserts that no process reads the old file: it would share the lock file with processes that open the new one. */
function assertNoOtherReader({ root }: Storage): void {
  const readers = [...String(root.readerList()).matchAll(/^ *(\d+) /gm)].map(([, pid]) => Number(pid));
  const other = readers.find((pid) => pid !== process.pid);
  if (other !== undefined) throw new FolderError(`process ${other} reads the store: wait until it ends, then compact`);
}

/** Makes the transaction number odd: a compacted copy has the same number if it is odd, else the next one. */
function makeTransactionOdd(root: Root): void {
  if (lastTransaction(root) % 2 === 0) commitEmptyTransaction(root);
}

/**
 * Prepares the copy for use, removes keys of deleted rows from it, and compares all rows of all tables. Afterwards both
 * files have the same transaction number: a process that has just opened the old file writes this number to the lock file,
 * where readers of the new file find it.
 */
async function finishCopy(root: Root, copyFile: string): Promise<void> {
  await withCopy(copyFile, (copy) => {
    createFreeList(copy);
    while (lastTransaction(root) < lastTransaction(copy)) commitEmptyTransaction(root);
  });
  renewBoundaryKeys(copyFile);
  await withCopy(copyFile, (copy) => {
    for (const key of root.getKeys()) {
      const name = Buffer.from(key).toString().replace(/\0$/, '');
      const rows = copy.openDB<Buffer, Buffer>(name, BINARY).getRange({})[Symbol.iterator]();
      for (const row of root.openDB<Buffer, Buffer>(name, BINARY).getRange({})) {
        const { value: other, done } = rows.next();
        if (done || !row.key.equals(other.key) || !row.value.equals(other.value)) throw unequal(name);
      }
      if (!rows.next().done) throw unequal(name);
    }
  });
}

async function withCopy(copyFile: string, work: (copy: Root) => void): Promise<void> {
  const copy = open<Buffer, Buffer>({ path: copyFile, noSubdir: true, ...BINARY });
  try {
    work(copy);
  } finally {
    await copy.close();
    rmSync(`${copyFile}-lock`, { force: true });
  }
}

const unequal = (table: string): FolderError =>
  new FolderError(`the compacted copy differs in table '${table}'; the store is unchanged: run check`);
