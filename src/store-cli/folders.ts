import type { Dirent } from 'node:fs';
import { constants, copyFile, lstat, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { syncPath } from '../embedded/maintenance/index.ts';
import { Failure } from './command.ts';

/** What a folder is called until all of it is on disk. */
const partial = (folder: string): string => join(dirname(resolve(folder)), `.${basename(resolve(folder))}.partial`);

/**
 * Makes a folder that is there with everything in it, or not at all: `fill` writes into one beside it, which gets the
 * name once it is on disk. What an interrupted attempt has left is removed by the next one.
 *
 * @throws Failure when something is in the place already
 */
export async function createFolder(folder: string, fill: (into: string) => Promise<void>): Promise<void> {
  await assertFree(folder);
  const into = partial(folder);
  await rm(into, { recursive: true, force: true });
  await mkdir(into, { recursive: true, mode: 0o700 });
  try {
    await fill(into);
    await syncTree(into);
    await rename(into, folder).catch(explainRename(folder));
  } catch (error) {
    await rm(into, { recursive: true, force: true });
    throw error;
  }
  await syncPath(dirname(resolve(folder)));
}

/** @throws Failure unless there is nothing at `folder`, or an empty folder */
export async function assertFree(folder: string): Promise<void> {
  const found = await lstat(folder).catch(() => undefined);
  if (!found) return;
  const isEmpty = found.isDirectory() && (await readdir(folder)).length === 0;
  if (!isEmpty) throw new Failure(`${folder} is there already; nothing is overwritten.`);
}

export function explainRename(folder: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error.code !== 'EBUSY' && error.code !== 'EXDEV') throw error;
    throw new Failure(`${folder} is where a disk is mounted: name a folder inside it.`);
  };
}

/**
 * Copies files and folders of any depth; a file that is deleted meanwhile is left out, sockets and the like too.
 * Links are followed.
 *
 * @returns how many files there are
 */
export async function copyTree(from: string, to: string): Promise<number> {
  const found = await stat(from).catch(gone);
  if (!found) return 0;
  if (found.isFile()) {
    const copied = await copyFile(from, to, constants.COPYFILE_FICLONE).then(() => true, gone);
    return copied ? 1 : 0;
  }
  if (!found.isDirectory()) return 0;
  await mkdir(to, { recursive: true, mode: 0o700 });
  let files = 0;
  for (const name of await readdir(from)) files += await copyTree(join(from, name), join(to, name));
  return files;
}

function gone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** Puts a folder with everything in it on disk. */
export async function syncTree(folder: string): Promise<void> {
  const entries: Dirent[] = await readdir(folder, { withFileTypes: true });
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await syncTree(path);
    else await syncPath(path);
  }
  await syncPath(folder);
}

export const isInside = (path: string, folder: string): boolean => {
  const way = relative(resolve(folder), resolve(path));
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`));
};
