import { CommandError, compareValues, encodeKey, spendSteps, typeOf } from '../../lib/index.ts';
import { Compiled, fold, isConstant } from './constant-folding.ts';
import { type Evaluate, fixed, lazy, type Operator, type Operators } from './operator.ts';

function keyOf(value: unknown): string {
  spendSteps(8);
  return encodeKey([value], []).toString('latin1');
}

const keysOf = (values: readonly unknown[]): Set<string> => new Set(values.map(keyOf));

/** Removes duplicates; keeps the first of equal values. */
export function distinct(values: Iterable<unknown>): unknown[] {
  const seen = new Map<string, unknown>();
  for (const value of values) {
    const key = keyOf(value);
    if (!seen.has(key)) seen.set(key, value);
  }
  return [...seen.values()];
}

function asSet(value: unknown, code: number, name: string): unknown[] {
  if (!Array.isArray(value))
    throw new CommandError(code, `All operands of ${name} must be arrays. One argument is of type: ${typeOf(value)}`);
  return value;
}

function setUnion(values: Iterable<unknown>, name: string): unknown {
  const all: unknown[] = [];
  for (const value of values) {
    if (value == null) return null;
    for (const element of asSet(value, 17043, name)) all.push(element);
  }
  return distinct(all).sort(compareValues);
}

function setIntersection(values: Iterable<unknown>, name: string): unknown {
  let kept: unknown[] | undefined;
  for (const value of values) {
    if (value == null) return null;
    const elements = asSet(value, 17047, name);
    const keys = keysOf(elements);
    kept = kept ? kept.filter((element) => keys.has(keyOf(element))) : distinct(elements);
  }
  return (kept ?? []).sort(compareValues);
}

function setDifference([left, right]: unknown[], name: string): unknown {
  if (left == null || right == null) return null;
  const elements = asSet(left, 17048, name);
  const keys = keysOf(asSet(right, 17049, name));
  return distinct(elements).filter((element) => !keys.has(keyOf(element)));
}

function setIsSubset([left, right]: unknown[], name: string): boolean {
  const elements = asSet(left, 17046, name);
  const keys = keysOf(asSet(right, 17042, name));
  return elements.every((element) => keys.has(keyOf(element)));
}

/** MongoDB checks a constant set when it optimizes the expression, with error codes of its own. */
const isSubset: Operator = (argument, scope, name) => {
  const general = fixed(2, setIsSubset);
  if (!Array.isArray(argument) || argument.length !== 2) return general(argument, scope, name);
  const [part, whole] = argument.map((operand) => scope.compile(operand)) as [Evaluate, Evaluate];
  if (!isConstant(whole) || isConstant(part)) return general([new Compiled(part), new Compiled(whole)], scope, name);
  const set = whole({});
  if (!Array.isArray(set)) {
    return fold(() => {
      throw new CommandError(
        17311,
        `both operands of ${name} must be arrays. Second argument is of type: ${typeOf(set)}`,
      );
    }, scope.context);
  }
  const keys = keysOf(set);
  return (document, variables) =>
    asSet(part(document, variables), 17310, name).every((element) => keys.has(keyOf(element)));
};

/** Set operators. */
export const SET_OPERATORS: Operators = {
  $setUnion: lazy(setUnion),
  $setIntersection: lazy(setIntersection),
  $setDifference: fixed(2, setDifference),
  $setIsSubset: isSubset,
};
