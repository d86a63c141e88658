import type { Timestamp } from 'bson';
import { CommandError, notSupported } from './language/errors.ts';

/** How deep documents may nest; the documented limit of MongoDB for stored documents. */
const MAX_DEPTH = 180;
const EMBEDDED_DOCUMENT = 3;
const ARRAY = 4;

/** Size of the payload of the BSON types that have a fixed one. */
const FIXED: Readonly<Record<number, number>> = {
  1: 8, // double
  6: 0, // undefined
  7: 12, // ObjectId
  8: 1, // bool
  9: 8, // date
  10: 0, // null
  16: 4, // int
  17: 8, // timestamp
  18: 8, // long
  19: 16, // decimal
  127: 0, // MaxKey
  255: 0, // MinKey
};

const invalid = (why: string): CommandError => new CommandError(22, `invalid BSON: ${why}`);

/**
 * Checks that the bytes at `start` are one well-formed document that nests no deeper than {@link MAX_DEPTH}, without
 * recursion and without decoding it.
 *
 * @returns the position after the document
 * @throws CommandError 22 (InvalidBSON) or 15 (Overflow)
 */
export function checkDocument(bytes: Buffer, start: number, limit = bytes.length): number {
  const ends: number[] = [];
  let at = enterDocument(bytes, start, limit, ends);
  while (ends.length > 0) {
    const end = ends.at(-1)!;
    const type = bytes[at];
    if (type === 0) {
      if (at + 1 !== end) throw invalid('a document ends before its size says');
      ends.pop();
      at++;
      continue;
    }
    const nameEnd = bytes.indexOf(0, at + 1);
    if (nameEnd < 0 || nameEnd >= end) throw invalid('a field name does not end');
    if (type === EMBEDDED_DOCUMENT || type === ARRAY) {
      at = enterDocument(bytes, nameEnd + 1, end - 1, ends);
    } else {
      at = nameEnd + 1 + payloadSize(bytes, type!, nameEnd + 1, end);
      if (at >= end) throw invalid('a value is longer than its document');
    }
  }
  return at;
}

function enterDocument(bytes: Buffer, start: number, limit: number, ends: number[]): number {
  if (start + 5 > limit) throw invalid('a document is shorter than five bytes');
  const size = bytes.readInt32LE(start);
  if (size < 5 || start + size > limit) throw invalid('a document is longer than its frame');
  if (ends.length >= MAX_DEPTH) {
    throw new CommandError(15, `BSONObj exceeds maximum nested object depth: ${MAX_DEPTH}`);
  }
  ends.push(start + size);
  return start + 4;
}

function payloadSize(bytes: Buffer, type: number, at: number, end: number): number {
  const fixed = FIXED[type];
  if (fixed !== undefined) return fixed;
  switch (type) {
    case 2: // string
    case 13: // code
    case 14: {
      // symbol
      const length = lengthAt(bytes, at, end);
      if (length < 1 || bytes[at + 3 + length] !== 0) throw invalid('a string does not end');
      return 4 + length;
    }
    case 5: // binary
      return 5 + lengthAt(bytes, at, end);
    case 11: {
      // regular expression: two texts
      const patternEnd = bytes.indexOf(0, at);
      const optionsEnd = bytes.indexOf(0, patternEnd + 1);
      if (patternEnd < 0 || optionsEnd < 0 || optionsEnd >= end) throw invalid('a regular expression does not end');
      return optionsEnd + 1 - at;
    }
    case 12: // DBPointer
    case 15: // code with scope
      throw notSupported(`BSON type ${type}`);
    default:
      throw invalid(`unknown type ${type}`);
  }
}

function lengthAt(bytes: Buffer, at: number, end: number): number {
  if (at + 4 >= end) throw invalid('a length is cut off');
  const length = bytes.readInt32LE(at);
  if (length < 0 || at + 4 + length >= end) throw invalid('a value is longer than its document');
  return length;
}

/** One element of a document: its type byte lies at `start`, its value from `valueStart` to `end`. */
export interface ElementPlace {
  start: number;
  nameEnd: number;
  valueStart: number;
  end: number;
}

