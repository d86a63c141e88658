import type { Readable } from 'node:stream';
import type { ByteRange } from './byte-range.ts';

/** Stores the bytes of files under ids that the gateway generates. No path or key contains text from a client. */
export interface FileStorage {
  /** Stores all bytes, or nothing when the stream ends in an error. @throws {StorageError} when the storage is unavailable or full */
  put(fileId: string, bytes: Readable): Promise<void>;
  /**
   * @param range only these bytes, which are within the file
   * @returns null for a file that does not exist @throws {StorageError}
   */
  get(fileId: string, range?: ByteRange | null): Promise<StoredBytes | null>;
  /** Has no effect when the file does not exist. @throws {StorageError} */
  remove(fileId: string): Promise<void>;
}

export interface StoredBytes {
  bytes: Readable;
  /** The length of `bytes`. */
  size: number;
}

const PLAIN_ID = /^[A-Za-z0-9_-]{1,100}$/;

/** Whether an id may become part of a path: generated ids are plain. */
export function isPlainId(fileId: string): boolean {
  return PLAIN_ID.test(fileId);
}
