import {
  compareValues,
  type FilterLeaf,
  type FilterNode,
  isNotANumber,
  rankOf,
  typeOf,
  typesEqualTo,
  valuesEqual,
} from '../../lib/index.ts';
import type { Index } from '../../storage/index.ts';
import type { Conditions } from './bounds.ts';

/**
 * Whether every document that satisfies the conditions has an entry in the index: always for a plain index, for a
 * partial one if the conditions imply its filter, for a sparse one if they exclude documents without its fields.
 */
export function coversAll(index: Index, conditions: Conditions): boolean {
  if (index.partial && !implies(conditions, index.partial.filter.node)) return false;
  return !index.isSparse || index.paths.some((path) => conditions.get(path)?.some(({ leaf }) => excludesMissing(leaf)));
}

/** Whether the condition is false for documents that lack its field. */
function excludesMissing({ op, value }: FilterLeaf): boolean {
  switch (op) {
    case 'eq':
      return value !== null;
    case 'in':
      return (value as unknown[]).every((item) => item !== null);
    case 'gt':
    case 'lt':
    case 'gte':
    case 'lte':
      return value !== null && typeOf(value) !== 'minKey' && typeOf(value) !== 'maxKey';
    case 'exists':
      return value === true;
    case 'regex':
      return true;
    default:
      return false;
  }
}

function implies(conditions: Conditions, node: FilterNode): boolean {
  switch (node.kind) {
    case 'and':
      return node.children.every((child) => implies(conditions, child));
    case 'or':
      return node.children.some((child) => implies(conditions, child));
    case 'leaf':
      return conditions.get(node.path)?.some(({ leaf }) => leafImplies(leaf, node)) === true;
    default:
      return false;
  }
}

/** Whether `given` implies `wanted` for a field. */
function leafImplies(given: FilterLeaf, wanted: FilterLeaf): boolean {
  if (wanted.op === 'exists') return wanted.value === true ? excludesMissing(given) : isSame(given, wanted);
  if (given.op === 'eq') return satisfies(given.value, wanted);
  if (given.op === 'in') return (given.value as unknown[]).every((value) => satisfies(value, wanted));
  if (isSame(given, wanted)) return true;
  return isRangeWithin(given, wanted);
}

const isSame = (a: FilterLeaf, b: FilterLeaf): boolean => a.op === b.op && valuesEqual(a.value, b.value);

function satisfies(value: unknown, { op, value: bound }: FilterLeaf): boolean {
  if (typeOf(value) === 'array' || typeOf(value) === 'regex') return false;
  switch (op) {
    case 'eq':
      return valuesEqual(value, bound);
    case 'in':
      return (bound as unknown[]).some((item) => valuesEqual(value, item));
    case 'type':
      // Null is also equal to a missing field, which has no type.
      return value !== null && typesEqualTo(value).every((type) => (bound as string[]).includes(type));
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte': {
      if (!areComparable(value, bound)) return false;
      const order = compareValues(value, bound);
      return (order === 0 && (op === 'gte' || op === 'lte')) || (op.startsWith('g') ? order > 0 : order < 0);
    }
    default:
      return false;
  }
}

function isRangeWithin(given: FilterLeaf, wanted: FilterLeaf): boolean {
  const isUp = (op: string) => op === 'gt' || op === 'gte';
  const isDown = (op: string) => op === 'lt' || op === 'lte';
  const isSameSide = (isUp(given.op) && isUp(wanted.op)) || (isDown(given.op) && isDown(wanted.op));
  if (!isSameSide || !areComparable(given.value, wanted.value)) return false;
  const order = compareValues(given.value, wanted.value);
  if (order === 0) return wanted.op.endsWith('e') || !given.op.endsWith('e');
  return isUp(given.op) ? order > 0 : order < 0;
}

/** Whether a comparison with one of the values can match the other; NaN is neither less nor greater than a number. */
const areComparable = (a: unknown, b: unknown): boolean =>
  rankOf(a) === rankOf(b) && isNotANumber(a) === isNotANumber(b);
