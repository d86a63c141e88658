import type { Document } from 'bson';
import {
  badValue,
  CommandError,
  compareValues,
  type Direction,
  describe,
  entriesOf,
  failedToParse,
  fieldOf,
  indexKeys,
  isDocument,
  isNumber,
  notSupported,
  type SortSpec,
  spendSteps,
  toNumber,
} from '../lib/index.ts';
import { compileFieldReader } from './top-level-fields.ts';

/**
 * Compiles a sort. An array sorts by its smallest element when ascending and by its largest when descending; a missing
 * field sorts as null, an empty array below null. With several fields, the best tuple over the array's elements is
 * used.
 */
export function compileSort(spec: Document): SortSpec {
  const fields = entriesOf(spec).map(([path, value]) => [path, directionOf(path, value)] as const);
  if (fields.length > 32) throw new CommandError(13103, 'too many compound keys');
  for (const [path] of fields) spendSteps(path.length / 4);
  const read = compileFieldReader([...new Set(fields.map(([path]) => path.split('.')[0]!))]);
  return {
    fields,
    keyOf: (document) => sortKey(document, fields),
    keyOfBytes: (bytes) => sortKey(read(bytes), fields),
    compareKeys: (a, b) => compareTuples(a, b, fields),
  };
}

function directionOf(path: string, value: unknown): Direction {
  if (isDocument(value) && '$meta' in value) throw notSupported('$meta in a sort', 31138);
  if (isDocument(value)) throw new CommandError(17312, '$meta is the only expression supported by $sort right now');
  if (!isNumber(value))
    throw new CommandError(15974, `Illegal key in $sort specification: ${path}: ${describe(value)}`);
  const number = toNumber(value);
  if (number !== 1 && number !== -1) {
    throw new CommandError(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)');
  }
  if (path === '') throw new CommandError(40352, 'FieldPath cannot be constructed with empty string');
  if (path.endsWith('.')) throw new CommandError(40353, "FieldPath must not end with a '.'.");
  for (const part of path.split('.')) {
    if (part === '') throw new CommandError(15998, 'FieldPath field names may not be empty strings.');
    if (part.startsWith('$'))
      throw new CommandError(
        16410,
        `FieldPath field names may not start with '$'. Consider using $getField or $setField.`,
      );
  }
  return number;
}

type SortFields = SortSpec['fields'];

function sortKey(document: Document, fields: SortFields): unknown[] {
  const plain = fields.map(([path]) => (path.includes('.') ? [] : fieldOf(document, path)));
  if (!plain.some(Array.isArray)) return plain.map((value) => value ?? null);
  return smallestTuple(document, fields);
}

function smallestTuple(document: Document, fields: SortFields): unknown[] {
  const tuples = withSortError(() =>
    indexKeys(
      document,
      fields.map(([path]) => path),
    ),
  );
  return tuples.reduce((best, tuple) => (compareTuples(tuple, best, fields) < 0 ? tuple : best));
}

function withSortError<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof CommandError && error.code === 171) {
      throw badValue('cannot sort with keys that are parallel arrays');
    }
    throw error;
  }
}

function compareTuples(a: readonly unknown[], b: readonly unknown[], fields: SortFields): number {
  for (const [i, [, direction]] of fields.entries()) {
    const order = compareValues(a[i], b[i]);
    if (order !== 0) return order * direction;
  }
  return 0;
}

/** Asserts that a sort is a document, with the error of the find command. */
export function assertSortDocument(spec: unknown): asserts spec is Document {
  if (!isDocument(spec)) throw failedToParse(`Expected field sort to be of type object`);
}
