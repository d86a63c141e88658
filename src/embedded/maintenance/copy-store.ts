import { chmod, copyFile, mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openStorage, removeOwner, syncPath } from '../storage/index.ts';
import { openFolder } from './open-folder.ts';
import { settle } from './transactions.ts';

export interface CopiedStore {
  bytes: number;
  /** The process that served the store meanwhile. */
  owner: string | undefined;
}

/**
 * Copies a store, as it is at one moment and without its free pages, into a new folder. Whoever serves it goes on
 * writing. What the new folder holds is on disk when this resolves, belongs to nobody and begins a new log of changes.
 *
 * @throws FolderError when there is no store to copy
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
  await copyFile(join(from, 'format.json'), join(to, 'format.json'));
  const copy = openStorage({ folder: to, isMemory: false });
  settle(copy.root);
  removeOwner(copy);
  // The original goes on, and what it tells from now on never happens in the copy.
  copy.changes.clearSync();
  await copy.close();
  // The lock file names processes; a copy that lies somewhere has none.
  await rm(`${file}-lock`, { force: true });
  for (const path of [file, join(to, 'format.json')]) {
    await chmod(path, 0o600);
    await syncPath(path);
  }
  await syncPath(to);
  return { bytes: (await stat(file)).size, owner };
}

/**
 * Takes the log of changes out of a store that nobody has open, such as a backup by an earlier version: whoever followed
 * it is told, by error 286, to look at everything anew. A store that has been set back would otherwise let them go on as
 * if nothing were missing.
 */
export async function forgetChanges(folder: string): Promise<void> {
  const storage = openStorage({ folder, isMemory: false });
  storage.changes.clearSync();
  await storage.close();
}
