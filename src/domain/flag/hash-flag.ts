import { createHash } from 'node:crypto';
import type { HashFlag } from '../../store/records/base.ts';

/**
 * The Bloom filter that lets a client test "did I flag this?" without a call (interface §2, `hashFlag`).
 *
 * - `bits` is the size of the filter, `hashes` how many bits one user id sets.
 * - `hash` holds the bits as words of 64, each 16 lower-case hexadecimal digits, most significant digit first; bit `b`
 *   is the bit of value 2^(b mod 64) in word ⌊b / 64⌋.
 * - The bits of a user id are the first `hashes` 16-bit big-endian numbers of SHA-256(UTF-8(userId)), each modulo
 *   `bits`. An id may have flagged the record when all of its bits are set; it certainly has not when one is clear.
 *
 * With 1024 bits and 5 hashes about 1 in 115 strangers is mistaken for a flagger once 100 users flagged a record,
 * 1 in 2,000 at 50. A reader must take both numbers from the record, because later records may be larger.
 */
export const HASH_FLAG_BITS = 1024;
export const HASH_FLAG_HASHES = 5;

const WORD_BITS = 64;
const WORD_DIGITS = 16;

/** A filter that holds nobody. */
export function emptyHashFlag(): HashFlag {
  return {
    bits: HASH_FLAG_BITS,
    hashes: HASH_FLAG_HASHES,
    hash: Array.from({ length: HASH_FLAG_BITS / WORD_BITS }, () => '0'.repeat(WORD_DIGITS)),
  };
}

/** A copy of the filter that also holds `userId`; `null` counts as empty. */
export function withFlagOf(hashFlag: HashFlag | null, userId: string): HashFlag {
  const { bits, hashes, hash } = hashFlag ?? emptyHashFlag();
  const words = hash.map((word) => BigInt(`0x${word}`));
  for (const bit of bitsOf(userId, { bits, hashes })) {
    const word = Math.floor(bit / WORD_BITS);
    words[word] = (words[word] ?? 0n) | (1n << BigInt(bit % WORD_BITS));
  }
  return { bits, hashes, hash: words.map((word) => word.toString(16).padStart(WORD_DIGITS, '0')) };
}

/** The filter of these users; `null` when nobody flagged. A flag that is withdrawn needs this: bits cannot be cleared one by one. */
export function hashFlagOf(userIds: Iterable<string>): HashFlag | null {
  let hashFlag: HashFlag | null = null;
  for (const userId of userIds) hashFlag = withFlagOf(hashFlag, userId);
  return hashFlag;
}

/** False: this user did not flag the record. True: probably. */
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
