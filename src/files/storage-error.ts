import { OperationError } from '../errors.ts';

/**
 * The storage of files cannot serve this request now, a later one it may: answered with 503 and `Retry-After`.
 * The cause is for the log.
 */
export class StorageError extends OperationError {
  constructor(message: string, cause: unknown) {
    super('UNAVAILABLE', { message });
    this.name = 'StorageError';
    this.cause = cause;
  }
}

const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const READ_ONLY: ReadonlySet<unknown> = new Set(['EROFS', 'EACCES', 'EPERM']);

/** What a failed write to the folder of files means; other errors, such as those of the sender, as they are. */
export function folderError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (FULL.has(code)) return new StorageError('The storage of files is full: nothing was stored.', error);
  if (READ_ONLY.has(code)) return new StorageError('The storage of files takes no writes: nothing was stored.', error);
  return error;
}

/** What a failed call of the bucket means. */
export function bucketError(error: unknown): StorageError {
  return new StorageError('The storage of files does not answer right now.', error);
}
