import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Document } from 'mongodb';
import { isSliceOver, nextSlice } from '../lib/time-slice.ts';
import type { ReadBudget } from '../limits/read-budget.ts';
import { decodeBson } from './decode-bson.ts';

/** Heap for decoded records, without and with a record cache, which has the records that are read most. */
const MAX_BYTES = 12 * 1_048_576;
const MAX_BYTES_BESIDE_RECORD_CACHE = 6 * 1_048_576;
/** Heap of a decoded record per stored byte. */
export const TIMES_STORED = 1.5;
/** The same with its completed fields and their JSON (`schema/plan/forms.ts`), which it has once it is used again. */
export const TIMES_COMPLETED = 5;

interface Stored {
  /** Size in the database, in bytes. */
  bytes: number;
  /** SHA-256 of the bytes, in base64; null for a changed copy. */
  digest: string | null;
  /** Whether an execution has completed fields of the record. */
  isCompleted: boolean;
}

const createCache = (maxSize: number) =>
  new LRUCache<string, Document>({ maxSize, sizeCalculation: (record) => TIMES_COMPLETED * storedBytes(record) });

let cache = createCache(MAX_BYTES);

/** Takes less memory for decoded records, in a process with a record cache. */
export function shrinkDecodedRecords(): void {
  if (cache.maxSize > MAX_BYTES_BESIDE_RECORD_CACHE) cache = createCache(MAX_BYTES_BESIDE_RECORD_CACHE);
}

/**
 * Decodes a record, or returns the cached object if its bytes have not changed since it was last decoded. Objects are
 * frozen because requests share them. Decoding is most of the cost of a read, and most records of a page have not
 * changed since the previous read. The bytes come from the database each time, so a cached record is never stale.
 */
export function decodeRecord(bytes: Buffer): Document {
  const id = idOf(bytes);
  const digest = hash('sha256', bytes, 'base64');
  const known = id === null ? undefined : cache.get(id);
  if (known && stored.get(known)!.digest === digest) return known;
  const record = decodeBson(bytes);
  stored.set(record, { bytes: bytes.length, digest, isCompleted: false });
  if (id !== null) cache.set(id, record);
  return record;
}

/** One entry for each record: garbage collection visits all of them. */
const stored = new WeakMap<object, Stored>();

/** Size of a record in the database, in bytes; 0 for objects that {@link decodeRecord} did not return. */
export function storedBytes(record: object): number {
  return stored.get(record)?.bytes ?? 0;
}

/** SHA-256 digest of the bytes of a record, in base64; null for objects that {@link decodeRecord} did not return. */
export function storedDigest(record: object): string | null {
  return stored.get(record)?.digest ?? null;
}

/** Gives a changed copy the stored size of the original record. */
export function copyStoredSize<Value extends object>(copy: Value, record: object): Value {
  stored.set(copy, { bytes: storedBytes(record), digest: null, isCompleted: false });
  return copy;
}

/**
 * Notes that fields of a record are completed.
 * @returns whether some were completed before; false for objects that are not stored records
 */
export function markCompleted(record: object): boolean {
  const known = stored.get(record);
  if (!known) return false;
  const { isCompleted } = known;
  known.isCompleted = true;
  return isCompleted;
}

/**
 * Decodes the records of one reply in time slices, so that a large reply does not block the event loop.
 *
 * @param budget of the request that reads them; charged before decoding
 * @throws {OperationError} TOO_LARGE when the budget is exceeded
 */
export async function decodeRecords(found: readonly Buffer[], budget?: ReadBudget): Promise<Document[]> {
  if (budget) for (const bytes of found) budget.charge(bytes.length);
  const records: Document[] = [];
  for (const bytes of found) {
    records.push(decodeRecord(bytes));
    if (isSliceOver()) await nextSlice();
  }
  return records;
}

/** BSON type and name of the element `_id` with an ObjectId, with which records begin. */
const ID_ELEMENT = Buffer.from('\x07_id\0', 'latin1');
const ID_AT = 4 + ID_ELEMENT.length;

function idOf(bytes: Buffer): string | null {
  const isFirst = bytes.length > ID_AT + 12 && bytes.compare(ID_ELEMENT, 0, ID_ELEMENT.length, 4, ID_AT) === 0;
  return isFirst ? bytes.toString('latin1', ID_AT, ID_AT + 12) : null;
}
