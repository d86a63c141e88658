import { LRUCache } from 'lru-cache';
import type { Document } from 'mongodb';
import { isSliceOver, nextSlice } from '../lib/time-slice.ts';
import type { ReadBudget } from '../limits/read-budget.ts';
import { decodeLazily, frozen } from './lazy-document.ts';

/** Heap that kept records hold at most, as stored and decoded. */
const MAX_BYTES = 12 * 1_048_576;
/** A decoded record takes about four times the bytes that are stored, which are kept beside it. */
const TIMES_STORED = 5;

interface Decoded {
  bytes: Buffer;
  record: Document;
}

const kept = new LRUCache<string, Decoded>({
  maxSize: MAX_BYTES,
  sizeCalculation: ({ bytes }) => TIMES_STORED * bytes.length,
});

/**
 * Decodes a record unless its bytes are the same as when it was decoded last: then the same object is given again,
 * frozen, so that nobody changes it for the others. Decoding is most of what a read costs, and most records of a page
 * are as they were a moment ago. Since the bytes come from the database each time, nothing is ever out of date.
 */
export function decodeRecord(bytes: Buffer): Document {
  const id = idOf(bytes);
  const known = id === null ? undefined : kept.get(id);
  if (known?.bytes.equals(bytes)) return known.record;
  // A copy outside of the pool: these bytes are a part of the whole answer, and a slice of the pool keeps 8 KB of it.
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  const record = frozen(decodeLazily(own)) as Document;
  stored.set(record, own.length);
  if (id !== null) kept.set(id, { bytes: own, record });
  return record;
}

const stored = new WeakMap<object, number>();

/** Bytes that a record has in the database; 0 for what {@link decodeRecord} did not decode. */
export function storedBytes(record: object): number {
  return stored.get(record) ?? 0;
}

/** Counts a changed copy of a record as the record itself. */
export function countAs<Value extends object>(copy: Value, record: object): Value {
  stored.set(copy, storedBytes(record));
  return copy;
}

/**
 * Decodes the records of one answer, however large, without blocking the event loop for all of them.
 *
 * @param budget of the request that reads them; charged before anything is decoded
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

/** Type and name of an element that is an internal id, as its record begins with it. */
const ID_ELEMENT = Buffer.from('\x07_id\0', 'latin1');
const ID_AT = 4 + ID_ELEMENT.length;

function idOf(bytes: Buffer): string | null {
  const isFirst = bytes.length > ID_AT + 12 && bytes.compare(ID_ELEMENT, 0, ID_ELEMENT.length, 4, ID_AT) === 0;
  return isFirst ? bytes.toString('latin1', ID_AT, ID_AT + 12) : null;
}
