import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { differenceOf, withDifference } from './text-difference.ts';

/** Bytes, compressed if that pays. */
interface Packed<Bytes = Buffer> {
  bytes: Bytes;
  /** Number of the bytes; null if they are not compressed. */
  length: number | null;
}

/** A text of which others are kept as differences. */
interface Base {
  query: string;
  packed: Packed;
  /** Number of the kept texts that need it. */
  uses: number;
  createdAt: number;
}

/** The text of a kept answer. */
export interface KeptText {
  base: Base;
  /** How it differs from the base; null: not at all. In a string, since a small buffer takes 200 bytes more. */
  difference: Packed<string> | null;
  /** Estimated heap, without the base. */
  bytes: number;
}

/** The texts of kept answers. */
export interface KeptTexts {
  /** Estimated size of all texts that others refer to. */
  readonly baseBytes: number;
  /** Estimated size of their uncompressed copies. */
  readonly plainBytes: number;
  /** Keeps the text of an answer. @param query of the answer: answers to one query are similar */
  keep(query: string, text: string | Buffer): KeptText;
  read(text: KeptText): Buffer;
  /** Whether the text refers to no text that is older than the limit. */
  isRecent(text: KeptText): boolean;
  /** Later texts do not refer to the one that this text refers to. */
  retire(text: KeptText): void;
  release(text: KeptText): void;
}

interface KeptTextsOptions {
  /** Bound for uncompressed copies. */
  maxPlainBytes: number;
  /** After this time, a text is no longer referred to. */
  maxAgeMs: number;
}

/** Shorter texts are not compressed. */
const MIN_LENGTH = 1_024;
/** A compressed text is at most this part of its length. */
const MAX_PART = 0.75;
/** Higher levels of zlib take up to twice as long and save little. */
const LEVEL = 3;
/** A difference is at most this part of the compressed base. */
const MAX_DIFFERENCE = 0.5;
/** One character for each byte. */
const IN_STRING = 'latin1';
/** Heap of a difference, of a base with its place in a map, and of an uncompressed copy, without their bytes. */
const DIFFERENCE_BYTES = 64;
const BASE_BYTES = 400;
const PLAIN_BYTES = 256;

/**
 * Keeps texts compressed, and those of one query as differences from one of them: answers to different viewers differ
 * in few records.
 */
export function createKeptTexts({ maxPlainBytes, maxAgeMs }: KeptTextsOptions): KeptTexts {
  const bases = new Map<string, Base>();
  const plain = new LRUCache<Base, Buffer>({
    maxSize: Math.max(1, maxPlainBytes),
    sizeCalculation: ({ length }) => PLAIN_BYTES + length,
  });
  let baseBytes = 0;

  function textOf(base: Base): Buffer {
    const { packed } = base;
    if (packed.length === null) return packed.bytes;
    let text = plain.get(base);
    if (!text) {
      text = unpack(packed);
      if (base.uses > 0) plain.set(base, text);
    }
    return text;
  }

  const isYoung = ({ createdAt }: Base): boolean => performance.now() - createdAt < maxAgeMs;

  /** @returns null if the text is too different */
  function keepDifference(base: Base, text: Buffer): KeptText | null {
    const other = textOf(base);
    if (text.equals(other)) return { base, difference: null, bytes: 0 };
    const { bytes, length } = pack(differenceOf(text, other));
    if (bytes.length > MAX_DIFFERENCE * base.packed.bytes.length) return null;
    const difference = { bytes: bytes.toString(IN_STRING), length };
    return { base, difference, bytes: DIFFERENCE_BYTES + bytes.length };
  }

  function keepBase(query: string, text: Buffer): KeptText {
    const base: Base = { query, packed: pack(text), uses: 0, createdAt: performance.now() };
    bases.set(query, base);
    baseBytes += bytesOf(base);
    return { base, difference: null, bytes: 0 };
  }

  function retire(base: Base): void {
    if (bases.get(base.query) === base) bases.delete(base.query);
  }

  return {
    get baseBytes() {
      return baseBytes;
    },
    get plainBytes() {
      return plain.calculatedSize;
    },
    keep(query, given) {
      const text = Buffer.from(given as string);
      const base = bases.get(query);
      const kept = (base && isYoung(base) && keepDifference(base, text)) || keepBase(query, text);
      kept.base.uses += 1;
      return kept;
    },
    read({ base, difference }) {
      const text = textOf(base);
      if (!difference) return text;
      const { bytes, length } = difference;
      return withDifference(unpack({ bytes: Buffer.from(bytes, IN_STRING), length }), text);
    },
    isRecent: ({ base }) => isYoung(base),
    retire: ({ base }) => retire(base),
    release({ base }) {
      base.uses -= 1;
      if (base.uses > 0) return;
      baseBytes -= bytesOf(base);
      plain.delete(base);
      retire(base);
    },
  };
}

const bytesOf = ({ query, packed }: Base): number => BASE_BYTES + 2 * query.length + packed.bytes.length;

function pack(bytes: Buffer): Packed {
  if (bytes.length >= MIN_LENGTH) {
    const compressed = deflateRawSync(bytes, { level: LEVEL });
    if (compressed.length <= MAX_PART * bytes.length) return { bytes: alone(compressed), length: bytes.length };
  }
  return { bytes: alone(bytes), length: null };
}

function unpack({ bytes, length }: Packed): Buffer {
  if (length === null) return bytes;
  return inflateRawSync(bytes, { chunkSize: Math.max(length + 1, 64), maxOutputLength: length });
}

/** The bytes in a buffer of their own: a slice would keep the whole buffer in memory. */
function alone(bytes: Buffer): Buffer {
  if (bytes.length === bytes.buffer.byteLength) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}
