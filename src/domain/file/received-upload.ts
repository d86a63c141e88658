import { OperationError } from '../../errors.ts';
import type { StoredUpload } from './create-files.ts';

declare const brand: unique symbol;
/**
 * A file that the current request uploaded, as a value of its input. It has no properties, so that a client that names it
 * where JSON is expected stores nothing of it.
 */
export type ReceivedUpload = { readonly [brand]: true };

interface Received {
  upload: StoredUpload;
  /** Whether a record may refer to it; the bytes of others are removed at the end of the request. */
  isKept: boolean;
}

const received = new WeakMap<object, Received>();

export function receivedUpload(upload: StoredUpload): ReceivedUpload {
  const value = Object.freeze({}) as ReceivedUpload;
  received.set(value, { upload, isKept: false });
  return value;
}

export function isReceivedUpload(value: unknown): value is ReceivedUpload {
  return typeof value === 'object' && value !== null && received.has(value);
}

export function isKept(value: ReceivedUpload): boolean {
  return received.get(value)?.isKept === true;
}

export function setKept(values: readonly ReceivedUpload[], isKept: boolean): void {
  for (const value of values) received.get(value)!.isKept = isKept;
}

/** @throws {OperationError} INVALID_PARAMETERS for a file that is named twice, also by another field of the request */
export function uploadsOf(values: readonly ReceivedUpload[]): StoredUpload[] {
  if (new Set(values).size < values.length || values.some(isKept)) {
    throw new OperationError('INVALID_PARAMETERS', { detail: ['files: each file only once'], path: ['files'] });
  }
  return values.map((value) => received.get(value)!.upload);
}
