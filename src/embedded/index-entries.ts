import { createHash } from 'node:crypto';
import type { Document } from 'bson';
import type { Index } from './catalog.ts';
import { encodeKey } from './language/key-string.ts';
import { indexKeys, tooManyKeys } from './language/paths.ts';
import { spentSteps } from './language/steps.ts';
import { fieldOf, isDocument } from './language/values.ts';
import { idPrefix } from './storage.ts';

/** lmdb takes keys of 1,978 bytes; twelve belong to the ids. */
const LONGEST_KEY = 1900;
/** What is kept of a longer key, before a hash of all of it. */
const LONG_KEY_PREFIX = 1800;

export interface IndexKey {
  /** Index id and encoded values, without the record id. */
  key: Buffer;
  values: readonly unknown[];
}

export interface DocumentKeys {
  keys: IndexKey[];
  /** Paths of the index on which this document has an array. */
  arrayPaths: string[];
  hasLongKey: boolean;
}

const NO_KEYS: DocumentKeys = { keys: [], arrayPaths: [], hasLongKey: false };

/** Keys of one document, and their bytes: the entries of one document are written in one piece. */
const MAX_KEYS = 6000;
const MAX_KEY_BYTES = 1024 * 1024;

/** Counts the keys that one document has in all indexes. */
export class KeyCount {
  #keys = 0;
  #bytes = 0;

  /** @throws CommandError 201 for too many keys */
  add({ keys }: DocumentKeys): void {
    this.#keys += keys.length;
    for (const { key } of keys) this.#bytes += key.length;
    if (this.#keys > MAX_KEYS) throw tooManyKeys(`${MAX_KEYS}`);
    if (this.#bytes > MAX_KEY_BYTES) throw tooManyKeys(`${MAX_KEY_BYTES} bytes`);
  }
}

/**
 * The entries that a document has in an index.
 *
 * @throws CommandError 171 for two arrays in one compound key, 201 for too many keys
 */
export function keysOf(index: Index, document: Document): DocumentKeys {
  spentSteps();
  if (index.partial && !index.partial.filter.matches(document)) return NO_KEYS;
  const tuples = indexKeys(document, index.paths, { isSparse: index.isSparse, most: MAX_KEYS });
  let hasLongKey = false;
  const keys = tuples.map((values) => {
    const encoded = encodeKey(values, index.directions);
    hasLongKey ||= encoded.length > LONGEST_KEY;
    return { key: storedKey(index.id, encoded), values };
  });
  // In the order of the index, in which MongoDB enters them and meets duplicates.
  keys.sort((a, b) => Buffer.compare(a.key, b.key));
  return { keys, hasLongKey, arrayPaths: index.paths.filter((path) => meetsArray(document, path.split('.'))) };
}

/** An encoded key as it is stored: a long one as a prefix that keeps most of the order, and a hash that tells it apart. */
export function storedKey(indexId: number, encoded: Buffer): Buffer {
  if (encoded.length <= LONGEST_KEY) return Buffer.concat([idPrefix(indexId), encoded]);
  const hash = createHash('sha256').update(encoded).digest();
  return Buffer.concat([idPrefix(indexId), encoded.subarray(0, LONG_KEY_PREFIX), hash]);
}

/** An encoded bound, cut where stored keys may be cut: scans then find more, never less. */
export const cutBound = (bound: Buffer): Buffer =>
  bound.length <= LONG_KEY_PREFIX ? bound : bound.subarray(0, LONG_KEY_PREFIX);

function meetsArray(value: unknown, path: readonly string[]): boolean {
  if (Array.isArray(value)) return true;
  const [first, ...rest] = path;
  return first !== undefined && isDocument(value) && meetsArray(fieldOf(value, first), rest);
}
