import { type Document, Int32, Long } from 'bson';
import type { Dice } from './dice.ts';
import { anything, marker, number, PATHS, scalar, text, whole } from './values.ts';

/** The usual type of an expression's value. */
export type Yield = 'number' | 'text' | 'list' | 'document' | 'flag' | 'any';

const YIELDS: readonly Yield[] = ['number', 'text', 'list', 'document', 'flag', 'any'];

/** Paths without array indexes, which expressions would read as field names. */
const asFields = (paths: readonly string[]): string[] =>
  [...new Set(paths)].filter((path) => !/\d/.test(path)).map((path) => `$${path}`);

const FIELDS: Readonly<Record<Yield, readonly string[]>> = {
  number: ['$n', '$n', '$o.p', '$_id', '$x'],
  text: ['$s', '$s', '$o.q'],
  list: ['$l', '$l', '$m', '$m.k', '$o.r', '$m.v'],
  document: ['$o', '$o', '$x', '$$ROOT'],
  flag: ['$d', '$x', '$n', '$y'],
  any: [...asFields(Object.values(PATHS).flat()), '$$ROOT', '$$CURRENT', '$$REMOVE', '$o.r.p'],
};

interface Sight {
  /** Variables in scope. */
  names: readonly string[];
}

/** A random expression that usually has the wanted type; occasionally it has another one or fails. */
export function computed(dice: Dice, wanted: Yield, depth: number, sight: Sight = { names: [] }): unknown {
  const yields = dice.chance(0.93) ? wanted : dice.pick(YIELDS);
  if (depth <= 0 || dice.chance(0.25)) return plain(dice, yields, sight);
  return general(dice, yields, depth, sight);
}

/** An expression that never fails. */
export function harmless(dice: Dice, depth = 2): unknown {
  const inner = (): unknown => (depth > 0 ? harmless(dice, depth - 1) : dice.pick(FIELDS.any));
  return dice.weigh<unknown>([
    [4, () => dice.pick(FIELDS.any)],
    [1, () => ({ $literal: anything(dice) })],
    [2, () => ({ [dice.pick(['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$cmp'])]: [inner(), inner()] })],
    [1, () => ({ $ifNull: [inner(), inner()] })],
    [1, () => ({ $cond: [inner(), inner(), inner()] })],
    [1, () => ({ [dice.pick(['$and', '$or', '$max', '$min'])]: [inner(), inner()] })],
    [1, () => ({ [dice.pick(['$isArray', '$not', '$type', '$sum', '$avg'])]: [inner()] })],
    [1, () => ({ k: inner(), v: inner() })],
    [1, () => [inner(), inner()]],
  ]);
}

function plain(dice: Dice, yields: Yield, { names }: Sight): unknown {
  if (names.length > 0 && dice.chance(0.5)) {
    return `$$${dice.pick(names)}${yields === 'number' && dice.chance(0.2) ? '.k' : ''}`;
  }
  if (dice.chance(0.65)) return dice.pick(FIELDS[yields]);
  const value = constant(dice, yields);
  return typeof value === 'string' && !value.startsWith('$') && dice.chance(0.6) ? value : { $literal: value };
}

function constant(dice: Dice, yields: Yield): unknown {
  switch (yields) {
    case 'number':
      return number(dice);
    case 'text':
      return text(dice);
    case 'list':
      return dice.many(0, 3, () => scalar(dice));
    case 'document':
      return { k: scalar(dice), p: scalar(dice) };
    case 'flag':
      return dice.pick<unknown>([true, false, null, new Int32(0)]);
    case 'any':
      return dice.chance(0.3) ? marker(dice) : anything(dice);
  }
}

const named = (names: readonly string[], values: readonly unknown[]): Document =>
  Object.fromEntries(names.map((name, i) => [name, values[i]]));

