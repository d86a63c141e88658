import type { Dirent } from 'node:fs';
import { lstat, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { ensureFolder, folderRefusal } from '../lib/ensure-folder.ts';
import { syncPath } from '../lib/sync-path.ts';
import { CliError } from './command.ts';

/** The name of a folder until all of it is on disk, without the random end. Each run has its own. */
const partialName = (folder: string): string => join(dirname(folder), `.${basename(folder)}.partial-${process.pid}-`);

/**
 * Creates a folder atomically: `fill` writes into a temporary folder next to it, which is renamed once everything is on
 * disk. The next attempt removes the leftovers of an interrupted one.
 *
 * @throws CliError when the folder exists and is not empty, also if another run has created it meanwhile
 */
export async function createFolder(folder: string, fill: (into: string) => Promise<void>): Promise<void> {
  await assertFree(folder);
  const path = resolve(folder);
  await ensureFolder(dirname(path)).catch((error: unknown) => {
    const reason = folderRefusal(error);
    throw reason === undefined ? error : new CliError(`${folder} cannot be created: ${reason}.`);
  });
  await removeLeftovers(path);
  const into = await mkdtemp(partialName(path));
  try {
    await fill(into);
    await syncTree(into);
    await rename(into, path).catch(async (error: NodeJS.ErrnoException) => {
      await assertFree(folder);
      explainRename(folder)(error);
    });
  } catch (error) {
    await rm(into, { recursive: true, force: true });
    throw error;
  }
  await syncPath(dirname(path));
}

/**
 * Removes the temporary folders of runs that were interrupted. They are renamed first: if one belongs to a process that
 * is not visible here, such as in another container, that run fails instead of completing a folder without some files.
 */
async function removeLeftovers(path: string): Promise<void> {
  const prefix = `.${basename(path)}.partial`;
  for (const name of await readdir(dirname(path))) {
    const suffix = name.startsWith(prefix) && /^(?:-(\d+)-\w+)?$/.exec(name.slice(prefix.length));
    if (!suffix || isOtherProcess(Number(suffix[1]))) continue;
    const removed = await mkdtemp(partialName(path));
    try {
      await rename(join(dirname(path), name), removed);
    } catch (error) {
      // Another run removes it.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    } finally {
      await rm(removed, { recursive: true, force: true });
    }
  }
}

/** Whether a process with this pid runs beside this one, which may have the pid of one in an earlier container. */
function isOtherProcess(pid: number): boolean {
  if (pid === process.pid || Number.isNaN(pid)) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
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
