import { createHash } from 'node:crypto';

/** A stream of numbers that is the same for the same name. */
export interface Random {
  /** At least 0, below 1. */
  next(): number;
  /** At least 0, below `count`. */
  below(count: number): number;
  /** As `below`, but low numbers come far more often: who talks most, talks much. */
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
  /** How unequal: 0 gives everybody the same, 1 is Zipf's law. */
  exponent: number;
  /** Nobody gets more, whatever is left over. @default no bound */
  most?: number;
  /** Nobody gets less. @default 0 */
  least?: number;
}

/** Divides `total` by rank: the first gets most. The sum is `total` unless a bound forbids it. */
export function zipfShares({ total, count, exponent, most = total, least = 0 }: Shares): Int32Array {
  const weights = Float64Array.from({ length: count }, (_, rank) => (rank + 1) ** -exponent);
  const shares = new Int32Array(count);
  let weightLeft = weights.reduce((sum, weight) => sum + weight, 0);
  let left = total;
  let rank = 0;
  // Only the first ranks can reach the bound; what it takes from them goes to the others.
  for (; rank < count && (weights[rank]! / weightLeft) * left > most; rank++) {
    shares[rank] = most;
    left -= most;
    weightLeft -= weights[rank]!;
  }
  let weight = 0;
  let given = 0;
  for (; rank < count; rank++) {
    // Rounding the running sum, not each share, keeps the total.
    weight += weights[rank]!;
    const upTo = Math.round((weight / weightLeft) * left);
    shares[rank] = Math.max(least, Math.min(most, upTo - given));
    given = upTo;
  }
  return shares;
}

/** Visits 0 … count−1, each once, in an order that looks random and needs no memory. */
export function scattered(count: number, random: Random): (place: number) => number {
  const start = random.below(count);
  let step = Math.max(1, Math.floor(count * (0.382 + random.next() * 0.2)));
  while (greatestCommonDivisor(step, count) !== 1) step += 1;
  return (place) => (start + place * step) % count;
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other);
}
