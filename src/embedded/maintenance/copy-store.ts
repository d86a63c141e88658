import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { syncPath } from '../../lib/sync-path.ts';
import { eraseUnusedBytes, openStorage, removeOwner, renewBoundaryKeys } from '../storage/index.ts';
import { clearHistory } from './clear-history.ts';
import { createFreeList } from './empty-transactions.ts';
import { FolderError, openFolder } from './open-folder.ts';

export interface CopiedStore {
  bytes: number;
  /** The process that served the store during the copy. */
  owner: string | undefined;
}

/**
 * Copies one snapshot of a store, without free pages and earlier versions of records, into a new folder, while its server continues to write. When this
 * resolves, the copy is on disk, has no owner and starts a new change log.
 *
 * @throws FolderError if there is no store to copy, or the copy is removed meanwhile
 */
export async function copyStore(from: string, to: string): Promise<CopiedStore> {
  const { storage, owner } = await openFolder(from);
  const file = join(to, 'store.mdb');
  try {
    await mkdir(to, { mode: 0o700 });
    await storage.root.backup(file, true);
  } finally {
    await storage.close();
  }
  // Otherwise a new store would be created under its name.
  if (!existsSync(file)) throw new FolderError(`${file} was removed while it was written`);
  await copyFile(join(from, 'format.json'), join(to, 'format.json'));
  const copy = openStorage({ folder: to, isMemory: false });
  createFreeList(copy.root);
  // The original continues: its later changes never happen in the copy, and no client repeats a write there.
  clearHistory(copy);
  removeOwner(copy);
  await copy.close();
  // After the last write: deletions leave the keys of deleted rows as boundaries.
  renewBoundaryKeys(file);
  eraseUnusedBytes(file);
  // The lock file lists processes; no process uses the copy.
  await rm(`${file}-lock`, { force: true });
  for (const path of [file, join(to, 'format.json')]) {
    await chmod(path, 0o600);
    await syncPath(path);
  }
  await syncPath(to);
  return { bytes: (await stat(file)).size, owner };
}

/**
 * Removes the change log from a store that is not open, such as a backup by an earlier version: subscribers get error
 * 286 and reload everything. Otherwise they would resume on restored data as if nothing were missing.
 */
export async function removeChangeLog(folder: string): Promise<void> {
  const storage = openStorage({ folder, isMemory: false });
  storage.changes.clearSync();
  await storage.close();
}
