import { Binary, BSONRegExp, Decimal128, type Document, Double, Int32, Long, ObjectId, Timestamp } from 'bson';
import type { Dice } from './dice.ts';

/**
 * The usual types of a random document's fields. Filters and updates rely on them, so that they often match;
 * occasionally a field has another type.
 *
 * `n` a number, `s` a string, `l` a list of scalars, `m` a list of documents, `o` a document, `d` a date, id or
 * boolean, `x` any type.
 */
export type Kind = 'n' | 's' | 'l' | 'm' | 'o' | 'd' | 'x';

export const KINDS: readonly Kind[] = ['n', 's', 'l', 'm', 'o', 'd', 'x'];

const decimal = (text: string): Decimal128 => Decimal128.fromString(text);

const COMMON_NUMBERS: readonly unknown[] = [
  ...[0, 1, 2, 3, 5, -1, -2].map((value) => new Int32(value)),
  ...[1, 2, 1.5, -0.5, 2.5].map((value) => new Double(value)),
  Long.fromNumber(2),
  Long.fromNumber(3),
  decimal('1.5'),
  decimal('2'),
];

const RARE_NUMBERS: readonly unknown[] = [
  new Double(-0),
  new Double(Number.NaN),
  new Double(Number.POSITIVE_INFINITY),
  new Double(Number.NEGATIVE_INFINITY),
  new Double(1e308),
  new Double(0.1),
  new Double(9007199254740992),
  new Int32(2147483647),
  new Int32(-2147483648),
  Long.fromString('9223372036854775807'),
  Long.fromString('-9223372036854775808'),
  Long.fromString('9007199254740993'),
  decimal('0.10'),
  decimal('-1E+3'),
  decimal('NaN'),
  decimal('Infinity'),
  decimal('1E+400'),
  decimal('0E-3'),
];

const TEXTS: readonly string[] = ['', 'a', 'b', 'ab', 'A', 'abc', 'b c', 'é', 'ß', '\u{1F600}', 'a\u0000b', '$a', '10'];
const DATES: readonly Date[] = [0, 1_000, -1, 86_400_000, 1_600_000_000_123].map((time) => new Date(time));
/** Older than any id that a server generates, so that both sort the same. */
const OBJECT_IDS: readonly ObjectId[] = ['0a', '0b', '0c'].map(
  (end) => new ObjectId(`5f0000000000000000000000`.slice(0, 22) + end),
);

const ODD: readonly unknown[] = [
  new Timestamp({ t: 1, i: 2 }),
  new BSONRegExp('a', 'i'),
  new Binary(Buffer.from('ab')),
  new Binary(Buffer.from('b')),
];

export const number = (dice: Dice): unknown => dice.pick(dice.chance(0.88) ? COMMON_NUMBERS : RARE_NUMBERS);
export const text = (dice: Dice): string => dice.pick(TEXTS);
export const whole = (dice: Dice, from: number, to: number): Int32 => new Int32(from + dice.below(to - from + 1));

export const marker = (dice: Dice): unknown =>
  dice.weigh<unknown>([
    [3, () => dice.pick(DATES)],
    [2, () => dice.pick(OBJECT_IDS)],
    [2, () => dice.chance(0.5)],
  ]);

export const scalar = (dice: Dice): unknown =>
  dice.weigh<unknown>([
    [5, () => number(dice)],
    [3, () => text(dice)],
    [1, () => null],
    [1.5, () => marker(dice)],
    [0.3, () => dice.pick(ODD)],
  ]);

const list = (dice: Dice, depth: number): unknown[] => dice.many(0, 3, () => anything(dice, depth));

const nested = (dice: Dice, depth: number): Document => {
  const names = ['p', 'q', 'r', 'k', '0'].filter(() => dice.chance(0.4));
  return Object.fromEntries(names.map((name) => [name, anything(dice, depth)]));
};

export const anything = (dice: Dice, depth = 2): unknown =>
  dice.weigh<unknown>([
    [6, () => scalar(dice)],
    [depth > 0 ? 2 : 0, () => list(dice, depth - 1)],
    [depth > 0 ? 2 : 0, () => nested(dice, depth - 1)],
  ]);

/** A typical value for a field of this kind. */
export function usual(dice: Dice, kind: Kind): unknown {
  switch (kind) {
    case 'n':
      return number(dice);
    case 's':
      return text(dice);
    case 'l':
      return dice.many(0, 4, () => (dice.chance(0.75) ? number(dice) : scalar(dice)));
    case 'm':
      return dice.many(0, 3, () => (dice.chance(0.93) ? member(dice) : anything(dice, 1)));
    case 'o':
      return inner(dice);
    case 'd':
      return marker(dice);
    case 'x':
      return anything(dice);
  }
}

/** An element of `m`. */
const member = (dice: Dice): Document => ({
  ...(dice.chance(0.85) && { k: dice.chance(0.85) ? number(dice) : scalar(dice) }),
  ...(dice.chance(0.6) && { v: dice.chance(0.6) ? text(dice) : anything(dice, 1) }),
});

/** The document in `o`. */
const inner = (dice: Dice): Document => ({
  ...(dice.chance(0.8) && { p: dice.chance(0.85) ? number(dice) : anything(dice, 1) }),
  ...(dice.chance(0.6) && { q: dice.chance(0.8) ? text(dice) : anything(dice, 1) }),
  ...(dice.chance(0.3) && { r: dice.chance(0.5) ? dice.many(0, 3, () => scalar(dice)) : nested(dice, 1) }),
});

/** A dotted path where values of this kind usually are. */
export const PATHS: Readonly<Record<Kind, readonly string[]>> = {
  n: ['n', 'n', 'n', 'o.p', 'm.k', 'l', 'm.0.k', 'l.1', 'x', '_id'],
  s: ['s', 's', 's', 'o.q', 'm.v', 'x.q'],
  l: ['l', 'l', 'o.r', 'm.k', 'x'],
  m: ['m', 'm', 'x'],
  o: ['o', 'o', 'm.0', 'x', 'm'],
  d: ['d', 'd', 'd', 'x', 'o.r'],
  x: ['x', 'x.p', 'x.0', 'x.q.r', 'o.r.p', 'm.v', 'm.v.p', 'y', 'y.z', 'n.k', 'l.0.p'],
};

export const pathOf = (dice: Dice, kind: Kind): string => dice.pick(PATHS[kind]);
export const anyPath = (dice: Dice): string => pathOf(dice, dice.pick(KINDS));

/** Ids, mostly small numbers, so that statements affect the same documents. */
export const id = (dice: Dice): unknown =>
  dice.weigh<unknown>([
    [12, () => whole(dice, 0, 9)],
    [1, () => dice.pick<unknown>(['a', 'b', new Double(1.5), Long.fromNumber(3), decimal('4'), new Double(2)])],
    [0.5, () => dice.pick(OBJECT_IDS)],
    [0.4, () => ({ k: whole(dice, 0, 2) })],
    [0.2, () => null],
  ]);

/** The fields of a document without its `_id`. */
export function fields(dice: Dice): Document {
  const kinds = KINDS.filter(() => dice.chance(0.62));
  if (dice.chance(0.15)) kinds.reverse();
  return Object.fromEntries(
    kinds.map((kind) => [kind, dice.chance(0.88) ? usual(dice, kind) : dice.chance(0.3) ? null : anything(dice)]),
  );
}
