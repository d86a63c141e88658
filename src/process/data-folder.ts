import { join, resolve } from 'node:path';
import { ConfigError } from '../config.ts';
import { ensureFolder, folderRefusal } from '../lib/ensure-folder.ts';

/**
 * Creates the data folder, and a folder in it, for its owner only.
 * @throws {ConfigError} for a folder that cannot be created
 */
export async function createDataFolder(folder: string, ...below: string[]): Promise<void> {
  for (const path of new Set([folder, join(folder, ...below)])) {
    await ensureFolder(resolve(path)).catch((error: unknown) => {
      throw explainDataFolder(error, `${path} cannot be created`);
    });
  }
}

/**
 * Turns an error of the file system that another DATA_DIR avoids into a {@link ConfigError}; returns other errors unchanged.
 * @param problem what failed, with the path
 */
export function explainDataFolder(error: unknown, problem: string): unknown {
  const reason = folderRefusal(error);
  if (reason === undefined) return error;
  return new ConfigError(`DATA_DIR: ${problem}: ${reason}. Name a folder that this user may write.`, { cause: error });
}
