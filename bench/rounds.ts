import { shuffled, sorted } from './stats.ts';

/** The median of the rounds, and the range of the middle half of them. */
export interface Quartiles {
  lower: number;
  median: number;
  upper: number;
}

/** One result of each variant, measured in a random order. */
export type Round<Variant, Result> = ReadonlyMap<Variant, Result>;

/** Measures every variant once per round, in a new order each round, so that a change of the machine affects all of them. */
export async function inRounds<Variant, Result>(
  variants: readonly Variant[],
  rounds: number,
  measure: (variant: Variant) => Promise<Result>,
): Promise<Array<Round<Variant, Result>>> {
  const all: Array<Round<Variant, Result>> = [];
  for (let round = 0; round < rounds; round++) {
    const results = new Map<Variant, Result>();
    for (const variant of shuffled(variants)) results.set(variant, await measure(variant));
    all.push(results);
  }
  return all;
}

/** Quartiles, interpolated between neighbours. */
export function quartilesOf(values: readonly number[]): Quartiles {
  const ordered = sorted(values);
  const at = (share: number) => {
    const place = (ordered.length - 1) * share;
    const below = ordered[Math.floor(place)] ?? Number.NaN;
    const above = ordered[Math.ceil(place)] ?? Number.NaN;
    return below + (above - below) * (place - Math.floor(place));
  };
  return { lower: at(0.25), median: at(0.5), upper: at(0.75) };
}

/** The median of a distribution, and the range that contains it with a probability of 95 %. */
export interface Interval {
  lower: number;
  median: number;
  upper: number;
}

/** Estimates the median of the distribution of the values: how many of them are below it is binomially distributed. */
export function medianInterval(values: readonly number[]): Interval {
  const ordered = sorted(values);
  const { median } = quartilesOf(ordered);
  const middle = (ordered.length - 1) / 2;
  const reach = 0.98 * Math.sqrt(ordered.length);
  const at = (place: number) => ordered[Math.min(ordered.length - 1, Math.max(0, place))] ?? Number.NaN;
  return { lower: at(Math.floor(middle - reach)), median, upper: at(Math.ceil(middle + reach)) };
}

interface Ratio<Variant, Result> {
  of: Variant;
  to: Variant;
  by: (result: Result) => number;
}

/** Ratios within each round, so that a slower machine affects both sides. */
export function ratiosOf<Variant, Result>(
  rounds: ReadonlyArray<Round<Variant, Result>>,
  { of, to, by }: Ratio<Variant, Result>,
): number[] {
  return rounds.map((round) => by(round.get(of)!) / by(round.get(to)!));
}
