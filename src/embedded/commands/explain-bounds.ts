import type { Document } from 'bson';
import { compareValues, describe, type FilterLeaf, isNumber, regexParts, typeOf } from '../lib/index.ts';
import type { IndexBounds, IndexScan } from '../query/index.ts';

/** An interval of values, smaller end first. */
interface Interval {
  low: string;
  high: string;
  hasLow: boolean;
  hasHigh: boolean;
}

const EVERYTHING: Interval = { low: 'MinKey', high: 'MaxKey', hasLow: true, hasHigh: true };

/** The intervals of each index field that a scan reads, in the format of MongoDB's `indexBounds`. */
export function indexBounds({ index, bounds, isReverse }: IndexScan): Document {
  const entries = index.paths.map((path, i) => {
    const isDownward = (index.directions[i] === -1) !== isReverse;
    const intervals = intervalsOf(bounds[i]);
    return [path, isDownward ? intervals.map(downward).reverse() : intervals.map(upward)];
  });
  return Object.fromEntries(entries);
}

const upward = ({ low, high, hasLow, hasHigh }: Interval): string =>
  `${hasLow ? '[' : '('}${low}, ${high}${hasHigh ? ']' : ')'}`;

const downward = ({ low, high, hasLow, hasHigh }: Interval): string =>
  `${hasHigh ? '[' : '('}${high}, ${low}${hasLow ? ']' : ')'}`;

function intervalsOf(field: IndexBounds['fields'][number] | undefined): Interval[] {
  if (!field) return [EVERYTHING];
  if (field.kind === 'points') return sortedUnique(field.values).flatMap(pointsOf);
  return [field.used.map(({ leaf }) => rangeOf(leaf)).reduce(intersect)].map(({ interval }) => interval);
}

function sortedUnique(values: readonly unknown[]): unknown[] {
  const sorted = [...values].sort(compareValues);
  return sorted.filter((value, i) => i === 0 || compareValues(value, sorted[i - 1]) !== 0);
}

/** A search for null also covers MongoDB's deprecated type `undefined`. */
function pointsOf(value: unknown): Interval[] {
  const points = value === null ? ['undefined', 'null'] : [describe(value)];
  return points.map((point) => ({ low: point, high: point, hasLow: true, hasHigh: true }));
}

/** An interval with the values of its ends, if conditions set them. */
interface Range {
  interval: Interval;
  lowest?: unknown;
  highest?: unknown;
}

function rangeOf({ op, value }: FilterLeaf): Range {
  if (op === 'regex') return { interval: prefixInterval(value) };
  if (op === 'exists') return { interval: EVERYTHING };
  const all = typeInterval(value);
  const text = describe(value);
  return op === 'gt' || op === 'gte'
    ? { interval: { ...all, low: text, hasLow: op === 'gte' }, lowest: value }
    : { interval: { ...all, high: text, hasHigh: op === 'lte' }, highest: value };
}

/** The intersection of two ranges of one field. */
function intersect(a: Range, b: Range): Range {
  const low = isTighter(a.lowest, b.lowest, 1, !b.interval.hasLow) ? b : a;
  const high = isTighter(a.highest, b.highest, -1, !b.interval.hasHigh) ? b : a;
  return {
    interval: {
      low: low.interval.low,
      hasLow: low.interval.hasLow,
      high: high.interval.high,
      hasHigh: high.interval.hasHigh,
    },
    lowest: low.lowest,
    highest: high.highest,
  };
}

function isTighter(known: unknown, next: unknown, sign: 1 | -1, excludes: boolean): boolean {
  if (next === undefined) return false;
  if (known === undefined) return true;
  const order = compareValues(next, known) * sign;
  return order > 0 || (order === 0 && excludes);
}

function prefixInterval(value: unknown): Interval {
  const [, prefix = ''] = /^\^([\p{L}\p{N} _\-:/@]+)/u.exec(regexParts(value).pattern) ?? [];
  return { low: `"${prefix}"`, high: `"${prefix}…"`, hasLow: true, hasHigh: false };
}

/** The bounds of all values of one type, in MongoDB's format. */
function typeInterval(value: unknown): Interval {
  const closed = (low: string, high: string): Interval => ({ low, high, hasLow: true, hasHigh: true });
  if (isNumber(value)) return closed('-inf.0', 'inf.0');
  switch (typeOf(value)) {
    case 'string':
      return { low: '""', high: '{}', hasLow: true, hasHigh: false };
    case 'date':
      return closed('new Date(-9223372036854775808)', 'new Date(9223372036854775807)');
    case 'objectId':
      return closed(`ObjectId('${'0'.repeat(24)}')`, `ObjectId('${'f'.repeat(24)}')`);
    case 'bool':
      return closed('false', 'true');
    default:
      return EVERYTHING;
  }
}
