import type { Pause } from '../lib/index.ts';

/** Reversed polynomial of CRC-32C (Castagnoli), which OP_MSG uses for its optional checksum. */
const POLYNOMIAL = 0x82f63b78;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
  return value >>> 0;
});

const BYTES_BETWEEN_PAUSES = 256 * 1024;

export function* crc32c(bytes: Uint8Array): Generator<Pause, number> {
  let value = 0xffff_ffff;
  for (let from = 0; from < bytes.length; from += BYTES_BETWEEN_PAUSES) {
    if (from > 0) yield undefined;
    const end = Math.min(from + BYTES_BETWEEN_PAUSES, bytes.length);
    for (let i = from; i < end; i++) value = (value >>> 8) ^ TABLE[(value ^ bytes[i]!) & 0xff]!;
  }
  return (value ^ 0xffff_ffff) >>> 0;
}
