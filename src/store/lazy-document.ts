import { BSON, type Document } from 'mongodb';

/** Free-form documents of at least this many bytes are decoded only when they are read. */
export const LAZY_BYTES = 4_096;

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

/**
 * A document that is decoded when a member is first read: most requests do not select long free-form documents, and
 * decoding thousands of members costs far more than reading their bytes.
 */
export function lazyDocument(bytes: Buffer): Document {
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
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
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
