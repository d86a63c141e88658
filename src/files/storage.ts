import type { Readable } from 'node:stream';
import type { Config } from '../config.ts';
import type { ByteRange } from './byte-range.ts';
import { createFolderStorage } from './folder-storage.ts';
import { createS3Storage } from './s3-storage.ts';

/** Where the bytes of files are kept. The gateway makes the ids; nothing a client says becomes part of a path or key. */
export interface FileStorage {
  /** Keeps all of the bytes, or, when they end in an error, none. @throws {StorageError} when they cannot be kept now */
  put(fileId: string, bytes: Readable): Promise<void>;
  /** @param range only these bytes, which lie within the file */
  get(fileId: string, range?: ByteRange | null): Promise<StoredBytes | null>;
  /** Does nothing when there is no such file. */
  remove(fileId: string): Promise<void>;
}

export interface StoredBytes {
  bytes: Readable;
  /** How many there are in `bytes`. */
  size: number;
}

/** The gateway makes file ids itself; only such a plain one ever becomes part of a path. */
const PLAIN_ID = /^[A-Za-z0-9_-]{1,100}$/;

export function isPlainId(fileId: string): boolean {
  return PLAIN_ID.test(fileId);
}

/** A bucket when one is configured, else a folder in the data folder. */
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
