import { type Document, Int32 } from 'bson';
import type { Dice } from './dice.ts';
import { anyPath, number, PATHS } from './values.ts';

export interface IndexSpec extends Document {
  key: Document;
  name: string;
}

/** Excludes array indexes in paths, for which MongoDB finds less with an index than without. */
const INDEXED: readonly string[] = [...new Set(Object.values(PATHS).flat())].filter(
  (path) => path !== '_id' && !/\d/.test(path),
);

/** An index on one to three fields, of any supported kind. */
export function indexSpec(dice: Dice): IndexSpec {
  const key: Document = {};
  for (const path of dice.many(1, 3, () =>
    dice.chance(0.6) ? dice.pick(['n', 's', 'l', 'm.k', 'o.p', 'd']) : dice.pick(INDEXED),
  )) {
    key[path] = new Int32(dice.chance(0.65) ? 1 : -1);
  }
  if (dice.chance(0.08)) key._id = new Int32(1);
  const isTtl = Object.keys(key).length === 1 && dice.chance(0.06);
  return {
    key,
    name: Object.entries(key)
      .map(([path, direction]) => `${path}_${direction}`)
      .join('_'),
    ...(dice.chance(0.15) && { unique: true }),
    ...(dice.chance(0.15) && { sparse: true }),
    ...(dice.chance(0.15) && { partialFilterExpression: partial(dice) }),
    ...(isTtl && { expireAfterSeconds: new Int32(2_000_000_000) }),
  };
}

const partial = (dice: Dice): Document =>
  dice.weigh<Document>([
    [2, () => ({ [anyPath(dice)]: { $exists: true } })],
    [2, () => ({ n: { [dice.pick(['$gt', '$gte', '$lt', '$lte', '$eq'])]: number(dice) } })],
    [1, () => ({ s: { $type: 'string' } })],
    [1, () => ({ n: { $gt: new Int32(0) }, s: { $exists: true } })],
    [0.5, () => ({ d: dice.pick<unknown>([true, null]) })],
    [0.5, () => ({ $or: [{ n: number(dice) }, { s: 'a' }] })],
    [0.3, () => ({ n: { $in: [number(dice), number(dice)] } })],
    [0.1, () => ({ n: { $ne: new Int32(1) } })],
  ]);
