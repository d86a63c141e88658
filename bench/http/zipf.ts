import { createRandom, scattered } from '../../src/sample/scale/random.ts';

/** Length of the sequence, after which it repeats. */
const LENGTH = 65_536;

/**
 * A sequence of items by Zipf's law: an item is requested `1 / rank` as often as the most frequent. The same name gives
 * the same sequence.
 *
 * @returns the item of each place, at least 0 and below `count`
 */
export function zipf(name: string, count: number): (place: number) => number {
  const random = createRandom(name);
  const upTo = new Float64Array(count);
  let total = 0;
  for (let rank = 0; rank < count; rank++) upTo[rank] = total += 1 / (rank + 1);
  // Frequent items are not neighbours.
  const itemOf = scattered(count, random);
  const items = Uint32Array.from({ length: LENGTH }, () => itemOf(rankAt(upTo, random.next() * total)));
  return (place) => items[place % LENGTH]!;
}

/** The first rank whose sum is above `sum`. */
function rankAt(upTo: Float64Array, sum: number): number {
  let [from, to] = [0, upTo.length - 1];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (upTo[middle]! > sum) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** Each item once, in an order that looks random, and then again. */
export const sweep = (name: string, count: number): ((place: number) => number) => {
  const itemOf = scattered(count, createRandom(name));
  return (place) => itemOf(place % count);
};
