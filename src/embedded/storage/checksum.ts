import { crc32 } from 'node:zlib';
import { checksumAfter, extendBack } from './padded-value.ts';

const SIZE = 4;

/** Thrown for a stored value that differs from what was written. The caller adds the name of the collection. */
export class DamagedRecordError extends Error {
  readonly collectionId: number;
  readonly recordId: number;

  constructor(collectionId: number, recordId: number, fault: string) {
    super(fault);
    this.collectionId = collectionId;
    this.recordId = recordId;
  }
}

const checksumOf = (key: Uint8Array, value: Uint8Array): number => crc32(value, crc32(key));

/**
 * Appends the checksum of key and value to a value. For a padded value the result is valid only until the next call,
 * which overwrites the checksum.
 */
export function withChecksum(key: Uint8Array, value: Uint8Array): Buffer {
  const checksum = checksumAfter(crc32(key), value);
  const padded = extendBack(value);
  const sealed = padded ?? Buffer.allocUnsafe(value.length + SIZE);
  if (!padded) sealed.set(value);
  sealed.writeUInt32LE(checksum, value.length);
  return sealed;
}

/** Whether a stored value ends with its checksum. */
export function hasChecksum(key: Uint8Array, stored: Buffer): boolean {
  if (stored.length < SIZE) return false;
  const end = stored.length - SIZE;
  return stored.readUInt32LE(end) === checksumOf(key, stored.subarray(0, end));
}

/**
 * The value without its checksum; undefined if the checksum does not match.
 *
 * @param isRequired false while the store still contains documents that an earlier version wrote without a checksum
 */
export function verifiedValue(key: Uint8Array, stored: Buffer, isRequired: boolean): Buffer | undefined {
  if (hasChecksum(key, stored)) return stored.subarray(0, stored.length - SIZE);
  const isWhole = !isRequired && stored.length >= SIZE && stored.readInt32LE(0) === stored.length;
  return isWhole ? stored : undefined;
}

/** The amount that an entry adds to the checksum of its index, which detects lost and changed entries. */
export const entryChecksum = (key: Uint8Array): number => crc32(key);
