import { chmod, copyFile, mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { disown } from '../folder.ts';
import { openStorage } from '../storage.ts';
import { openFolder } from './open-folder.ts';
import { syncPath } from './sync.ts';

export interface CopiedStore {
  bytes: number;
  /** The process that served the store meanwhile. */
  owner: string | undefined;
}

/**
 * Copies a store, as it is at one moment and without its free pages, into a new folder. Whoever serves it goes on
 * writing. What the new folder holds is on disk when this resolves, and belongs to nobody.
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
  disown(copy);
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
