import type { Database } from 'lmdb';

/** A table of the storage file. */
export type Table = Database<Buffer, Buffer>;

/** A half-open range of keys in byte order. */
export interface KeyRange {
  start: Buffer;
  end: Buffer;
}

/** All keys that begin with the id of a collection or an index. */
export const ALL_KEYS: KeyRange = { start: Buffer.alloc(4), end: Buffer.alloc(4, 0xff) };

/** The four-byte prefix of all keys of a collection or an index. */
export function idPrefix(id: number): Buffer {
  const prefix = Buffer.allocUnsafe(4);
  prefix.writeUInt32BE(id, 0);
  return prefix;
}

/** The key of a record in `records`. */
export function recordKey(collectionId: number, recordId: number): Buffer {
  const key = Buffer.allocUnsafe(12);
  key.writeUInt32BE(collectionId, 0);
  writeRecordId(key, recordId, 4);
  return key;
}

/** The key of an index entry in `entries`. */
export function entryKey(key: Buffer, recordId: number): Buffer {
  const whole = Buffer.allocUnsafe(key.length + 8);
  key.copy(whole, 0);
  writeRecordId(whole, recordId, key.length);
  return whole;
}

/** Record ids are integers below 2^48. */
function writeRecordId(target: Buffer, recordId: number, at: number): void {
  target.writeUInt16BE(0, at);
  target.writeUIntBE(recordId, at + 2, 6);
}

/** The record id at the end of the key of a record or an entry. */
export const recordIdOf = (key: Buffer): number => key.readUIntBE(key.length - 6, 6);

/** All keys that begin with `prefix`. */
export const prefixRange = (prefix: Buffer): KeyRange => ({ start: prefix, end: successor(prefix) });

/** The first key after all that begin with `prefix`. */
export function successor(prefix: Buffer): Buffer {
  let length = prefix.length;
  while (length > 0 && prefix[length - 1] === 0xff) length--;
  const next = Buffer.from(prefix.subarray(0, length));
  if (length > 0) next[length - 1]!++;
  return next;
}
