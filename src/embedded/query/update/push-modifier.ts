import {
  arrayIndexOf,
  badValue,
  compareValues,
  describe,
  entriesOf,
  fieldOf,
  isDocument,
  isNumber,
  spendSteps,
  toInteger,
  toNumber,
  typeOf,
} from '../../lib/index.ts';
import type { Modifier } from './update-tree.ts';

interface Clauses {
  each: unknown[];
  slice?: number;
  position?: number;
  sort?: (a: unknown, b: unknown) => number;
}

/** `$push` with `$each`, `$position`, `$sort` and `$slice`, applied in that order. */
export function parsePush(argument: unknown, path: string): Modifier {
  const clauses = parseClauses(argument);
  return {
    needsPath: true,
    isAdding: true,
    // As in MongoDB, an insertion at an explicit position counts as appending only beyond the end.
    hasAppended: (before, after) =>
      before.length > 0 &&
      !clauses.sort &&
      (clauses.position === undefined || clauses.position > before.length) &&
      after.length === before.length + clauses.each.length,
    apply(current, { original }) {
      if (current !== undefined && !Array.isArray(current)) {
        throw badValue(
          `The field '${path}' must be an array but is of type ${typeOf(current)} in document {_id: ${describe(original._id)}}`,
        );
      }
      const result = pushed(current ?? [], clauses);
      const isStill = clauses.each.length === 0 && (!clauses.sort || result.length === 0);
      const isSame = isStill && current?.length === result.length;
      return isSame ? current : result;
    },
  };
}

/** Evaluation steps per sorted element. */
const SORT_STEPS = 8;

function pushed(current: readonly unknown[], { each, slice, position, sort }: Clauses): unknown[] {
  const at = position === undefined || position > current.length ? current.length : position;
  const result = current.toSpliced(at < 0 ? Math.max(0, current.length + at) : at, 0, ...each);
  if (sort) {
    spendSteps(result.length * SORT_STEPS);
    result.sort(sort);
  }
  if (slice === undefined) return result;
  if (slice === 0) return [];
  return slice > 0 ? result.slice(0, slice) : result.slice(slice);
}

function parseClauses(argument: unknown): Clauses {
  if (!isDocument(argument) || fieldOf(argument, '$each') === undefined) return { each: [argument] };
  const clauses: Clauses = { each: [] };
  for (const [name, value] of entriesOf(argument)) {
    switch (name) {
      case '$each':
        if (!Array.isArray(value)) {
          throw badValue(`The argument to $each in $push must be an array but it was of type: ${typeOf(value)}`);
        }
        clauses.each = value;
        break;
      case '$slice':
      case '$position':
        clauses[name === '$slice' ? 'slice' : 'position'] = wholeClause(name, value);
        break;
      case '$sort':
        clauses.sort = parseSort(value);
        break;
      default:
        throw badValue(`Unrecognized clause in $push: ${name}`);
    }
  }
  return clauses;
}

function wholeClause(name: string, value: unknown): number {
  const number = toInteger(value);
  if (number === undefined)
    throw badValue(`The value for ${name} must be an integer value but was given type: ${typeOf(value)}`);
  return number;
}

function parseSort(value: unknown): (a: unknown, b: unknown) => number {
  if (isNumber(value)) {
    const direction = directionOf(value);
    return (a, b) => compareValues(a, b) * direction;
  }
  if (!isDocument(value))
    throw badValue('The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1} to sort embedded fields');
  const entries = entriesOf(value);
  if (entries.length === 0) throw badValue('The $sort pattern is empty when it should be a set of fields.');
  const fields = entries.map(([path, direction]) => {
    if (path === '') throw badValue('The $sort field cannot be empty');
    if (path.split('.').includes(''))
      throw badValue(`The $sort field is a dotted field but has an empty part: ${path}`);
    return { parts: path.split('.'), direction: directionOf(direction) };
  });
  return (a, b) => {
    for (const { parts, direction } of fields) {
      const order = compareValues(readPlain(a, parts), readPlain(b, parts)) * direction;
      if (order !== 0) return order;
    }
    return 0;
  };
}

function directionOf(value: unknown): number {
  const direction = isNumber(value) ? toNumber(value) : 0;
  if (direction !== 1 && direction !== -1) throw badValue('The $sort element value must be either 1 or -1');
  return direction;
}

/** Reads a path through documents and array indexes without expanding arrays; null if missing. */
function readPlain(value: unknown, parts: readonly string[]): unknown {
  let current = value;
  for (const part of parts) {
    if (isDocument(current)) current = fieldOf(current, part);
    else if (Array.isArray(current)) current = current[arrayIndexOf(part) ?? -1];
    else return null;
  }
  return current ?? null;
}
