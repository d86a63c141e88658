import { BSON, type Document, EJSON } from 'bson';

/** Keeps the BSON type of each value: without it, Int32 and Double both become a number. */
export const EXACT = { promoteValues: false, promoteBuffers: false, bsonRegExp: true } as const;

/** A stored document: its BSON bytes and, if it is decoded already, the value to pass to the driver. */
export interface Stored {
  bytes: Buffer;
  document?: Document;
}

/**
 * One line of an export: canonical Extended JSON, or `{"$bson": …}` with the bytes in base64 for the few documents that
 * JSON cannot represent exactly (integer-like field names out of order, or field names of Extended JSON). Every line is
 * parsed again to check that it yields the same bytes.
 */
export function toLine(bytes: Buffer): string {
  const line = EJSON.stringify(BSON.deserialize(bytes, EXACT), { relaxed: false });
  return isExact(line, bytes) ? line : JSON.stringify({ $bson: bytes.toString('base64') });
}

function isExact(line: string, bytes: Buffer): boolean {
  try {
    return bytes.equals(BSON.serialize(EJSON.parse(line, { relaxed: false }), SERIALIZE));
  } catch {
    return false;
  }
}

const SERIALIZE = { ignoreUndefined: false } as const;
const RAW = '{"$bson":';

/** @throws Error when the line is not a document */
export function fromLine(line: string): Stored {
  if (line.startsWith(RAW)) {
    const { $bson } = JSON.parse(line) as { $bson: unknown };
    if (typeof $bson !== 'string') throw new Error('$bson is not a string');
    const bytes = Buffer.from($bson, 'base64');
    BSON.deserialize(bytes);
    return { bytes };
  }
  const document: unknown = EJSON.parse(line, { relaxed: false });
  if (typeof document !== 'object' || document === null || Array.isArray(document)) throw new Error('not an object');
  return { bytes: Buffer.from(BSON.serialize(document, SERIALIZE)), document };
}

/**
 * The document in a form that the driver serializes to the same bytes.
 *
 * @throws Error when there is none, for example for a document that contains a field twice
 */
export function toSend({ bytes, document }: Stored): Document {
  if (document) return document;
  const decoded = BSON.deserialize(bytes, EXACT);
  if (bytes.equals(BSON.serialize(decoded, SERIALIZE))) return decoded;
  const ordered = readOrdered(bytes);
  if (bytes.equals(BSON.serialize(ordered, SERIALIZE))) return ordered;
  throw new Error(`the document with _id ${idOf(bytes)} cannot be sent by a driver as it is stored`);
}

const EMBEDDED = 3;
const ARRAY = 4;

/** Decodes into maps: unlike objects, they keep the order of fields with integer-like names. */
function readOrdered(bytes: Buffer): Map<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const { type, name, start, end } of elementsOf(bytes)) {
    const value = bytes.subarray(start, end);
    if (type === EMBEDDED) fields.set(name, readOrdered(value));
    else if (type === ARRAY) fields.set(name, [...readOrdered(value).values()]);
    else fields.set(name, readValue(type, value));
  }
  return fields;
}

function readValue(type: number, value: Buffer): unknown {
  const document = Buffer.concat([Buffer.alloc(4), Buffer.from([type, 0x76, 0]), value, Buffer.alloc(1)]);
  document.writeInt32LE(document.length);
  return BSON.deserialize(document, EXACT).v;
}

interface Element {
  type: number;
  name: string;
  start: number;
  end: number;
}

function* elementsOf(bytes: Buffer): Generator<Element> {
  let at = 4;
  while (bytes[at] !== 0) {
    const nameEnd = bytes.indexOf(0, at + 1);
    const start = nameEnd + 1;
    const end = start + sizeOf(bytes, bytes[at]!, start);
    yield { type: bytes[at]!, name: bytes.toString('utf8', at + 1, nameEnd), start, end };
    at = end;
  }
}

const SIZES: Readonly<Record<number, number>> = {
  ...{ 1: 8, 6: 0, 7: 12, 8: 1, 9: 8, 10: 0, 16: 4, 17: 8, 18: 8, 19: 16, 127: 0, 255: 0 },
};

function sizeOf(bytes: Buffer, type: number, at: number): number {
  const fixed = SIZES[type];
  if (fixed !== undefined) return fixed;
  if (type === 5) return 5 + bytes.readInt32LE(at);
  if (type === 11) return bytes.indexOf(0, bytes.indexOf(0, at) + 1) + 1 - at;
  if (type === 12) return 16 + bytes.readInt32LE(at);
  // The length prefix of strings, code and symbols excludes itself, that of documents and code with scope includes it.
  return type === 2 || type === 13 || type === 14 ? 4 + bytes.readInt32LE(at) : bytes.readInt32LE(at);
}

/** The `_id` of a stored document as text, for messages. */
export function idOf(bytes: Buffer): string {
  return EJSON.stringify(BSON.deserialize(bytes, EXACT)._id, { relaxed: true });
}