/** The elements of a well-formed document that begins at `from`, one after another. */
export function* elementsOf(bytes: Buffer, from = 0): Generator<ElementPlace> {
  let start = from + 4;
  while (bytes[start] !== 0) {
    const type = bytes[start]!;
    const nameEnd = bytes.indexOf(0, start + 1);
    const valueStart = nameEnd + 1;
    const isNested = type === EMBEDDED_DOCUMENT || type === ARRAY;
    const end =
      valueStart + (isNested ? bytes.readInt32LE(valueStart) : payloadSize(bytes, type, valueStart, bytes.length));
    yield { start, nameEnd, valueStart, end };
    start = end;
  }
}

/** Where the element `_id` of a well-formed document lies, or undefined. */
export function findId(bytes: Buffer): { start: number; end: number } | undefined {
  for (const { start, nameEnd, end } of elementsOf(bytes)) {
    if (nameEnd - start === 4 && bytes.toString('latin1', start + 1, nameEnd) === '_id') return { start, end };
  }
  return undefined;
}

/** The same document with the element at `place` moved to the front, where MongoDB stores `_id`. */
export function withElementFirst(bytes: Buffer, place: { start: number; end: number }): Buffer {
  if (place.start === 4) return bytes;
  return Buffer.concat([
    bytes.subarray(0, 4),
    bytes.subarray(place.start, place.end),
    bytes.subarray(4, place.start),
    bytes.subarray(place.end),
  ]);
}

/** A document made of whole elements in their encoded form. */
export function documentOf(elements: readonly Uint8Array[]): Buffer {
  const size = 5 + elements.reduce((sum, element) => sum + element.length, 0);
  const document = Buffer.allocUnsafe(size);
  document.writeInt32LE(size, 0);
  let at = 4;
  for (const element of elements) {
    document.set(element, at);
    at += element.length;
  }
  document[at] = 0;
  return document;
}

export interface CursorBatch {
  field: 'firstBatch' | 'nextBatch';
  documents: readonly Uint8Array[];
  id: bigint;
  ns: string;
  /** The time of the snapshot that the documents are from. */
  atClusterTime?: Timestamp | undefined;
}

/** `{cursor: {<field>: documents, id, ns}, ok: 1}` with the stored bytes of the documents put in as they are. */
export function cursorReply({ field, documents, id, ns, atClusterTime }: CursorBatch): Buffer {
  const name = Buffer.from(ns);
  const head = 1 + 6 + 1 + 4; // element "cursor" up to its content
  const arrayHead = 1 + field.length + 1 + 4;
  let arraySize = 5;
  for (let i = 0; i < documents.length; i++) arraySize += 2 + digits(i) + documents[i]!.length;
  const idSize = 1 + 3 + 8;
  const nsSize = 1 + 3 + 4 + name.length + 1;
  const timeSize = atClusterTime ? 1 + 14 + 8 : 0;
  const okSize = 1 + 3 + 8;
  const cursorSize = 4 + (arrayHead - 4) + arraySize + idSize + nsSize + timeSize + 1;
  const total = 4 + (head - 4) + cursorSize + okSize + 1;

  const out = Buffer.allocUnsafe(total);
  let at = out.writeInt32LE(total, 0);
  at = writeName(out, at, EMBEDDED_DOCUMENT, 'cursor');
  at = out.writeInt32LE(cursorSize, at);
  at = writeName(out, at, ARRAY, field);
  at = out.writeInt32LE(arraySize, at);
  for (let i = 0; i < documents.length; i++) {
    at = writeName(out, at, EMBEDDED_DOCUMENT, String(i));
    out.set(documents[i]!, at);
    at += documents[i]!.length;
  }
  out[at++] = 0;
  at = out.writeBigInt64LE(id, writeName(out, at, 18, 'id'));
  at = out.writeInt32LE(name.length + 1, writeName(out, at, 2, 'ns'));
  at += name.copy(out, at);
  out[at++] = 0;
  if (atClusterTime) at = out.writeBigUInt64LE(atClusterTime.toBigInt(), writeName(out, at, 17, 'atClusterTime'));
  out[at++] = 0;
  at = out.writeDoubleLE(1, writeName(out, at, 1, 'ok'));
  out[at] = 0;
  return out;
}

function writeName(out: Buffer, at: number, type: number, name: string): number {
  out[at++] = type;
  at += out.write(name, at, 'latin1');
  out[at++] = 0;
  return at;
}

const digits = (i: number): number => (i < 10 ? 1 : i < 100 ? 2 : i < 1000 ? 3 : String(i).length);
