import { createHash } from 'node:crypto';
import type { Document } from 'bson';
import { countSteps, encodeKey, fieldOf, indexKeys, isDocument, KEY_STEPS, tooManyKeys } from '../lib/index.ts';
import type { Index } from './catalog.ts';
import { idPrefix } from './table.ts';

/** LMDB keys have at most 1,978 bytes, of which the ids take twelve. */
const LONGEST_KEY = 1900;
/** The prefix length of a longer key; a hash of the whole key follows. */
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
  /** The evaluation steps that generating the keys took. */
  steps: number;
}

const NO_KEYS: Omit<DocumentKeys, 'steps'> = { keys: [], arrayPaths: [], hasLongKey: false };

/** The maximum number of keys of one document, and of their bytes, because its entries are written in one piece. */
const MAX_KEYS = 6000;
const MAX_KEY_BYTES = 1024 * 1024;
/** The maximum number of keys of one stored document in a new index: as many as earlier versions accepted. */
const MAX_NEW_INDEX_KEYS = 10_000;

/** Limits for generating the keys of one document in one index. */
export interface KeyLimits {
  /** Keys, duplicates included. */
  keys: number;
  /** Evaluation steps; never lower than the general limit. */
  steps: number;
}

/** For keys that are already stored or only removed. */
const NO_LIMITS: KeyLimits = { keys: Number.POSITIVE_INFINITY, steps: Number.POSITIVE_INFINITY };
/** For a document that a new index covers. */
export const NEW_INDEX_LIMITS: KeyLimits = { keys: MAX_NEW_INDEX_KEYS, steps: Number.POSITIVE_INFINITY };

/**
 * Limits the keys of the new version of a document: at most {@link MAX_KEYS} in all indexes, or as many as the old
 * version has. So a document that an earlier version stored with more keys can be updated as long as it gets no more of
 * them.
 */
export class KeyBudget {
  #keys: number;
  #bytes: number;
  readonly #limits: readonly string[];

  constructor(before: readonly DocumentKeys[]) {
    const all = before.flatMap(({ keys }) => keys);
    this.#keys = Math.max(MAX_KEYS, all.length);
    this.#bytes = Math.max(MAX_KEY_BYTES, bytesOf(all));
    this.#limits = [`${this.#keys}`, `${this.#bytes} bytes`];
  }

  /** The limits for an index in which the old version has the keys `before`. */
  limitsOf(before: DocumentKeys | undefined): KeyLimits {
    const steps = before?.steps ?? 0;
    return { keys: Math.max(MAX_KEYS, Math.ceil(steps / KEY_STEPS)), steps };
  }

  /** @throws CommandError 201 for too many keys */
  spend({ keys }: DocumentKeys): void {
    this.#keys -= keys.length;
    this.#bytes -= bytesOf(keys);
    if (this.#keys < 0) throw tooManyKeys(this.#limits[0]!);
    if (this.#bytes < 0) throw tooManyKeys(this.#limits[1]!);
  }
}

const bytesOf = (keys: readonly IndexKey[]): number => keys.reduce((sum, { key }) => sum + key.length, 0);

/**
 * Generates the keys of a document in an index.
 *
 * @throws CommandError 171 for two arrays in one compound key, 201 and 146 beyond the limits
 */
export function keysOf(index: Index, document: Document, limits = NO_LIMITS): DocumentKeys {
  const { result, steps } = countSteps(limits.steps, () => generateKeys(index, document, limits.keys));
  return { ...result, steps };
}

function generateKeys(index: Index, document: Document, most: number): Omit<DocumentKeys, 'steps'> {
  if (index.partial && !index.partial.filter.matches(document)) return NO_KEYS;
  const tuples = indexKeys(document, index.paths, { isSparse: index.isSparse, most });
  let hasLongKey = false;
  const encode = keyEncoder(index);
  const distinct = new Map<string, IndexKey>();
  for (const values of tuples) {
    const encoded = encode(values);
    hasLongKey ||= encoded.length > LONGEST_KEY;
    const key = storedKey(index.id, encoded);
    const name = key.toString('latin1');
    if (!distinct.has(name)) distinct.set(name, { key, values });
  }
  const keys = [...distinct.values()];
  // In index order, the order in which MongoDB inserts keys and reports duplicates.
  keys.sort((a, b) => Buffer.compare(a.key, b.key));
  return { keys, hasLongKey, arrayPaths: index.paths.filter((path) => meetsArray(document, path.split('.'))) };
}

/** Encodes each value once that consecutive keys share: those of an array differ in one value. */
function keyEncoder({ directions }: Index): (values: readonly unknown[]) => Buffer {
  const parts: Array<{ value: unknown; encoded: Buffer }> = [];
  return (values) =>
    Buffer.concat(
      values.map((value, i) => {
        if (!parts[i] || parts[i].value !== value) {
          parts[i] = { value, encoded: encodeKey([value], [directions[i]!]) };
        }
        return parts[i].encoded;
      }),
    );
}

/**
 * The stored form of an encoded key: a long one is a prefix, which keeps most of the order, and a hash of the whole.
 */
export function storedKey(indexId: number, encoded: Buffer): Buffer {
  if (encoded.length <= LONGEST_KEY) return Buffer.concat([idPrefix(indexId), encoded]);
  const hash = createHash('sha256').update(encoded).digest();
  return Buffer.concat([idPrefix(indexId), encoded.subarray(0, LONG_KEY_PREFIX), hash]);
}

/**
 * Truncates an encoded bound like the stored keys of the index. If one of them is shortened, a scan may find more
 * entries, never fewer; otherwise it finds the same ones, because no longer key is stored.
 */
export function truncateBound({ hasLongKeys }: Index, bound: Buffer): Buffer {
  const longest = hasLongKeys ? LONG_KEY_PREFIX : LONGEST_KEY;
  return bound.length <= longest ? bound : bound.subarray(0, longest);
}

function meetsArray(value: unknown, path: readonly string[]): boolean {
  if (Array.isArray(value)) return true;
  const [first, ...rest] = path;
  return first !== undefined && isDocument(value) && meetsArray(fieldOf(value, first), rest);
}
