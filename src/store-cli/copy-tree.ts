import { existsSync } from 'node:fs';
import { constants, copyFile, mkdir, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';

/**
 * Copies files and folders recursively and follows links. Skips sockets and other special files.
 *
 * @param mayVanish whether files that are deleted meanwhile are skipped
 * @returns the number of copied files
 */
export async function copyTree(from: string, to: string, { mayVanish }: { mayVanish: boolean }): Promise<number> {
  const ignoreVanished = (error: NodeJS.ErrnoException): undefined => {
    // A target that has vanished is reported by the same error.
    if (!mayVanish || error.code !== 'ENOENT' || existsSync(from)) throw error;
  };
  const found = await stat(from).catch(ignoreVanished);
  if (!found) return 0;
  if (found.isFile()) {
    const copied = await copyFile(from, to, constants.COPYFILE_FICLONE).then(() => true, ignoreVanished);
    return copied ? 1 : 0;
  }
  if (!found.isDirectory()) return 0;
  await mkdir(to, { mode: 0o700 });
  let files = 0;
  for (const name of await readdir(from)) files += await copyTree(join(from, name), join(to, name), { mayVanish });
  return files;
}

/** Whether a path, which need not exist, is in a folder, also through links. */
export async function isInside(path: string, folder: string): Promise<boolean> {
  const fromFolder = relative(await realPath(folder), await realPath(path));
  return fromFolder === '' || (fromFolder !== '..' && !fromFolder.startsWith(`..${sep}`));
}

/** The path without links; names that do not exist are unchanged. */
async function realPath(path: string): Promise<string> {
  const parent = dirname(resolve(path));
  if (existsSync(path) || parent === resolve(path)) return realpath(path);
  return join(await realPath(parent), basename(path));
}
