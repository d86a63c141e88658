import { OperationError } from '../errors.ts';

/**
 * The file storage is unavailable, and the request may succeed later. Answered with 503 and `Retry-After`; the cause is
 * only logged.
 */
export class StorageError extends OperationError {
  constructor(message: string, cause: unknown) {
    super('UNAVAILABLE', { message });
    this.name = 'StorageError';
    this.cause = cause;
  }
}

const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
/** Limits of the process (`ulimit -n`) and of the system. */
const TOO_MANY_OPEN: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE']);
/** Failures of the device, and of a file system over the network whose server is away or was restarted. */
const UNREACHABLE: ReadonlySet<unknown> = new Set([
  'EIO',
  'EREMOTEIO',
  'ESTALE',
  'ENOTCONN',
  'EHOSTDOWN',
  'ENODEV',
  'ENXIO',
]);
const READ_ONLY: ReadonlySet<unknown> = new Set(['EROFS', 'EACCES', 'EPERM']);

/** Turns a failed write to the files folder into a {@link StorageError}; returns other errors, such as the sender's, unchanged. */
export function folderError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (FULL.has(code)) return new StorageError('The file storage is full: nothing was stored.', error);
  if (TOO_MANY_OPEN.has(code)) return new StorageError('Too many files are open: nothing was stored.', error);
  if (READ_ONLY.has(code)) return new StorageError('The file storage is read-only: nothing was stored.', error);
  if (UNREACHABLE.has(code)) return new StorageError('The file storage is unavailable: nothing was stored.', error);
  return error;
}

/** Turns a failed request to the bucket, or a failed read or removal in the files folder, into a {@link StorageError}. */
export function unavailableError(error: unknown): StorageError {
  return new StorageError('The file storage is unavailable.', error);
}