/** Expressions of any type, or the operators that return the wanted type. */
function general(dice: Dice, yields: Yield, depth: number, sight: Sight): unknown {
  const make = (kind: Yield): unknown => computed(dice, kind, depth - 1, sight);
  const own = (): unknown => OPERATORS[yields]({ dice, depth, sight, make });
  return dice.weigh<unknown>([
    [9, own],
    [0.8, () => ({ $cond: dice.chance(0.5) ? [make('flag'), make(yields), make(yields)] : named(['if', 'then', 'else'], [make('flag'), make(yields), make(yields)]) })],
    [0.8, () => ({ $ifNull: dice.many(2, 3, () => make(yields)) })],
    [0.5, () => ({
      $switch: {
        branches: dice.many(1, 2, () => named(['case', 'then'], [make('flag'), make(yields)])),
        ...(dice.chance(0.8) && { default: make(yields) }),
      },
    })],
    [0.6, () => ({ $let: { vars: { v: make('any') }, in: computed(dice, yields, depth - 1, { names: [...sight.names, 'v'] }) } })],
    [0.5, () => ({ [dice.pick(['$first', '$last'])]: make('list') })],
    [0.5, () => ({ $arrayElemAt: [make('list'), whole(dice, -2, 2)] })],
    [0.3, () => ({ $getField: dice.chance(0.5) ? dice.pick(['n', 's', 'x']) : { field: dice.pick(['p', 'q', 'k']), input: make('document') } })],
    [0.4, () => ({ $reduce: { input: make('list'), initialValue: make(yields), in: computed(dice, yields, depth - 1, { names: [...sight.names, 'value', 'this'] }) } })],
    [0.3, () => ({ [dice.pick(['$max', '$min'])]: dice.many(1, 3, () => make(yields)) })],
  ]); // biome-ignore format: one a line
}

interface Making {
  dice: Dice;
  depth: number;
  sight: Sight;
  make(kind: Yield): unknown;
}

const inside = ({ dice, depth, sight }: Making, yields: Yield, name: string): unknown =>
  computed(dice, yields, depth - 1, { names: [...sight.names, name] });

