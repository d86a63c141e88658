/** Reversed polynomial of CRC-32 (IEEE 802.3). */
const POLYNOMIAL = 0xedb88320;

/** The product of two polynomials modulo {@link POLYNOMIAL}; the highest bit is the lowest power. */
function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = 0x8000_0000, shifted = b; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= shifted;
    shifted = shifted & 1 ? (shifted >>> 1) ^ POLYNOMIAL : shifted >>> 1;
  }
  return product >>> 0;
}

/**
 * The CRC-32 of two concatenated pieces of data, from their checksums and the length of the second, as computed by
 * zlib's `crc32_combine`.
 */
export function crc32Combine(first: number, second: number, secondLength: number): number {
  // x^8, squared once for each bit of the length: x^(8 * secondLength).
  let factor = 0x8000_0000;
  let power = 0x0080_0000;
  for (let length = secondLength; length > 0; length = Math.floor(length / 2)) {
    if (length % 2 === 1) factor = multiply(power, factor);
    power = multiply(power, power);
  }
  return (multiply(factor, first) ^ second) >>> 0;
}
