import { BSON, type Document } from 'mongodb';

/** Free-form documents of at least this many bytes are decoded only when they are read. */
const LAZY_BYTES = 4_096;
/** Record fields with documents of the client's application, which have any number of members. */
const FREE_FORM: ReadonlySet<string> = new Set(['metadata', 'data']);
const EMPTY = Buffer.from([5, 0, 0, 0, 0]);

/**
 * Decodes a record without its long free-form documents: most requests do not select them, and decoding thousands of
 * members costs far more than reading their bytes. Each is decoded when a member is first read.
 */
export function decodeLazily(bytes: Buffer): Document {
  const long = bytes.length < LAZY_BYTES ? [] : longElements(bytes);
  if (long.length === 0) return BSON.deserialize(bytes);
  const record = BSON.deserialize(withoutElements(long, bytes));
  for (const { name, start, end } of long) record[name] = lazyDocument(copyOf(bytes, start, end));
  return record;
}

/** Part of a reply of the database, without keeping the memory of the whole reply in use. */
const copyOf = (bytes: Buffer, start: number, end: number): Buffer => Buffer.from(bytes.subarray(start, end));

/** Whether a value is a document that is decoded when it is read. */
export const isLazy = (value: object): boolean => lazies.has(value);

/** Converts a lazy document to a plain object, which must not be changed; returns other values unchanged. */
export function plainDocument<Value>(value: Value): Value {
  const lazy = typeof value === 'object' && value !== null ? lazies.get(value) : undefined;
  return lazy ? (lazy.read() as Value) : value;
}

/** Members and elements of a long free-form document at any depth, counted without decoding it; 0 for other values. */
export function memberCount(value: object): number {
  return lazies.get(value)?.members() ?? 0;
}

interface Lazy {
  read(): Document;
  members(): number;
}

const lazies = new WeakMap<object, Lazy>();

function lazyDocument(bytes: Buffer): Document {
  // Weak: the bytes may stay in memory for long, and the decoded document is several times larger.
  let decoded: WeakRef<Document> | undefined;
  const read = (): Document => {
    const known = decoded?.deref();
    if (known) return known;
    const document = BSON.deserialize(bytes);
    decoded = new WeakRef(document);
    return document;
  };
  const document = new Proxy({}, handlerOf(read));
  let members: number | undefined;
  lazies.set(document, {
    read,
    members() {
      members ??= countMembers(bytes);
      return members;
    },
  });
  return document;
}

/**
 * Proxy traps that read the decoded document and reject changes, since records are shared. Freezing is rejected too: a
 * proxy can only be frozen if its target has the same members. `structuredClone` and `postMessage` throw
 * `DataCloneError` for a proxy: clone the result of {@link plainDocument}.
 */
function handlerOf(read: () => Document): ProxyHandler<Document> {
  const reject = () => false;
  return {
    get: (_, key) => deepFreeze(Reflect.get(read(), key)),
    has: (_, key) => Reflect.has(read(), key),
    ownKeys: () => Reflect.ownKeys(read()),
    getOwnPropertyDescriptor(_, key) {
      if (!Object.hasOwn(read(), key)) return undefined;
      return { value: deepFreeze(Reflect.get(read(), key)), enumerable: true, configurable: true, writable: false };
    },
    set: reject,
    defineProperty: reject,
    deleteProperty: reject,
    setPrototypeOf: reject,
    preventExtensions: reject,
  };
}

/** Freezes objects and arrays deeply. Dates and ids cannot be frozen; callers must not change them either. */
export function deepFreeze(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || lazies.has(value)) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}

interface Element {
  name: string;
  start: number;
  end: number;
}

/** The long free-form documents of a record; empty if the record contains a BSON type that records do not use. */
function longElements(bytes: Buffer): Element[] {
  const found: Element[] = [];
  let at = 4;
  for (let type = bytes[at]!; type !== 0; type = bytes[at]!) {
    const nameEnd = bytes.indexOf(0, at + 1);
    const start = nameEnd + 1;
    const length = valueLength(bytes, type, start);
    if (length === null) return [];
    if (type === DOCUMENT && length >= LAZY_BYTES) {
      const name = bytes.toString('utf8', at + 1, nameEnd);
      if (FREE_FORM.has(name)) found.push({ name, start, end: start + length });
    }
    at = start + length;
  }
  return found;
}

const DOCUMENT = 0x03;
const ARRAY = 0x04;
/** Bytes of the values of each BSON type with a fixed size (bsonspec.org). */
const FIXED: { readonly [type: number]: number } = {
  1: 8,
  6: 0,
  7: 12,
  8: 1,
  9: 8,
  10: 0,
  16: 4,
  17: 8,
  18: 8,
  19: 16,
};

function valueLength(bytes: Buffer, type: number, start: number): number | null {
  const fixed = FIXED[type];
  if (fixed !== undefined) return fixed;
  if (type === 0x02) return 4 + bytes.readInt32LE(start);
  if (type === DOCUMENT || type === ARRAY) return bytes.readInt32LE(start);
  return type === 0x05 ? 5 + bytes.readInt32LE(start) : null;
}

/** Replaces the elements with empty documents, so that the fields of the record keep their order. */
function withoutElements(elements: readonly Element[], bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (const { start, end } of elements) {
    parts.push(bytes.subarray(from, start), EMPTY);
    from = end;
  }
  parts.push(bytes.subarray(from));
  const short = Buffer.concat(parts);
  short.writeInt32LE(short.length, 0);
  return short;
}

/** Counts in one pass: skips the length of a nested document to enter it, and its end byte to leave it. */
function countMembers(bytes: Buffer): number {
  let members = 0;
  let at = 4;
  while (at < bytes.length) {
    const type = bytes[at]!;
    if (type === 0) {
      at += 1;
      continue;
    }
    members += 1;
    const start = bytes.indexOf(0, at + 1) + 1;
    const length = type === DOCUMENT || type === ARRAY ? 4 : valueLength(bytes, type, start);
    // A BSON type that free-form documents do not use: count each remaining byte, an upper bound.
    if (length === null) return members + bytes.length - start;
    at = start + length;
  }
  return members;
}
