import { type Document, Double, Int32, Long } from 'bson';
import type { Dice } from './dice.ts';
import { computed } from './expressions.ts';
import { condition, filter } from './filters.ts';
import {
  anyPath,
  anything,
  fields,
  id,
  KINDS,
  type Kind,
  number,
  pathOf,
  scalar,
  text,
  usual,
  whole,
} from './values.ts';

export interface RandomUpdate {
  u: Document | Document[];
  arrayFilters?: Document[];
}

/** An update of any kind: operators, a replacement or a pipeline. */
export function update(dice: Dice, options: { mayReplace?: boolean } = {}): RandomUpdate {
  return dice.weigh<RandomUpdate>([
    [10, () => operators(dice)],
    [
      options.mayReplace === false ? 0.1 : 1.2,
      () => ({ u: { ...(dice.chance(0.15) && { _id: id(dice) }), ...fields(dice) } }),
    ],
    [2, () => ({ u: dice.many(1, 2, (position) => stage(dice, position)) })],
  ]);
}

/** Each stage has its own fields: if one is removed and set again, its position differs between MongoDB's engines. */
function stage(dice: Dice, position: number): Document {
  const name = dice.pick(position === 0 ? ['n', 's', 'x', 'o.p'] : ['z', 'l', 'm.k', 'y']);
  const more: Document =
    position === 0 ? { n: computed(dice, 'number', 2), s: computed(dice, 'text', 1) } : { z: '$n' };
  return dice.weigh<Document>([
    [4, () => ({ [dice.pick(['$set', '$addFields'])]: { [name]: computed(dice, 'any', 2) } })],
    [2, () => ({ $set: more })],
    [1, () => ({ $unset: dice.chance(0.5) ? anyPath(dice) : [name, 'd'] })],
    [1, () => ({ $project: { [name]: 1, n: 1, l: 1 } })],
    [0.5, () => ({ $replaceWith: { $mergeObjects: ['$$ROOT', { z: computed(dice, 'any', 1) }] } })],
    [0.3, () => ({ $replaceRoot: { newRoot: dice.chance(0.5) ? '$o' : '$x' } })],
  ]);
}

/** The path, occasionally with a positional part: `$[]`, `$[e]` or `$`. */
function target(dice: Dice, kind: Kind, needed: Set<string>): string {
  if (dice.chance(0.85)) return dice.chance(0.9) ? pathOf(dice, kind) : anyPath(dice);
  const part = dice.pick(['$[]', '$[e]', '$[e]', '$[f]', '$']);
  if (part === '$[e]' || part === '$[f]') needed.add(part.slice(2, 3));
  return dice.pick([`l.${part}`, `m.${part}.k`, `m.${part}.v`, `m.${part}`, `x.${part}`, `o.r.${part}`]);
}

const NUMERIC: readonly Kind[] = ['n', 'n', 'n', 'x', 'd'];
const LISTS: readonly Kind[] = ['l', 'l', 'l', 'm', 'm', 'x', 's'];

interface Operator {
  name: string;
  kind: Kind;
  argument: unknown;
}

function operators(dice: Dice): RandomUpdate {
  const needed = new Set<string>();
  const u: Record<string, Document> = {};
  for (const { name, kind, argument } of dice.many(1, dice.chance(0.3) ? 3 : 2, () => operator(dice))) {
    // No other statement reads this field, whose values would sort by the current time.
    const path = name === '$rename' ? anyPath(dice) : name === '$currentDate' ? 'w' : target(dice, kind, needed);
    u[name] = { ...u[name], [path]: argument };
  }
  if (dice.chance(0.012))
    Object.assign(
      u,
      dice.pick<Document>([
        { $foo: { a: 1 } },
        { $set: 1 },
        { $inc: { 'a..b': 1 } },
        { $set: { '': 1 } },
        { $unset: {} },
        { n: 1 },
        { $set: { $a: 1 } },
        { $pop: { l: 2 } },
        { $set: { 'x.': 1 } },
      ]),
    );
  if (needed.size === 0 && dice.chance(0.99)) return { u };
  const arrayFilters = [...needed].filter(() => dice.chance(0.97)).map((name) => arrayFilter(dice, name));
  if (dice.chance(0.03)) arrayFilters.push(arrayFilter(dice, dice.pick(['e', 'z'])));
  return arrayFilters.length > 0 || dice.chance(0.3) ? { u, arrayFilters } : { u };
}

