import { BSONRegExp, type Document, Double, Int32 } from 'bson';
import type { Dice } from './dice.ts';
import { computed, harmless } from './expressions.ts';
import { anyPath, anything, id, KINDS, type Kind, number, pathOf, scalar, usual, whole } from './values.ts';

const TYPES: readonly unknown[] = [
  'double', 'string', 'object', 'array', 'objectId', 'bool', 'date', 'null', 'int', 'long', 'decimal', 'number',
  'binData', 'regex', 'timestamp', 'minKey', new Int32(1), new Int32(2), new Int32(4), new Int32(10), new Double(16), new Int32(-1),
]; // biome-ignore format: a list
const PATTERNS = ['^a', 'b', '^A', 'c$', '.', '^ab?$', '[a-b]+', '^$', 'é', '1|2', '\\d', '^b c'];

/** A value for an element of such a field. */
const element = (dice: Dice, kind: Kind): unknown => {
  if (kind === 'l') return number(dice);
  if (kind === 'm') return dice.chance(0.5) ? { k: number(dice) } : anything(dice, 1);
  return usual(dice, kind);
};

const operand = (dice: Dice, kind: Kind): unknown =>
  dice.weigh<unknown>([
    [7, () => element(dice, kind)],
    [1, () => usual(dice, kind)],
    [1, () => anything(dice, 1)],
    [0.5, () => null],
    [0.2, () => []],
  ]);

const regex = (dice: Dice): Document => {
  const pattern = dice.pick(PATTERNS);
  return dice.weigh<Document>([
    [2, () => ({ $regex: pattern })],
    [1, () => ({ $regex: pattern, $options: dice.pick(['i', 'm', 's', 'x', 'is', '']) })],
    [1, () => ({ $regex: new BSONRegExp(pattern, dice.pick(['', 'i'])) })],
  ]);
};

/** Operators on one path. */
export function condition(dice: Dice, kind: Kind, depth = 1): Document {
  const value = (): unknown => operand(dice, kind);
  return dice.weigh<Document>([
    [6, () => ({ [dice.pick(['$eq', '$gt', '$gte', '$lt', '$lte'])]: value() })],
    [2, () => ({ $gte: value(), $lt: value() })],
    [1, () => ({ $ne: value() })],
    [2, () => ({ [dice.pick(['$in', '$in', '$nin'])]: dice.many(0, 3, value) })],
    [0.4, () => ({ $in: [new BSONRegExp(dice.pick(PATTERNS), ''), value()] })],
    [1, () => ({ $exists: dice.pick([true, false, new Int32(1), new Int32(0)]) })],
    [1, () => ({ $type: dice.chance(0.8) ? dice.pick(TYPES) : dice.many(1, 2, () => dice.pick(TYPES)) })],
    [kind === 's' ? 3 : 0.4, () => regex(dice)],
    [kind === 'l' || kind === 'm' ? 1.5 : 0.3, () => ({ $size: whole(dice, 0, 3) })],
    [kind === 'l' ? 1.5 : 0.4, () => ({ $all: dice.many(0, 3, value) })],
    [0.2, () => ({ $all: dice.many(1, 2, () => ({ $elemMatch: withoutAll(dice) })) })],
    [kind === 'l' ? 2 : 0.2, () => ({ $elemMatch: withoutAll(dice) })],
    [kind === 'm' ? 3 : 0.2, () => ({ $elemMatch: memberFilter(dice, depth) })],
    [kind === 'n' ? 1 : 0.2, () => ({ $mod: [whole(dice, 1, 3), whole(dice, -1, 2)] })],
    [depth > 0 ? 1.2 : 0, () => ({ $not: condition(dice, kind, depth - 1) })],
    [0.15, () => dice.pick<Document>([
      { $size: new Int32(-1) }, { $in: new Int32(1) }, { $mod: [new Int32(0), new Int32(1)] }, { $regex: '(' }, { $foo: 1 },
      { $type: 'nothing' }, { $not: {} }, { $elemMatch: 1 }, { $all: 1 }, { $mod: [new Int32(1)] }, { $size: 'a' }, { $exists: null },
      { $options: 'i' }, { $in: [{ $gt: 1 }] }, { $gt: new BSONRegExp('a', '') }, { $not: 1 }, { $type: [] }, { $eq: 1, b: 1 },
      { $mod: [new Double(2.5), new Double(0.5)] }, { $mod: ['a', 1] }, { $size: new Double(1.5) }, { $regex: 1 }, { $regex: 'a', $options: 'q' },
    ])],
  ]); // biome-ignore format: one a line
}

