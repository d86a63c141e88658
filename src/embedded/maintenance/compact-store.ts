import { chmodSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';
import {
  type Claim,
  COMPACTED,
  claimFolder,
  openStorage,
  removeOwner,
  type Storage,
  syncPathNow,
} from '../storage/index.ts';
import { FolderError, openFolder } from './open-folder.ts';
import { lastTransaction, settle, step } from './transactions.ts';

type Root = RootDatabase<Buffer, Buffer>;

const BINARY = { keyEncoding: 'binary', encoding: 'binary' } as const;

export interface Compaction {
  before: number;
  after: number;
}

/**
 * Writes the store anew without its free pages and puts the new file in the place of the old one. Nobody may serve
 * the store; the folder is claimed meanwhile. The new file is compared with the old one, row by row, before it takes
 * its name, so that a crash at any moment leaves one or the other, each whole.
 *
 * @throws FolderError when the store is in use, the disk has too little room, or the copy is not equal
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
    assertRoom(folder, storage);
    assertAlone(storage);
    makeOdd(storage.root);
    await storage.root.backup(compacted, true);
    await finishCopy(storage.root, compacted);
    assertAlone(storage);
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

function assertRoom(folder: string, { root }: Storage): void {
  const { lastPageNumber, pageSize } = root.getStats() as { lastPageNumber: number; pageSize: number };
  const { bavail, bsize } = statfsSync(folder);
  const [free, needed] = [bavail * bsize, (lastPageNumber + 1) * pageSize];
  if (free >= needed) return;
  const inMiB = (bytes: number) => `${Math.ceil(bytes / 2 ** 20)} MiB`;
  throw new FolderError(`compacting needs up to ${inMiB(needed)} beside the store, the disk has ${inMiB(free)}`);
}

/** Whoever reads the old file would go on sharing the lock file with those who open the new one. */
function assertAlone({ root }: Storage): void {
  const readers = [...String(root.readerList()).matchAll(/^ *(\d+) /gm)].map(([, pid]) => Number(pid));
  const other = readers.find((pid) => pid !== process.pid);
  if (other !== undefined) throw new FolderError(`process ${other} reads the store: let it end, then compact`);
}

/** A compacted copy has an odd transaction number, the next one if need be; with an odd one here it is the same. */
function makeOdd(root: Root): void {
  if (lastTransaction(root) % 2 === 0) step(root);
}

/**
 * Makes the copy fit for use and compares all rows of all tables. In the end both files have the same transaction
 * number: whoever has opened the old one in the last moment leaves nothing in the lock file that misleads those who
 * open the new one.
 */
async function finishCopy(root: Root, copyFile: string): Promise<void> {
  const copy = open<Buffer, Buffer>({ path: copyFile, noSubdir: true, ...BINARY });
  try {
    settle(copy);
    while (lastTransaction(root) < lastTransaction(copy)) step(root);
    for (const key of root.getKeys()) {
      const name = Buffer.from(key).toString().replace(/\0$/, '');
      const rows = copy.openDB<Buffer, Buffer>(name, BINARY).getRange({})[Symbol.iterator]();
      for (const row of root.openDB<Buffer, Buffer>(name, BINARY).getRange({})) {
        const { value: other, done } = rows.next();
        if (done || !row.key.equals(other.key) || !row.value.equals(other.value)) throw unequal(name);
      }
      if (!rows.next().done) throw unequal(name);
    }
  } finally {
    await copy.close();
    rmSync(`${copyFile}-lock`, { force: true });
  }
}

const unequal = (table: string): FolderError =>
  new FolderError(`the compacted copy differs in table '${table}'; the store was left as it is: run check`);
