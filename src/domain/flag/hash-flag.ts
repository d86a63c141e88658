import { createHash } from 'node:crypto';
import type { HashFlag } from '../../store/records/base.ts';

/**
 * The Bloom filter by which a client tests without a request whether a user flagged a record. The format is part of the
 * API, see `docs/interface.md#flag-filter`.
 *
 * - `bits` is the size of the filter, `hashes` how many bits one user id sets.
 * - `hash` contains the bits as 64-bit words, each 16 lower-case hexadecimal digits, most significant digit first; bit `b`
 *   is the bit of value 2^(b mod 64) in word ⌊b / 64⌋.
 * - The bits of a user id are the first `hashes` 16-bit big-endian numbers of SHA-256(UTF-8(userId)), each modulo
 *   `bits`. A user may have flagged the record if all bits of the id are set, and has not if one is clear.
 *
 * With 1024 bits and 5 hashes, the rate of false positives is about 1 in 2,000 after 50 flags and 1 in 115 after 100.
 * Clients must read both numbers from the record, because later records may have larger filters.
 */
export const HASH_FLAG_BITS = 1024;
export const HASH_FLAG_HASHES = 5;

const WORD_BITS = 64;
const WORD_DIGITS = 16;

/** A filter without users. */
export function emptyHashFlag(): HashFlag {
  return {
    bits: HASH_FLAG_BITS,
    hashes: HASH_FLAG_HASHES,
    hash: Array.from({ length: HASH_FLAG_BITS / WORD_BITS }, () => '0'.repeat(WORD_DIGITS)),
  };
}

/** A copy of the filter with `userId` added; null is an empty filter. */
export function withFlagOf(hashFlag: HashFlag | null, userId: string): HashFlag {
  const { bits, hashes, hash } = hashFlag ?? emptyHashFlag();
  const words = hash.map((word) => BigInt(`0x${word}`));
  for (const bit of bitsOf(userId, { bits, hashes })) {
    const word = Math.floor(bit / WORD_BITS);
    words[word] = (words[word] ?? 0n) | (1n << BigInt(bit % WORD_BITS));
  }
  return { bits, hashes, hash: words.map((word) => word.toString(16).padStart(WORD_DIGITS, '0')) };
}

/** The filter of these users; null for none. Withdrawing a flag rebuilds the filter, because users can share bits. */
export function hashFlagOf(userIds: Iterable<string>): HashFlag | null {
  let hashFlag: HashFlag | null = null;
  for (const userId of userIds) hashFlag = withFlagOf(hashFlag, userId);
  return hashFlag;
}

/** False if the user did not flag the record; true if they probably did. */
export function mayHaveFlagged(hashFlag: HashFlag | null, userId: string): boolean {
  if (!hashFlag) return false;
  return bitsOf(userId, hashFlag).every((bit) => {
    const word = BigInt(`0x${hashFlag.hash[Math.floor(bit / WORD_BITS)] ?? '0'}`);
    return (word >> BigInt(bit % WORD_BITS)) % 2n === 1n;
  });
}

function bitsOf(userId: string, { bits, hashes }: Pick<HashFlag, 'bits' | 'hashes'>): number[] {
  const digest = createHash('sha256').update(userId, 'utf8').digest();
  return Array.from({ length: hashes }, (_, index) => digest.readUInt16BE(index * 2) % bits);
}
