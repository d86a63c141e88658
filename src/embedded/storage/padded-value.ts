import { crc32 } from 'node:zlib';
import type { Pause } from '../lib/index.ts';
import { crc32Combine } from './crc32-combine.ts';

/**
 * Values that can be extended without a copy. A copy of many megabytes takes longer than all else that is done with
 * them, so a large document is copied once, with unused bytes around it: the log of changes puts its head in front of
 * it, and records and the log append their checksums.
 */
interface Padding {
  end: number;
  checksum: number | undefined;
}

/** From this size on, in bytes, values are padded. */
export const LARGE_VALUE = 512 * 1024;

/** The longest head of an entry in the log of changes is 290 bytes. */
const BEFORE = 320;
const AFTER = 4;

const paddings = new WeakMap<ArrayBufferLike, Padding>();

/** A copy of `parts` in one padded value. */
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

/** The same value with `size` unset bytes in front of it; undefined where it is not padded or they do not fit. */
export function extendFront(value: Uint8Array, size: number): Buffer | undefined {
  if (!paddingOf(value) || value.byteOffset !== BEFORE || size > BEFORE) return undefined;
  return Buffer.from(value.buffer, BEFORE - size, size + value.length);
}

/** The same value with four unset bytes after it; undefined where it is not padded. */
export function extendBack(value: Uint8Array): Buffer | undefined {
  return paddingOf(value) && Buffer.from(value.buffer, value.byteOffset, value.length + AFTER);
}

const BYTES_BETWEEN_PAUSES = 1024 * 1024;

/** Calculates the checksum of a padded value, which {@link checksumAfter} then takes from memory. */
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

/** The CRC-32 of what has the checksum `before` followed by `value`. */
export function checksumAfter(before: number, value: Uint8Array): number {
  const padding = paddingOf(value);
  if (!padding) return crc32(value, before);
  const head = value.subarray(0, Math.max(0, BEFORE - value.byteOffset));
  const body = value.subarray(head.length);
  padding.checksum ??= crc32(body);
  return crc32Combine(crc32(head, before), padding.checksum, body.length);
}
