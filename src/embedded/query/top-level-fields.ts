import { BSON, type Document, Double, Int32, Long, ObjectId } from 'bson';
import { ARRAY, DECODE, documentOf, EMBEDDED_DOCUMENT, setField, valueSize } from '../lib/index.ts';

/** Work on the top-level fields of well-formed documents that are not decoded as a whole. */

/** More fields than this are looked up in a map. */
const MAX_SCANNED_FIELDS = 8;

/** Finds which of the given names is at these bytes: its position, or -1. */
export type NameFinder = (buffer: Buffer, start: number, end: number) => number;

export function createNameFinder(names: readonly string[]): NameFinder {
  if (names.length > MAX_SCANNED_FIELDS) {
    const positions = new Map(names.map((name, position) => [name, position]));
    return (buffer, start, end) => positions.get(buffer.toString('utf8', start, end)) ?? -1;
  }
  const encoded = names.map((name) => Buffer.from(name));
  return (buffer, start, end) => {
    for (let position = 0; position < encoded.length; position++) {
      if (isSame(buffer, start, end, encoded[position]!)) return position;
    }
    return -1;
  };
}

/** Compiles a reader of the fields with these names. Of fields with the same name it reads the first one. */
export function compileFieldReader(names: readonly string[]): (bytes: Uint8Array) => Document {
  const find = createNameFinder(names);
  return (bytes) => {
    const buffer = asBuffer(bytes);
    const document: Document = {};
    let missing = names.length;
    let at = 4;
    while (missing > 0 && buffer[at] !== 0) {
      const nameEnd = endOfText(buffer, at + 1);
      const end = nameEnd + 1 + valueSize(buffer, buffer[at]!, nameEnd + 1);
      const position = find(buffer, at + 1, nameEnd);
      if (position >= 0 && !Object.hasOwn(document, names[position]!)) {
        missing--;
        setField(document, names[position]!, decodeElement(buffer, at, nameEnd, end));
      }
      at = end;
    }
    return document;
  };
}

/** Compiles a copy of documents that contains only the fields with these names, or all others, in the same order. */
export function compileFieldSelection(
  names: readonly string[],
  { isIncluded }: { isIncluded: boolean },
): (bytes: Uint8Array) => Buffer {
  const find = createNameFinder(names);
  return (bytes) => {
    const buffer = asBuffer(bytes);
    const kept: Buffer[] = [];
    let keptFrom = -1;
    let at = 4;
    while (buffer[at] !== 0) {
      const nameEnd = endOfText(buffer, at + 1);
      const isKept = find(buffer, at + 1, nameEnd) >= 0 === isIncluded;
      if (isKept && keptFrom < 0) keptFrom = at;
      if (!isKept && keptFrom >= 0) {
        kept.push(buffer.subarray(keptFrom, at));
        keptFrom = -1;
      }
      at = nameEnd + 1 + valueSize(buffer, buffer[at]!, nameEnd + 1);
    }
    if (keptFrom >= 0) kept.push(buffer.subarray(keptFrom, at));
    return documentOf(kept);
  };
}

export const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Names and ids are short: a loop is faster than a call into native code. */
export function isSame(buffer: Buffer, start: number, end: number, bytes: Buffer): boolean {
  if (end - start !== bytes.length) return false;
  for (let i = 0; i < bytes.length; i++) if (bytes[i] !== buffer[start + i]) return false;
  return true;
}

export function endOfText(buffer: Buffer, start: number): number {
  let end = start;
  while (buffer[end] !== 0) end++;
  return end;
}

/** Decodes the value of the element at `at`, whose name ends at `nameEnd` and whose value ends at `end`. */
export function decodeElement(buffer: Buffer, at: number, nameEnd: number, end: number): unknown {
  const start = nameEnd + 1;
  switch (buffer[at]) {
    case 1:
      return new Double(buffer.readDoubleLE(start));
    case 2:
      return buffer.toString('utf8', start + 4, end - 1);
    case EMBEDDED_DOCUMENT:
      return decodeDocument(buffer, start);
    case ARRAY:
      return decodeArray(buffer, start);
    case 7:
      return new ObjectId(buffer.subarray(start, end));
    case 8:
      return buffer[start] === 1;
    case 9:
      return new Date(Number(buffer.readBigInt64LE(start)));
    case 10:
      return null;
    case 16:
      return new Int32(buffer.readInt32LE(start));
    case 18:
      return new Long(buffer.readInt32LE(start), buffer.readInt32LE(start + 4));
    default:
      return Object.values(BSON.deserialize(documentOf([buffer.subarray(at, end)]), DECODE))[0];
  }
}

function decodeDocument(buffer: Buffer, from: number): Document {
  const document: Document = {};
  let at = from + 4;
  while (buffer[at] !== 0) {
    const nameEnd = endOfText(buffer, at + 1);
    const end = nameEnd + 1 + valueSize(buffer, buffer[at]!, nameEnd + 1);
    setField(document, buffer.toString('utf8', at + 1, nameEnd), decodeElement(buffer, at, nameEnd, end));
    at = end;
  }
  return document;
}

/** The elements in their order. As in a document that is decoded as a whole, their names are ignored: they may repeat. */
function decodeArray(buffer: Buffer, from: number): unknown[] {
  const array: unknown[] = [];
  let at = from + 4;
  while (buffer[at] !== 0) {
    const nameEnd = endOfText(buffer, at + 1);
    const end = nameEnd + 1 + valueSize(buffer, buffer[at]!, nameEnd + 1);
    array.push(decodeElement(buffer, at, nameEnd, end));
    at = end;
  }
  return array;
}
