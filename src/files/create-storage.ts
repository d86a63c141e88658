import type { Config } from '../config.ts';
import type { FileStorage } from './file-storage.ts';
import { createFolderStorage } from './folder-storage.ts';
import { createS3Storage } from './s3-storage.ts';

/** Stores files in the configured bucket, or in the data folder by default. */
export function createStorage(config: Config): FileStorage {
  if (config.BUCKET_NAME === undefined) return createFolderStorage(config.DATA_DIR);
  const loaded = createS3Storage(config);
  loaded.catch(() => undefined);
  return {
    put: async (fileId, bytes) => (await loaded).put(fileId, bytes),
    get: async (fileId, range) => (await loaded).get(fileId, range),
    remove: async (fileId) => (await loaded).remove(fileId),
  };
}
