import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { checkFile, checkFormat, checkHead, findLiveOwner, openStorage, type Storage } from '../storage/index.ts';

export interface OpenFolder {
  storage: Storage;
  /** The process that serves this store right now. */
  owner: string | undefined;
}

/** A folder that cannot be worked on, in words for people. */
export class FolderError extends Error {}

/**
 * Opens a store beside whoever may be serving it. lmdb lets any number of processes read, each its own snapshot,
 * without slowing the one that writes; so a check or a backup takes no time from the thread that serves the gateway,
 * and works the same when nobody serves. After a crash the opening restores the last state on disk, as the next
 * start would.
 *
 * @throws FolderError when there is no store, or one of a newer version
 */
export async function openFolder(folder: string): Promise<OpenFolder> {
  const file = join(folder, 'store.mdb');
  if (!existsSync(file) || !existsSync(join(folder, 'format.json'))) throw new FolderError(`${folder} holds no store`);
  let storage: Storage | undefined;
  try {
    checkFormat(folder);
    checkHead(file);
    storage = openStorage({ folder, isMemory: false });
    checkPinned(storage, file);
    return { storage, owner: await findLiveOwner(folder, storage) };
  } catch (error) {
    await storage?.close();
    throw new FolderError(error instanceof Error ? error.message : String(error));
  }
}

/** While another process writes, a pinned snapshot keeps its pages. */
function checkPinned(storage: Storage, file: string): void {
  const pinned = storage.pin();
  try {
    checkFile(file, true);
  } finally {
    pinned.release();
  }
}

/** Whether a folder holds a store that some process serves. */
export async function ownerOf(folder: string): Promise<string | undefined> {
  if (!existsSync(join(folder, 'store.mdb'))) return undefined;
  const { storage, owner } = await openFolder(folder);
  await storage.close();
  return owner;
}
