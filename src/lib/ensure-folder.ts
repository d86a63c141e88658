import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder and those above it, unless they exist. The recursive `mkdir` of Node.js never ends where the system denies
 * that a folder exists whose parent does, as in /proc.
 * @param mode the permissions of new folders: only those of the owner by default
 * @returns whether the folder is new
 */
export async function ensureFolder(path: string, mode = 0o700): Promise<boolean> {
  try {
    return await createOne(path, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error;
    await ensureFolder(dirname(path), mode);
    return createOne(path, mode);
  }
}

async function createOne(path: string, mode: number): Promise<boolean> {
  try {
    await mkdir(path, { mode });
    return true;
  } catch (error) {
    const isFolder = await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isFolder) throw error;
    return false;
  }
}

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

/** Why the system refused a folder; undefined for an error that another path does not avoid. */
export const folderRefusal = (error: unknown): string | undefined =>
  REASONS[String((error as NodeJS.ErrnoException | null)?.code)];
