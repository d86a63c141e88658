/** Chance that can be repeated: the same seed throws the same dice. */
export interface Dice {
  /** A whole number from 0 up to, not including, `bound`. */
  below(bound: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** Between `least` and `most` items, made one by one. */
  many<Item>(least: number, most: number, make: (position: number) => Item): Item[];
  /** One of the makers, each as often as its weight says. */
  weigh<Item>(choices: readonly (readonly [weight: number, make: () => Item])[]): Item;
}

/** Mulberry32 over a mixed seed: small, even, and the same on every machine. */
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
