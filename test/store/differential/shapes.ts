import { type Document, Double, Int32 } from 'bson';
import type { Dice } from './dice.ts';
import { computed } from './expressions.ts';
import { condition } from './filters.ts';
import { anyPath, KINDS, pathOf, whole } from './values.ts';

/** A sort. With `isTotal` no two documents are equal in it; with `isNamed` it has field names only, no paths. */
export function sort(dice: Dice, options: { isTotal: boolean; isNamed?: boolean }): Document {
  const direction = (): unknown => dice.pick([new Int32(1), new Int32(-1), new Double(1)]);
  const spec: Document = {};
  for (const path of dice.many(options.isTotal ? 0 : 1, 2, () => anyPath(dice))) {
    if (!options.isNamed || !path.includes('.')) spec[path] = direction();
  }
  if (options.isTotal && !('_id' in spec)) spec._id = direction();
  return spec;
}

/** A projection of `find`. */
export function projection(dice: Dice): Document {
  const isInclusion = dice.chance(0.6);
  const spec: Document = {};
  for (const path of dice.many(1, 3, () => anyPath(dice))) spec[path] = new Int32(isInclusion ? 1 : 0);
  if (dice.chance(0.25)) spec._id = dice.pick<unknown>([new Int32(0), new Int32(1), false]);
  if (dice.chance(0.2)) spec[dice.pick(['l', 'm', 'x', 'o.r', 's'])] = { $slice: slice(dice) };
  if (dice.chance(0.15))
    spec[dice.pick(['m', 'l', 'x'])] = {
      $elemMatch: dice.chance(0.6) ? { k: condition(dice, 'n', 0) } : condition(dice, 'n', 0),
    };
  if (dice.chance(isInclusion ? 0.25 : 0.03)) spec[dice.chance(0.5) ? 'z' : anyPath(dice)] = computed(dice, 'any', 2);
  if (dice.chance(0.05)) spec[pathOf(dice, dice.pick(KINDS))] = new Int32(isInclusion ? 0 : 1);
  if (dice.chance(0.03)) spec.o = { p: new Int32(isInclusion ? 1 : 0), q: new Int32(isInclusion ? 1 : 0) };
  return spec;
}

const slice = (dice: Dice): unknown =>
  dice.chance(0.7) ? whole(dice, -2, 2) : [whole(dice, -2, 2), whole(dice, dice.chance(0.1) ? 0 : 1, 3)];
