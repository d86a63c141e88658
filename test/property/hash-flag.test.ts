import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  emptyHashFlag,
  HASH_FLAG_BITS,
  HASH_FLAG_HASHES,
  hashFlagOf,
  mayHaveFlagged,
  withFlagOf,
} from '../../src/domain/flag/hash-flag.ts';

const userId = fc.string({ unit: 'binary', minLength: 1, maxLength: 50 });

describe('hashFlag', () => {
  test('never denies a user who flagged', () => {
    fc.assert(
      fc.property(fc.array(userId, { minLength: 1, maxLength: 300 }), (flaggers) => {
        const hashFlag = hashFlagOf(flaggers);
        return flaggers.every((flagger) => mayHaveFlagged(hashFlag, flagger));
      }),
      { numRuns: 50 },
    );
  });

  test('does not depend on the order or repetition of flags', () => {
    fc.assert(
      fc.property(fc.uniqueArray(userId, { minLength: 1, maxLength: 20 }), (flaggers) => {
        expect(hashFlagOf([...flaggers, ...flaggers].reverse())).toEqual(hashFlagOf(flaggers));
      }),
      { numRuns: 50 },
    );
  });

  test('contains no user without flags', () => {
    fc.assert(fc.property(userId, (user) => !mayHaveFlagged(null, user) && !mayHaveFlagged(emptyHashFlag(), user)));
    expect(hashFlagOf([])).toBeNull();
  });

  test('does not change its argument', () => {
    const before = withFlagOf(null, 'alice');
    const copy = structuredClone(before);
    withFlagOf(before, 'bob');
    expect(before).toEqual(copy);
  });

  test.each([
    { flaggers: 50, limit: 0.002 },
    { flaggers: 100, limit: 0.015 },
  ])('mistakes at most $limit of other users for one of $flaggers flaggers', ({ flaggers, limit }) => {
    const otherUsers = 2_000;
    let mistaken = 0;
    for (let round = 0; round < 10; round++) {
      const hashFlag = hashFlagOf(Array.from({ length: flaggers }, (_, index) => `flagger-${round}-${index}`));
      for (let index = 0; index < otherUsers; index++) {
        if (mayHaveFlagged(hashFlag, `stranger-${round}-${index}`)) mistaken++;
      }
    }
    expect(mistaken / (10 * otherUsers)).toBeLessThanOrEqual(limit);
  });

  test('can be reproduced from its description alone', () => {
    const hashFlag = withFlagOf(null, 'alice');
    expect(hashFlag).toMatchObject({ bits: HASH_FLAG_BITS, hashes: HASH_FLAG_HASHES });
    expect(hashFlag.hash).toHaveLength(HASH_FLAG_BITS / 64);
    const digest = createHash('sha256').update('alice').digest();
    const expected = new Array<bigint>(HASH_FLAG_BITS / 64).fill(0n);
    for (let index = 0; index < HASH_FLAG_HASHES; index++) {
      const bit = ((digest[2 * index]! << 8) | digest[2 * index + 1]!) % HASH_FLAG_BITS;
      expected[Math.floor(bit / 64)]! |= 1n << BigInt(bit % 64);
    }
    expect(hashFlag.hash.map((word) => BigInt(`0x${word}`))).toEqual(expected);
    expect(hashFlag.hash.every((word) => /^[0-9a-f]{16}$/.test(word))).toBe(true);
  });
});