const OPERATORS: Readonly<Record<Yield, (making: Making) => unknown>> = {
  number: (making) => {
    const { dice, make } = making;
    return dice.weigh<unknown>([
      [3, () => ({ [dice.pick(['$add', '$multiply'])]: dice.many(1, 3, () => make('number')) })],
      [3, () => ({ [dice.pick(['$subtract', '$divide', '$mod'])]: [make('number'), make('number')] })],
      [1, () => ({ [dice.pick(['$subtract', '$add'])]: ['$d', make('number')] })],
      [2, () => ({ [dice.pick(['$abs', '$floor', '$ceil'])]: make('number') })],
      [
        2,
        () => ({
          [dice.pick(['$sum', '$avg', '$max', '$min'])]: dice.chance(0.5)
            ? make('list')
            : dice.many(1, 3, () => make('number')),
        }),
      ],
      [1, () => ({ $size: make('list') })],
      [1, () => ({ $strLenCP: make('text') })],
      [1, () => ({ $cmp: [make('any'), make('any')] })],
      [1, () => ({ $indexOfArray: [make('list'), make('number'), ...(dice.chance(0.3) ? [whole(dice, 0, 2)] : [])] })],
      [
        2,
        () => ({ [dice.pick(['$toInt', '$toLong', '$toDouble'])]: make(dice.pick(['number', 'text', 'any', 'flag'])) }),
      ],
    ]);
  },
  text: ({ dice, make }) =>
    dice.weigh<unknown>([
      [3, () => ({ $concat: dice.many(1, 3, () => make('text')) })],
      [2, () => ({ [dice.pick(['$toLower', '$toUpper'])]: make(dice.pick(['text', 'text', 'any'])) })],
      [2, () => ({ $substrCP: [make('text'), whole(dice, 0, 2), whole(dice, 0, 3)] })],
      [1, () => ({ $type: make('any') })],
      [1.5, () => ({ $toString: make(dice.pick(['number', 'text', 'any', 'flag'])) })],
    ]),
  list: (making) => {
    const { dice, make } = making;
    return dice.weigh<unknown>([
      [2, () => ({ $concatArrays: dice.many(1, 3, () => make('list')) })],
      [2, () => ({ $slice: [make('list'), whole(dice, -2, 3), ...(dice.chance(0.3) ? [whole(dice, 0, 2)] : [])] })],
      [1, () => ({ $reverseArray: make('list') })],
      [1, () => ({ $range: [whole(dice, -2, 3), whole(dice, -2, 5), ...(dice.chance(0.4) ? [whole(dice, -2, 2)] : [])] })],
      [1, () => ({ $range: [make('number'), new Int32(4)] })],
      [3, () => ({
        $filter: {
          input: make('list'),
          ...(dice.chance(0.3) && { as: 'e' }),
          cond: inside(making, 'flag', 'this'),
          ...(dice.chance(0.2) && { limit: whole(dice, 1, 2) }),
        },
      })],
      [3, () => ({ $map: { input: make('list'), as: 'e', in: inside(making, dice.pick(YIELDS), 'e') } })],
      [2, () => ({ [dice.pick(['$setUnion', '$setIntersection'])]: dice.many(1, 3, () => make('list')) })],
      [1, () => ({ $setDifference: [make('list'), make('list')] })],
      [1, () => ({ $objectToArray: make('document') })],
      [1, () => dice.many(0, 3, () => make('any'))],
    ]); // biome-ignore format: one a line
  },
  document: ({ dice, make }) =>
    dice.weigh<unknown>([
      [2, () => ({ $mergeObjects: dice.many(1, 3, () => make('document')) })],
      [1, () => ({ $arrayToObject: dice.chance(0.5) ? make('list') : { $objectToArray: make('document') } })],
      [2, () => ({ p: make('any'), k: make('number') }) as Document],
      // In MongoDB a computed field without a value keeps its position, so none is set here.
      [0.6, () => ({ $setField: { field: 'z', input: make('document'), value: make('any') } })],
      [0.4, () => ({ $setField: { field: dice.pick(['p', 'q']), input: '$o', value: make('any') } })],
      [
        1,
        () => ({
          $arrayToObject: [
            [
              ['a', { $literal: scalar(dice) }],
              ['b', make('any')],
            ],
          ],
        }),
      ],
    ]),
  flag: ({ dice, make }) =>
    dice.weigh<unknown>([
      [6, () => ({ [dice.pick(['$eq', '$ne', '$gt', '$gte', '$lt', '$lte'])]: [make('number'), make('number')] })],
      [2, () => ({ [dice.pick(['$eq', '$gt', '$lt'])]: [make('any'), make('any')] })],
      [2, () => ({ [dice.pick(['$and', '$or'])]: dice.many(0, 3, () => make('flag')) })],
      [1, () => ({ $not: [make('flag')] })],
      [1, () => ({ $in: [make('any'), make('list')] })],
      [1, () => ({ $isArray: [make('any')] })],
      [1, () => ({ $setIsSubset: [make('list'), dice.pick(FIELDS.list)] })],
    ]),
  any: ({ dice, make }) =>
    dice.weigh<unknown>([
      [5, () => make(dice.pick(YIELDS))],
      [1, () => ({ $toDate: dice.chance(0.5) ? { $literal: dice.pick<unknown>([Long.fromNumber(5), '1970-01-02T00:00:00Z', '2020-02-30', 'x']) } : make('any') })],
      [0.7, () => ({ $toObjectId: dice.chance(0.5) ? { $literal: '5f000000000000000000000b' } : make('any') })],
      [0.3, () => dice.pick<unknown>([{ $foo: 1 }, { $add: [1, 2], $sum: 1 }, '$', '$$nope', { $eq: [1] }, { $slice: [] }, { $map: {} }, { 'a.b': 1 }, { $let: 1 }, '$a..b', { $cond: [1] }, { $switch: {} }])],
    ]), // biome-ignore format: one a line
};
