import { createReadStream, createWriteStream } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ensureFolder } from '../lib/ensure-folder.ts';
import { syncPath } from '../lib/sync-path.ts';
import { type FileStorage, isPlainId } from './file-storage.ts';
import { folderError, unavailableError } from './storage-error.ts';

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
      // A file appears under its name only when it is complete, even if the process crashes or the power fails meanwhile.
      const part = `${path}.part`;
      try {
        if (await ensureFolder(folder, 0o777)) await syncPath(dataDir);
        await pipeline(bytes, createWriteStream(part, { flags: 'wx', flush: true }));
        await rename(part, path);
        await syncPath(folder);
      } catch (error) {
        // A folder that failed may fail again; `removeOldParts` removes the part later.
        await rm(part, { force: true }).catch(() => undefined);
        throw folderError(error);
      }
    },
    async get(fileId, range) {
      const handle = await open(pathOf(fileId)).catch(nullIfMissing);
      if (!handle) return null;
      const found = await handle.stat();
      if (!found.isFile()) {
        await handle.close();
        return null;
      }
      const size = range ? range.end - range.start + 1 : found.size;
      return { size, bytes: createReadStream('', { fd: handle, ...range }) };
    },
    async remove(fileId) {
      const path = pathOf(fileId);
      try {
        await rm(path, { force: true });
        // Also for a file that does not exist: an earlier removal may have failed before the flush.
        await syncPath(folder);
      } catch (error) {
        nullIfMissing(error as NodeJS.ErrnoException);
      }
    },
  };
}

/** Other failures, such as too many open files, do not mean that a file does not exist. @throws {StorageError} */
function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw unavailableError(error);
}

const DAY_MS = 86_400_000;

/** Removes partial uploads of processes that have crashed. Younger ones may still be in progress. */
async function removeOldParts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (name.endsWith('.part') && Date.now() - (await stat(path)).mtimeMs > DAY_MS) await rm(path, { force: true });
  }
}
