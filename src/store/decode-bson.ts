import { BSON, type Document, ObjectId } from 'mongodb';
import { deepFreeze, LAZY_BYTES, lazyDocument } from './lazy-document.ts';
import { buildRecord, NO_MEMBERS, type Shape, shapeWith } from './record-shapes.ts';
import { MAX_SHORT_BYTES, readShortText } from './short-texts.ts';

/** Record fields with documents of the client's application, which have any number of members. */
const FREE_FORM: ReadonlySet<string> = new Set(['metadata', 'data']);
const EMPTY_LIST: readonly unknown[] = Object.freeze([]);
const EMPTY_OBJECT: Document = Object.freeze({});
/** Deeper values are left to the driver's decoder, which uses no recursion. */
const MAX_DEPTH = 100;
/** V8 keeps an object to which about twenty members were added one by one in a hash table, which takes more memory. */
const MAX_ADDED = 16;
/** Larger documents have members of their own kind, so that their copies would share no hidden class. */
const MAX_COPIED = 128;

/**
 * Decodes a record into an object that is frozen deeply and takes little memory: its members are in no hash table, its
 * lists have no spare capacity, and empty lists and objects, equal dates of a record and short texts are shared. Long
 * free-form documents are decoded when they are read (`lazy-document.ts`). Dates and ids cannot be frozen; callers must not
 * change them either.
 *
 * It knows the types that records use. A record with another type, the character U+FFFD or names such as `$ref` is left to the
 * driver's decoder, and only frozen; so is a malformed one, for which that decoder throws a `BSONError`.
 */
export function decodeBson(bytes: Buffer): Document {
  return readRecord({ bytes, at: 0 }) ?? (deepFreeze(BSON.deserialize(bytes)) as Document);
}

interface Reader {
  readonly bytes: Buffer;
  /** Place of the next byte. */
  at: number;
}

/** Returned for a value that only the driver's decoder reads. */
const UNKNOWN = Symbol('unknown');

/** @returns null for a record that only the driver's decoder reads */
function readRecord(reader: Reader): Document | null {
  const { bytes } = reader;
  const end = readEnd(reader);
  if (end !== bytes.length) return null;
  const values: unknown[] = [];
  let shape = NO_MEMBERS;
  let date: Date | null = null;
  while (reader.at < end - 1) {
    const type = bytes[reader.at]!;
    reader.at += 1;
    const next = readShape(reader, shape);
    if (next === null) return readWithoutShape(reader);
    shape = next;
    let value = readField(reader, type, shape.name);
    if (value === UNKNOWN) return null;
    if (type === DATE) {
      // Most records were created and last changed at the same time.
      if (date !== null && date.getTime() === (value as Date).getTime()) value = date;
      else date = value as Date;
    }
    values.push(value);
  }
  return reader.at === end - 1 ? Object.freeze(buildRecord(shape, values)) : null;
}

/** Reads a record with unusual names again. */
function readWithoutShape(reader: Reader): Document | null {
  reader.at = 0;
  const record = readNested(reader, 0, EMPTY_OBJECT, readDocument);
  return record === UNKNOWN ? null : (record as Document);
}

/** Reads the name of a member. */
function readShape(reader: Reader, shape: Shape): Shape | null {
  const { bytes, at } = reader;
  const { next } = shape;
  if (next !== null) {
    const { name } = next;
    const { length } = name;
    let index = 0;
    while (index < length && bytes[at + index] === name.charCodeAt(index)) index += 1;
    if (index === length && bytes[at + length] === 0) {
      reader.at = at + length + 1;
      return next;
    }
  }
  const name = readName(reader);
  return name === null ? null : shapeWith(shape, name);
}

function readName(reader: Reader): string | null {
  const { bytes, at } = reader;
  const end = bytes.indexOf(0, at);
  if (end < 0) return null;
  reader.at = end + 1;
  return textOf(bytes, at, end);
}

function textOf(bytes: Buffer, start: number, end: number): string | null {
  if (end - start <= MAX_SHORT_BYTES) {
    const text = readShortText(bytes, start, end);
    if (text !== null) return text;
  }
  const text = bytes.toString('utf8', start, end);
  return text.includes('\ufffd') ? null : text;
}

const DOUBLE = 0x01;
const STRING = 0x02;
const DOCUMENT = 0x03;
const ARRAY = 0x04;
const ID = 0x07;
const BOOLEAN = 0x08;
const DATE = 0x09;
const NULL = 0x0a;
const INT32 = 0x10;
const INT64 = 0x12;

