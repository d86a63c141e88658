import { LRUCache } from 'lru-cache';
import { BSON, type Document } from 'mongodb';
import { isSliceOver, nextSlice } from '../time-slice.ts';

/** Heap that kept records hold at most, as stored and decoded. */
const MAX_BYTES = 40 * 1_048_576;
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
  if (id === null) return BSON.deserialize(bytes);
  const known = kept.get(id);
  if (known?.bytes.equals(bytes)) return known.record;
  const record = freeze(BSON.deserialize(bytes)) as Document;
  // A copy, for these bytes are a part of the whole answer and would keep all of it in memory.
  kept.set(id, { bytes: Buffer.from(bytes), record });
  return record;
}

/** Decodes the records of one answer, however large, without blocking the event loop for all of them. */
export async function decodeRecords(found: readonly Buffer[]): Promise<Document[]> {
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

/** Freezes objects and lists; dates and ids cannot be frozen and are nobody's to change either. */
function freeze(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype) return value;
  for (const inner of Object.values(value)) freeze(inner);
  return Object.freeze(value);
}
