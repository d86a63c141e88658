import { mkdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ConfigError } from '../config.ts';

const REASONS: { readonly [code: string]: string } = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  EEXIST: 'it is a file',
  ENOTDIR: 'a part of the path is a file',
  ENOENT: 'this file system takes no folders',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'its links lead to themselves',
};

/**
 * Creates the data folder, and a folder in it, for its owner only.
 * @throws {ConfigError} for a folder that cannot be created
 */
export async function createDataFolder(folder: string, ...below: string[]): Promise<void> {
  for (const path of new Set([folder, join(folder, ...below)])) {
    await createFolder(resolve(path)).catch((error: unknown) => {
      throw explainDataFolder(error, `${path} cannot be created`);
    });
  }
}

/**
 * Creates a folder and those above it. The recursive `mkdir` of Node.js never ends where the system denies that a folder exists
 * whose parent does, as in /proc.
 */
async function createFolder(path: string): Promise<void> {
  try {
    await createOne(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error;
    await createFolder(dirname(path));
    await createOne(path);
  }
}

async function createOne(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    const isFolder = await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isFolder) throw error;
  }
}

/**
 * Turns an error of the file system that another DATA_DIR avoids into a {@link ConfigError}; returns other errors unchanged.
 * @param problem what failed, with the path
 */
export function explainDataFolder(error: unknown, problem: string): unknown {
  const reason = REASONS[String((error as NodeJS.ErrnoException | null)?.code)];
  if (reason === undefined) return error;
  return new ConfigError(`DATA_DIR: ${problem}: ${reason}. Name a folder that this user may write.`, { cause: error });
}