/** MongoDB cannot parse its own serialization of `$all` in `$elemMatch`, which it creates when it moves a filter. */
function withoutAll(dice: Dice): Document {
  const chosen = condition(dice, 'n', 0);
  return '$all' in chosen ? { $gte: number(dice) } : chosen;
}

const memberFilter = (dice: Dice, depth: number): Document =>
  dice.weigh<Document>([
    [3, () => ({ k: condition(dice, 'n', 0) })],
    [1, () => ({ k: number(dice) })],
    [1, () => ({ k: condition(dice, 'n', 0), v: condition(dice, 's', 0) })],
    [depth > 0 ? 0.7 : 0, () => ({ $or: [{ k: number(dice) }, { v: condition(dice, 's', 0) }] })],
    [0.3, () => ({})],
  ]);

/** One entry of a filter. */
export function entry(dice: Dice): Document {
  const kind = dice.pick(KINDS);
  const path = dice.chance(0.92) ? pathOf(dice, kind) : anyPath(dice);
  return { [path]: dice.chance(0.3) ? operand(dice, kind) : condition(dice, kind) };
}

const idFilter = (dice: Dice): Document =>
  dice.weigh<Document>([
    [6, () => ({ _id: id(dice) })],
    [1, () => ({ _id: { $in: dice.many(1, 3, () => id(dice)) } })],
    [1, () => ({ _id: { [dice.pick(['$gt', '$gte', '$lt', '$lte'])]: id(dice) } })],
    [0.2, () => ({ _id: scalar(dice) })],
  ]);

/** A filter for an upsert, with one field besides the id: MongoDB takes several fields from it in undefined order. */
export const upsertFilter = (dice: Dice): Document =>
  dice.weigh<Document>([
    [3, () => ({ _id: id(dice) })],
    [
      3,
      () => {
        const { _id: _, ...others } = entry(dice);
        return { _id: id(dice), ...others };
      },
    ],
    [2, () => entry(dice)],
    [0.3, () => ({ $or: [entry(dice)] })],
    [0.3, () => ({ _id: id(dice), $nor: [entry(dice)] })],
    [0.2, () => ({ $expr: harmless(dice) })],
  ]);

/**
 * A filter of any kind. The order of evaluation differs if an index serves a part. An expression that may fail is
 * therefore not combined with a filter on the id or with several connectives, and not used at all with `isHarmless`.
 */
export function filter(dice: Dice, depth = 2, options: { isHarmless?: boolean } = {}): Document {
  const created = anyFilter(dice, depth, options);
  if (options.isHarmless) return created;
  const text = JSON.stringify(created);
  const isOpen = text.includes('"_id"') || (text.match(/"\$(and|or|nor)":/g) ?? []).length > 1;
  return text.includes('"$expr"') && isOpen ? filter(dice, depth, { isHarmless: true }) : created;
}

function anyFilter(dice: Dice, depth: number, options: { isHarmless?: boolean }): Document {
  return dice.weigh<Document>([
    [5, () => entry(dice)],
    [2, () => ({ ...entry(dice), ...entry(dice) })],
    [1, () => ({})],
    [1, () => idFilter(dice)],
    [depth > 0 ? 1.5 : 0, () => connective(dice, depth, options)],
    [depth > 0 ? 0.7 : 0, () => ({ ...entry(dice), ...connective(dice, depth, options) })],
    [0.5, () => ({ $expr: options.isHarmless ? harmless(dice) : computed(dice, 'flag', 2) })],
    [
      0.06,
      () => dice.pick<Document>([{ $and: [] }, { $or: 1 }, { $nor: [1] }, { $foo: [] }, { $or: [{ n: { $foo: 1 } }] }]),
    ],
  ]);
}

const connective = (dice: Dice, depth: number, options: { isHarmless?: boolean }): Document => ({
  [dice.pick(['$and', '$or', '$or', '$nor'])]: dice.many(1, 3, () => filter(dice, depth - 1, options)),
});
