import {
  badValue,
  CommandError,
  describe,
  encodeKey,
  entriesOf,
  failedToParse,
  isDocument,
  spendSteps,
  toInteger,
  typeMismatch,
  typeOf,
  valuesEqual,
} from '../../lib/index.ts';
import type { CompileContext } from '../compile-context.ts';
import { usesExpression } from '../filter/evaluation-order.ts';
import { compileFilter } from '../filter/filter.ts';
import { isPathOperator, parseFilter } from '../filter/parse-filter.ts';
import type { Modifier } from './update-tree.ts';

/** `$addToSet`: appends a value unless an element equals it; `{$each: […]}` for several values. */
export function parseAddToSet(argument: unknown, path: string): Modifier {
  const values = addToSetValues(argument);
  return {
    needsPath: true,
    isAdding: true,
    apply(current) {
      if (current !== undefined && !Array.isArray(current)) {
        throw badValue(
          `Cannot apply $addToSet to non-array field. Field named '${path.split('.').at(-1)}' has non-array type ${typeOf(current)}`,
        );
      }
      const result = (current ?? []).slice();
      const contains = memberTest(result, values.length);
      for (const value of values) if (!contains(value)) result.push(value);
      return current?.length === result.length ? current : result;
    },
  };
}

function addToSetValues(argument: unknown): unknown[] {
  const [first] = isDocument(argument) ? entriesOf(argument) : [];
  if (first?.[0] !== '$each') return [argument];
  if (!Array.isArray(first[1])) {
    throw typeMismatch(`The argument to $each in $addToSet must be an array but it was of type ${typeOf(first[1])}`);
  }
  const stray = entriesOf(argument as object)[1];
  if (stray) throw badValue(`Found unexpected fields after $each in $addToSet: ${describe(argument)}`);
  return first[1];
}

/** More comparisons than this use key strings. */
const MANY = 10_000;

/** Returns a test for membership in a list that may grow, suited to the expected number of tests. */
function memberTest(list: readonly unknown[], tests: number): (value: unknown) => boolean {
  if (list.length * tests <= MANY || tests === 1) {
    spendSteps((list.length * tests) / 3);
    return (value) => list.some((element) => valuesEqual(element, value));
  }
  spendSteps((list.length + tests) * KEY_STEPS);
  const keys = new Set(list.map(keyOf));
  return (value) => {
    const key = keyOf(value);
    const isMember = keys.has(key);
    keys.add(key);
    return isMember;
  };
}

const KEY_STEPS = 8;
const keyOf = (value: unknown): string => encodeKey([value], []).toString('latin1');

const removing = (name: string, isRemoved: (element: unknown) => boolean): Modifier => ({
  needsPath: true,
  apply(current) {
    if (current === undefined) return current;
    if (!Array.isArray(current)) throw badValue(`Cannot apply ${name} to a non-array value`);
    spendSteps(current.length);
    const kept = current.filter((element) => !isRemoved(element));
    return kept.length === current.length ? current : kept;
  },
});

/** `$pull`: a plain document is a filter on document elements, operators test elements, other values must be equal. */
export function parsePull(argument: unknown, _path: string, context: CompileContext): Modifier {
  if (isDocument(argument)) {
    const first = entriesOf(argument)[0]?.[0];
    if (first === undefined || first === '$expr' || !isPathOperator(first)) {
      if (usesExpression(parseFilter(argument))) throw new CommandError(224, '$expr is not allowed in this context');
      const filter = compileFilter(argument, context);
      return removing('$pull', (element) => isDocument(element) && filter.matches(element));
    }
  }
  if (isDocument(argument) || typeOf(argument) === 'regex') {
    const filter = compileFilter({ '': argument }, context);
    return removing('$pull', (element) => filter.matches({ '': element }));
  }
  return removing('$pull', (element) => valuesEqual(element, argument));
}

/** More values than this are looked up by key string. */
const MANY_OPERANDS = 16;

/** `$pullAll`: removes every element that equals one of the given values. */
export function parsePullAll(argument: unknown): Modifier {
  if (!Array.isArray(argument))
    throw badValue(`$pullAll requires an array argument but was given a ${typeOf(argument)}`);
  if (argument.length > MANY_OPERANDS) spendSteps(argument.length * KEY_STEPS);
  const keys = argument.length > MANY_OPERANDS ? new Set(argument.map(keyOf)) : undefined;
  return removing('$pullAll', (element) => {
    spendSteps(keys ? KEY_STEPS : argument.length / 3);
    return keys ? keys.has(keyOf(element)) : argument.some((value) => valuesEqual(element, value));
  });
}

/** `$pop`: removes the last element (1) or the first (-1). */
export function parsePop(argument: unknown, path: string): Modifier {
  const end = toInteger(argument);
  if (end !== 1 && end !== -1) throw failedToParse(`$pop expects 1 or -1, found: ${describe(argument)}`);
  return {
    needsPath: true,
    apply(current) {
      if (current === undefined) return current;
      if (!Array.isArray(current)) {
        throw typeMismatch(`Path '${path}' contains an element of non-array type '${typeOf(current)}'`);
      }
      if (current.length === 0) return current;
      return end === 1 ? current.slice(0, -1) : current.slice(1);
    },
  };
}
