import { createHash } from 'node:crypto';

/** A pseudorandom generator; the same name gives the same numbers. */
export interface Random {
  /** At least 0, below 1. */
  next(): number;
  /** At least 0, below `count`. */
  below(count: number): number;
  /** As `below`, but low numbers are far more frequent. */
  skewedBelow(count: number): number;
  pick<Value>(values: readonly Value[]): Value;
}

/** Mulberry32, seeded by a hash of the name. */
export function createRandom(name: string): Random {
  let state = createHash('sha256').update(name).digest().readUInt32LE(0);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number): number => Math.floor(next() * count);
  return {
    next,
    below,
    skewedBelow: (count) => Math.floor(next() ** 2.5 * count),
    pick: (values) => values[below(values.length)]!,
  };
}

export interface Shares {
  total: number;
  count: number;
  /** Skew: 0 gives equal shares, 1 follows Zipf's law. */
  exponent: number;
  /** Maximum share, even if a rest remains. @default no maximum */
  most?: number;
  /** Minimum share. @default 0 */
  least?: number;
}

/** Divides `total` by rank; the first share is the largest. The sum is `total` unless a bound prevents it. */
export function zipfShares({ total, count, exponent, most = total, least = 0 }: Shares): Int32Array {
  const weights = Float64Array.from({ length: count }, (_, rank) => (rank + 1) ** -exponent);
  const shares = new Int32Array(count);
  let weightLeft = weights.reduce((sum, weight) => sum + weight, 0);
  let left = total;
  let rank = 0;
  // Only the first ranks can reach the maximum; the excess is divided among the others.
  for (; rank < count && (weights[rank]! / weightLeft) * left > most; rank++) {
    shares[rank] = most;
    left -= most;
    weightLeft -= weights[rank]!;
  }
  let weight = 0;
  let given = 0;
  for (; rank < count; rank++) {
    // Rounding the running sum instead of each share preserves the total.
    weight += weights[rank]!;
    const upTo = Math.round((weight / weightLeft) * left);
    shares[rank] = Math.max(least, Math.min(most, upTo - given));
    given = upTo;
  }
  return shares;
}

/** A permutation of 0 … count−1 that looks random and needs no memory. */
export function scattered(count: number, random: Random): (place: number) => number {
  const start = random.below(count);
  let step = Math.max(1, Math.floor(count * (0.382 + random.next() * 0.2)));
  while (greatestCommonDivisor(step, count) !== 1) step += 1;
  return (place) => (start + place * step) % count;
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other);
}
