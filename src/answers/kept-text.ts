import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** A text of a kept answer, compressed if that pays. */
export interface KeptText {
  bytes: Buffer;
  /** Of the text, in bytes; null if it is not compressed. */
  length: number | null;
}

/** Shorter texts are not compressed. */
const MIN_LENGTH = 1_024;
/** A compressed text is at most this part of its length. */
const MAX_PART = 0.75;
/** Higher levels of zlib take up to twice as long and save little. */
const LEVEL = 3;

export function keepText(text: string | Buffer): KeptText {
  const plain = Buffer.from(text as string);
  if (plain.length < MIN_LENGTH) return { bytes: plain, length: null };
  const compressed = deflateRawSync(plain, { level: LEVEL });
  if (compressed.length > MAX_PART * plain.length) return { bytes: plain, length: null };
  // A copy: the original is a slice of a larger buffer.
  const bytes = Buffer.allocUnsafeSlow(compressed.length);
  compressed.copy(bytes);
  return { bytes, length: plain.length };
}

export function plainText({ bytes, length }: KeptText): Buffer {
  if (length === null) return bytes;
  return inflateRawSync(bytes, { chunkSize: length + 1, maxOutputLength: length });
}
