import { BSON } from 'bson';
import { compareValues, typeOf } from '../../lib/index.ts';

/** Whether two values have the same encoding: 1 and 1.0 are equal in a filter but not identical. */
export function isIdentical(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  const type = typeOf(a);
  if (type !== typeOf(b) || compareValues(a, b) !== 0) return false;
  if (type !== 'object' && type !== 'array' && type !== 'double' && type !== 'decimal') return true;
  return Buffer.compare(BSON.serialize({ value: a }), BSON.serialize({ value: b })) === 0;
}
