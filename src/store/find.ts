import { LRUCache } from 'lru-cache';
import { BSON, type Db, type Document } from 'mongodb';
import type { CollectionName, Records } from './collections.ts';

/** All records of a collection that match. They are shared and frozen: copy before changing. */
export type Find = <Name extends CollectionName>(name: Name, filter: Document) => Promise<Records[Name][]>;

/** Bytes of records, as stored, that stay decoded. Decoded they take about four times as much. */
const KEPT_BYTES = 16 * 1_048_576;
/** Everything in the first answer; the server itself ends a batch at 16 MB. */
const ALL = 1_000_000;

/**
 * Reads records in one command that leaves them undecoded, and decodes only those whose bytes differ from what was
 * decoded last. Decoding is most of what a read costs, and most records of a page are the same as a moment ago;
 * since the bytes come from the database each time, nothing is ever out of date.
 */
export function createFind(db: Db): Find {
  const decode = createDecoder();
  return async (name, filter) => {
    const found = await findRaw(db, name, filter).catch(() => null);
    // A cursor of its own follows batches, and repeats a read that the network broke.
    if (!found) return (await db.collection(name).find(filter).toArray()) as never;
    return found.map((bytes) => decode(name, bytes)) as never;
  };
}

/** The matching documents as they came; null when they did not fit into one answer. */
async function findRaw(db: Db, name: CollectionName, filter: Document): Promise<Buffer[] | null> {
  const { readConcern, readPreference } = db;
  const answer = await db.command(
    { find: name, filter, batchSize: ALL, ...(readConcern && { readConcern: readConcern.toJSON() }) },
    { ...(readPreference && { readPreference }), fieldsAsRaw: { firstBatch: true } },
  );
  const { id, firstBatch } = answer.cursor as { id: unknown; firstBatch: Buffer[] };
  return Number(id) === 0 ? firstBatch : null;
}

interface Decoded {
  bytes: Buffer;
  record: Document;
}

function createDecoder(): (name: CollectionName, bytes: Buffer) => Document {
  const kept = new LRUCache<string, Decoded>({ maxSize: KEPT_BYTES, sizeCalculation: ({ bytes }) => bytes.length });
  return (name, bytes) => {
    const id = idOf(bytes);
    if (id === null) return BSON.deserialize(bytes);
    const key = name + id;
    const known = kept.get(key);
    if (known?.bytes.equals(bytes)) return known.record;
    const record = freeze(BSON.deserialize(bytes)) as Document;
    // A copy, for these bytes are a part of the whole answer and would keep all of it in memory.
    kept.set(key, { bytes: Buffer.from(bytes), record });
    return record;
  };
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