function readValue(reader: Reader, type: number, depth: number): unknown {
  const { bytes, at } = reader;
  switch (type) {
    case STRING:
      return readText(reader);
    case DOCUMENT:
      return readNested(reader, depth, EMPTY_OBJECT, readDocument);
    case ARRAY:
      return readNested(reader, depth, EMPTY_LIST, readList);
    case NULL:
      return null;
    case BOOLEAN: {
      const byte = bytes[at];
      reader.at = at + 1;
      return byte === 1 ? true : byte === 0 ? false : UNKNOWN;
    }
    case INT32:
      if (at + 4 > bytes.length) return UNKNOWN;
      reader.at = at + 4;
      return int32(bytes, at);
    default:
      return readWide(reader, type);
  }
}

/** Reads a value of eight or twelve bytes. */
function readWide(reader: Reader, type: number): unknown {
  const { bytes, at } = reader;
  if (at + (type === ID ? 12 : 8) > bytes.length) return UNKNOWN;
  if (type === ID) {
    reader.at = at + 12;
    return new ObjectId(bytes.subarray(at, at + 12));
  }
  reader.at = at + 8;
  if (type === DOUBLE) return bytes.readDoubleLE(at);
  if (type === DATE) return new Date(int64(bytes, at));
  if (type !== INT64) return UNKNOWN;
  const value = int64(bytes, at);
  return Number.isSafeInteger(value) ? value : UNKNOWN;
}

const int32 = (bytes: Buffer, at: number): number =>
  bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);

const int64 = (bytes: Buffer, at: number): number => int32(bytes, at + 4) * 0x1_0000_0000 + (int32(bytes, at) >>> 0);

function readText(reader: Reader): string | typeof UNKNOWN {
  const { bytes, at } = reader;
  const start = at + 4;
  const end = start + int32(bytes, at) - 1;
  if (end < start || bytes[end] !== 0) return UNKNOWN;
  reader.at = end + 1;
  return textOf(bytes, start, end) ?? UNKNOWN;
}

/** Reads the length of a document or list. @returns the place after it; NaN if it is not terminated there */
function readEnd(reader: Reader): number {
  const { bytes, at } = reader;
  const length = int32(bytes, at);
  reader.at = at + 4;
  return length >= 5 && bytes[at + length - 1] === 0 ? at + length : Number.NaN;
}

/** Reads the items before the end byte at `last`; `UNKNOWN` if it does not know one of them. */
type ReadItems = (reader: Reader, last: number, depth: number) => unknown;

/** Reads a list or document. @param empty its value without items */
function readNested(reader: Reader, depth: number, empty: unknown, readItems: ReadItems): unknown {
  const end = readEnd(reader);
  if (Number.isNaN(end) || depth > MAX_DEPTH) return UNKNOWN;
  const value = reader.at === end - 1 ? empty : readItems(reader, end - 1, depth);
  if (reader.at !== end - 1) return UNKNOWN;
  reader.at = end;
  return value;
}

const readList: ReadItems = (reader, last, depth) => {
  const { bytes } = reader;
  const list: unknown[] = [];
  while (reader.at < last) {
    const type = bytes[reader.at]!;
    const name = bytes.indexOf(0, reader.at);
    if (name < 0) return UNKNOWN;
    reader.at = name + 1;
    const value = readValue(reader, type, depth + 1);
    if (value === UNKNOWN) return UNKNOWN;
    list.push(value);
  }
  // A copy has no spare capacity.
  return Object.freeze(list.slice());
};

const readDocument: ReadItems = (reader, last, depth) => {
  const { bytes } = reader;
  const document: Document = {};
  let members = 0;
  while (reader.at < last) {
    const type = bytes[reader.at]!;
    reader.at += 1;
    const name = readName(reader);
    // The driver's decoder makes other objects of references to documents, whose names start with a dollar sign.
    if (name === null || name === '__proto__' || name.startsWith('$')) return UNKNOWN;
    const value = depth === 0 ? readField(reader, type, name) : readValue(reader, type, depth + 1);
    if (value === UNKNOWN) return UNKNOWN;
    document[name] = value;
    members += 1;
  }
  return Object.freeze(members > MAX_ADDED && members <= MAX_COPIED ? { ...document } : document);
};

/** Reads the value of a field of the record itself. */
function readField(reader: Reader, type: number, name: string): unknown {
  const isLong = type === DOCUMENT && FREE_FORM.has(name) && int32(reader.bytes, reader.at) >= LAZY_BYTES;
  return isLong ? readLazy(reader) : readValue(reader, type, 1);
}

function readLazy(reader: Reader): unknown {
  const { bytes, at } = reader;
  const end = readEnd(reader);
  if (Number.isNaN(end)) return UNKNOWN;
  reader.at = end;
  return lazyDocument(Buffer.from(bytes.subarray(at, end)));
}
