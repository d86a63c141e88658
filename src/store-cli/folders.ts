import type { Dirent } from 'node:fs';
import { constants, copyFile, lstat, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { ensureFolder, folderRefusal } from '../lib/ensure-folder.ts';
import { syncPath } from '../lib/sync-path.ts';
import { CliError } from './command.ts';

/** The name of a folder until all of it is on disk. */
const partialName = (folder: string): string => join(dirname(resolve(folder)), `.${basename(resolve(folder))}.partial`);

/**
 * Creates a folder atomically: `fill` writes into a temporary folder next to it, which is renamed once everything is on
 * disk. The next attempt removes the leftovers of an interrupted one.
 *
 * @throws CliError when the folder exists and is not empty
 */
export async function createFolder(folder: string, fill: (into: string) => Promise<void>): Promise<void> {
  await assertFree(folder);
  const into = partialName(folder);
  await rm(into, { recursive: true, force: true });
  await ensureFolder(into).catch((error: unknown) => {
    const reason = folderRefusal(error);
    throw reason === undefined ? error : new CliError(`${folder} cannot be created: ${reason}.`);
  });
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

/** @throws CliError unless `folder` does not exist or is empty */
export async function assertFree(folder: string): Promise<void> {
  const found = await lstat(folder).catch(() => undefined);
  if (!found) return;
  const isEmpty = found.isDirectory() && (await readdir(folder)).length === 0;
  if (!isEmpty) throw new CliError(`${folder} already exists; nothing is overwritten.`);
}

export function explainRename(folder: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error.code !== 'EBUSY' && error.code !== 'EXDEV') throw error;
    throw new CliError(`${folder} is a mount point: use a folder inside it.`);
  };
}

/**
 * Copies files and folders recursively and follows links. Skips files that are deleted meanwhile, and sockets and other
 * special files.
 *
 * @returns the number of copied files
 */
export async function copyTree(from: string, to: string): Promise<number> {
  const found = await stat(from).catch(ignoreMissing);
  if (!found) return 0;
  if (found.isFile()) {
    const copied = await copyFile(from, to, constants.COPYFILE_FICLONE).then(() => true, ignoreMissing);
    return copied ? 1 : 0;
  }
  if (!found.isDirectory()) return 0;
  await mkdir(to, { mode: 0o700 });
  let files = 0;
  for (const name of await readdir(from)) files += await copyTree(join(from, name), join(to, name));
  return files;
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** Flushes a folder and everything in it to disk. */
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
  const fromFolder = relative(resolve(folder), resolve(path));
  return fromFolder === '' || (fromFolder !== '..' && !fromFolder.startsWith(`..${sep}`));
};
