import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  checkFile,
  checkFormat,
  checkHead,
  findLiveOwner,
  findLiveSocket,
  openStorage,
  type Storage,
} from '../storage/index.ts';

export interface OpenFolder {
  storage: Storage;
  /** The process that is serving this store. */
  owner: string | undefined;
}

/** Thrown for a folder that cannot be used, with a human-readable message. */
export class FolderError extends Error {}

/**
 * Opens a store, which another process may be serving. LMDB lets any number of processes read their own snapshots
 * without slowing down the writer, so a check or a backup does not slow down the server. After a crash, opening
 * restores the last state on disk, as the next start would.
 *
 * @throws FolderError if there is no store, or one of a newer version
 */
export async function openFolder(folder: string): Promise<OpenFolder> {
  const file = join(folder, 'store.mdb');
  if (!existsSync(file) || !existsSync(join(folder, 'format.json')))
    throw new FolderError(`${folder} contains no store`);
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

/** While another process writes, a pinned snapshot protects its pages. */
function checkPinned(storage: Storage, file: string): void {
  const pinned = storage.pin();
  try {
    checkFile(file, true);
  } finally {
    pinned.release();
  }
}

/** Whether a folder contains a store that a process serves. */
export async function ownerOf(folder: string): Promise<string | undefined> {
  if (!existsSync(join(folder, 'store.mdb'))) return undefined;
  const { storage, owner } = await openFolder(folder);
  await storage.close();
  return owner;
}

/** The socket on which a process serves the store of a folder, if one does. */
export async function socketOf(folder: string): Promise<string | undefined> {
  if (!existsSync(join(folder, 'store.mdb'))) return undefined;
  const { storage } = await openFolder(folder);
  try {
    return await findLiveSocket(folder, storage);
  } finally {
    await storage.close();
  }
}
