import { crc32 } from 'node:zlib';
import type { Pause } from '../lib/index.ts';
import { crc32Combine } from './crc32-combine.ts';

/**
 * A value that can be extended without a copy. Copying many megabytes takes longer than all other processing, so a
 * large document is copied once, with unused bytes around it: the change log writes its header in front, and records
 * and the change log append their checksums.
 */
interface Padding {
  end: number;
  checksum: number | undefined;
}

/** Values of at least this many bytes are padded. */
export const LARGE_VALUE = 512 * 1024;

/** The longest header of a change log entry has 290 bytes. */
const BEFORE = 320;
const AFTER = 4;

const paddings = new WeakMap<ArrayBufferLike, Padding>();

/** Copies `parts` into one padded value. */
export function paddedCopy(parts: readonly Uint8Array[]): Buffer {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  const whole = Buffer.allocUnsafeSlow(BEFORE + size + AFTER);
  let at = BEFORE;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  paddings.set(whole.buffer, { end: at, checksum: undefined });
  return whole.subarray(BEFORE, at);
}

const paddingOf = (value: Uint8Array): Padding | undefined => {
  const padding = paddings.get(value.buffer);
  return padding && padding.end === value.byteOffset + value.length ? padding : undefined;
};

/** The value with `size` uninitialized bytes in front; undefined if it is not padded or they do not fit. */
export function extendFront(value: Uint8Array, size: number): Buffer | undefined {
  if (!paddingOf(value) || value.byteOffset !== BEFORE || size > BEFORE) return undefined;
  return Buffer.from(value.buffer, BEFORE - size, size + value.length);
}

/** The value with four uninitialized bytes appended; undefined if it is not padded. */
export function extendBack(value: Uint8Array): Buffer | undefined {
  return paddingOf(value) && Buffer.from(value.buffer, value.byteOffset, value.length + AFTER);
}

const BYTES_BETWEEN_PAUSES = 1024 * 1024;

/** Computes the checksum of a padded value with pauses; {@link checksumAfter} reuses it. */
export function* precomputeChecksum(value: Buffer): Generator<Pause, void> {
  const padding = paddingOf(value);
  if (!padding) return;
  let checksum = 0;
  for (let from = 0; from < value.length; from += BYTES_BETWEEN_PAUSES) {
    if (from > 0) yield undefined;
    checksum = crc32(value.subarray(from, from + BYTES_BETWEEN_PAUSES), checksum);
  }
  padding.checksum = checksum;
}

/** The CRC-32 of data with the checksum `before`, followed by `value`. */
export function checksumAfter(before: number, value: Uint8Array): number {
  const padding = paddingOf(value);
  if (!padding) return crc32(value, before);
  const head = value.subarray(0, Math.max(0, BEFORE - value.byteOffset));
  const body = value.subarray(head.length);
  padding.checksum ??= crc32(body);
  return crc32Combine(crc32(head, before), padding.checksum, body.length);
}
