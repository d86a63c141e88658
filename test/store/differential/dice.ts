/** Reproducible random choices: the same seed gives the same choices. */
export interface Dice {
  /** An integer from 0 to `bound`, exclusive. */
  below(bound: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** Generates between `least` and `most` items. */
  many<Item>(least: number, most: number, make: (position: number) => Item): Item[];
  /** Calls one of the generators, chosen by weight. */
  weigh<Item>(choices: readonly (readonly [weight: number, make: () => Item])[]): Item;
}

/** Mulberry32 with a mixed seed: small, uniform, and the same on every machine. */
export function diceOf(seed: number): Dice {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ (seed >>> 13);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const below = (bound: number): number => Math.floor(next() * bound);
  return {
    below,
    chance: (probability) => next() < probability,
    pick: (items) => items[below(items.length)]!,
    many: (least, most, make) =>
      Array.from({ length: least + below(most - least + 1) }, (_, position) => make(position)),
    weigh(choices) {
      const total = choices.reduce((sum, [weight]) => sum + weight, 0);
      let left = next() * total;
      for (const [weight, make] of choices) {
        left -= weight;
        if (left < 0) return make();
      }
      return choices.at(-1)![1]();
    },
  };
}
