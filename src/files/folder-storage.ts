import { createReadStream, createWriteStream } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ensureFolder } from '../lib/ensure-folder.ts';
import { type FileStorage, isPlainId } from './file-storage.ts';
import { folderError } from './storage-error.ts';

/** The folder of stored files inside the data folder. */
export function filesFolder(dataDir: string): string {
  return join(dataDir, 'files');
}

/** Stores each file under its id in `DATA_DIR/files`. Several gateways may share one folder. */
export function createFolderStorage(dataDir: string): FileStorage {
  const folder = filesFolder(dataDir);
  void removeOldParts(folder).catch(() => undefined);
  const pathOf = (fileId: string) => {
    if (!isPlainId(fileId)) throw new Error('Not a file id.');
    return join(folder, fileId);
  };
  return {
    async put(fileId, bytes) {
      const path = pathOf(fileId);
      // A file appears under its name only when it is complete, even if the process crashes meanwhile.
      const part = `${path}.part`;
      try {
        await ensureFolder(folder, 0o777);
        await pipeline(bytes, createWriteStream(part, { flags: 'wx', flush: true }));
        await rename(part, path);
      } catch (error) {
        await rm(part, { force: true });
        throw folderError(error);
      }
    },
    async get(fileId, range) {
      const handle = await open(pathOf(fileId)).catch(() => null);
      if (!handle) return null;
      const found = await handle.stat();
      if (!found.isFile()) {
        await handle.close();
        return null;
      }
      const size = range ? range.end - range.start + 1 : found.size;
      return { size, bytes: createReadStream('', { fd: handle, ...range }) };
    },
    remove: (fileId) => rm(pathOf(fileId), { force: true }),
  };
}

const DAY_MS = 86_400_000;

/** Removes partial uploads of processes that have crashed. Younger ones may still be in progress. */
async function removeOldParts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (name.endsWith('.part') && Date.now() - (await stat(path)).mtimeMs > DAY_MS) await rm(path, { force: true });
  }
}