const arrayFilter = (dice: Dice, name: string): Document =>
  dice.weigh<Document>([
    [3, () => ({ [name]: condition(dice, 'n', 0) })],
    [3, () => ({ [`${name}.k`]: condition(dice, 'n', 0) })],
    [1, () => ({ [name]: number(dice) })],
    [0.5, () => ({ $or: [{ [name]: number(dice) }, { [`${name}.k`]: number(dice) }] })],
    [0.3, () => ({ [`${name}.k`]: { $exists: dice.chance(0.5) }, [`${name}.v`]: condition(dice, 's', 0) })],
  ]);

function operator(dice: Dice): Operator {
  const kind = dice.pick(KINDS);
  const numeric = dice.pick(NUMERIC);
  const list = dice.pick(LISTS);
  const of = (name: string, at: Kind, argument: unknown): Operator => ({ name, kind: at, argument });
  return dice.weigh<Operator>([
    [6, () => of('$set', kind, dice.chance(0.8) ? usual(dice, kind) : anything(dice))],
    [2, () => of('$unset', kind, dice.pick<unknown>(['', new Int32(1), true]))],
    [3, () => of('$inc', numeric, dice.chance(0.95) ? number(dice) : scalar(dice))],
    [1.5, () => of('$mul', numeric, dice.chance(0.95) ? number(dice) : scalar(dice))],
    [2, () => of(dice.pick(['$min', '$max']), kind, dice.chance(0.8) ? usual(dice, kind) : anything(dice))],
    [1.5, () => of('$rename', kind, dice.chance(0.97) ? anyPath(dice) : '')],
    [1, () => of('$setOnInsert', kind, usual(dice, kind))],
    [
      0.5,
      () =>
        of(
          '$currentDate',
          'd',
          dice.pick<unknown>([true, { $type: 'date' }, { $type: 'timestamp' }, { $type: 'x' }, 1]),
        ),
    ],
    [
      0.8,
      () =>
        of('$bit', 'n', {
          [dice.pick(['and', 'or', 'xor'])]: dice.pick<unknown>([
            new Int32(1),
            new Int32(6),
            Long.fromNumber(3),
            new Double(1),
          ]),
        }),
    ],
    [4, () => of('$push', list, dice.chance(0.55) ? element(dice, list) : pushed(dice, list))],
    [
      2,
      () =>
        of(
          '$addToSet',
          list,
          dice.chance(0.6) ? element(dice, list) : { $each: dice.many(0, 3, () => element(dice, list)) },
        ),
    ],
    [2, () => of('$pull', list, pulled(dice, list))],
    [
      1,
      () =>
        of(
          '$pullAll',
          list,
          dice.many(0, 2, () => element(dice, list)),
        ),
    ],
    [1.2, () => of('$pop', list, dice.pick([new Int32(1), new Int32(-1), new Double(1)]))],
  ]);
}

const element = (dice: Dice, kind: Kind): unknown => {
  if (kind === 'm')
    return dice.chance(0.8) ? { k: number(dice), ...(dice.chance(0.5) && { v: text(dice) }) } : scalar(dice);
  return dice.chance(0.85) ? number(dice) : anything(dice, 1);
};

const pushed = (dice: Dice, kind: Kind): Document => ({
  $each: dice.many(0, 3, () => element(dice, kind)),
  ...(dice.chance(0.4) && { $slice: whole(dice, -2, 4) }),
  ...(dice.chance(0.4) && {
    $sort: dice.pick<unknown>(kind === 'm' ? [{ k: 1 }, { k: -1, v: 1 }, { v: 1 }, 1] : [1, -1, { k: 1 }]),
  }),
  ...(dice.chance(0.4) && { $position: whole(dice, -2, 3) }),
});

const pulled = (dice: Dice, kind: Kind): unknown =>
  dice.weigh<unknown>([
    [3, () => element(dice, kind)],
    [3, () => condition(dice, 'n', 0)],
    [kind === 'm' ? 4 : 0.3, () => ({ k: dice.chance(0.5) ? number(dice) : condition(dice, 'n', 0) })],
    [kind === 'm' ? 1 : 0.2, () => ({ $or: [{ k: number(dice) }, { v: text(dice) }] })],
    [0.4, () => filter(dice, 0)],
  ]);
