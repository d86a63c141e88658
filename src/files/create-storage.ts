import type { Config } from '../config.ts';
import type { FileStorage } from './file-storage.ts';
import { createFolderStorage } from './folder-storage.ts';
import { createS3Storage } from './s3-storage.ts';

/** Stores files in the configured bucket, or in the data folder by default. */
export function createStorage(config: Config): FileStorage {
  return config.BUCKET_NAME === undefined ? createFolderStorage(config.DATA_DIR) : createS3Storage(config);
}
