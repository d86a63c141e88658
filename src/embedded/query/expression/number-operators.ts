import { Double, Int32, Long } from 'bson';
import {
  addDecimals,
  badValue,
  CommandError,
  compareValues,
  divideDecimals,
  isNumber,
  multiplyDecimals,
  negateDecimal,
  remainderOfDecimals,
  roundDecimal,
  toDecimal128,
  toNumber,
  typeMismatch,
  typeOf,
} from '../../lib/index.ts';
import { addNumbers, multiplyNumbers, toBigInt, toDecimal, wholeNumber, widerType } from './arithmetic.ts';
import { dateOf } from './conversion-operators.ts';
import { fixed, lazy, type Operator, type Operators, variadic } from './operator.ts';
import { Summation } from './summation.ts';

function add(values: Iterable<unknown>): unknown {
  let total: unknown = new Int32(0);
  let date: Date | undefined;
  for (const value of values) {
    if (value == null) return null;
    if (value instanceof Date) {
      if (date) throw new CommandError(16612, 'only one date allowed in an $add expression');
      date = value;
    } else if (isNumber(value)) total = addNumbers(total, value) ?? new Double(toNumber(total) + toNumber(value));
    else throw typeMismatch(`$add only supports numeric or date types, not ${typeOf(value)}`);
  }
  return date ? shiftDate(date, total, 1) : total;
}

const shiftDate = (date: Date, amount: unknown, sign: 1 | -1): Date =>
  dateOf(date.getTime() + sign * Math.round(toNumber(amount)), new CommandError(15, 'date overflow'));

function subtract([a, b]: unknown[]): unknown {
  if (a == null || b == null) return null;
  if (a instanceof Date) {
    if (b instanceof Date) return Long.fromNumber(a.getTime() - b.getTime());
    if (isNumber(b)) return shiftDate(a, b, -1);
  }
  if (!isNumber(a) || !isNumber(b)) throw typeMismatch(`can't $subtract ${typeOf(b)} from ${typeOf(a)}`);
  const type = widerType(typeOf(a), typeOf(b));
  if (type === 'decimal') return toDecimal128(addDecimals(toDecimal(a), negateDecimal(toDecimal(b))));
  if (type === 'double') return new Double(toNumber(a) - toNumber(b));
  return wholeNumber(toBigInt(a) - toBigInt(b), type) ?? new Double(toNumber(a) - toNumber(b));
}

function multiply(values: Iterable<unknown>): unknown {
  let product: unknown = new Int32(1);
  for (const value of values) {
    if (value == null) return null;
    if (!isNumber(value)) throw typeMismatch(`$multiply only supports numeric types, not ${typeOf(value)}`);
    product = multiplyNumbers(product, value) ?? new Double(toNumber(product) * toNumber(value));
  }
  return product;
}

function divide([a, b]: unknown[]): unknown {
  if (a == null || b == null) return null;
  if (!isNumber(a) || !isNumber(b))
    throw typeMismatch(`$divide only supports numeric types, not ${typeOf(a)} and ${typeOf(b)}`);
  if (toNumber(b) === 0) throw badValue("can't $divide by zero");
  if (widerType(typeOf(a), typeOf(b)) === 'decimal') return toDecimal128(divideDecimals(toDecimal(a), toDecimal(b)));
  return new Double(toNumber(a) / toNumber(b));
}

function mod([a, b]: unknown[]): unknown {
  if (a == null || b == null) return null;
  if (!isNumber(a) || !isNumber(b))
    throw new CommandError(16611, `$mod only supports numeric types, not ${typeOf(a)} and ${typeOf(b)}`);
  if (toNumber(b) === 0) throw new CommandError(16610, "can't $mod by zero");
  const type = widerType(typeOf(a), asInt(b) ? 'int' : typeOf(b));
  if (type === 'decimal') return toDecimal128(remainderOfDecimals(toDecimal(a), toDecimal(b)));
  if (type === 'double') return new Double(toNumber(a) % toNumber(b));
  return wholeNumber(toBigInt(a) % toBigInt(asInt(b) ?? b), type);
}

/** A double with an int value counts as an int; the other operand then decides the type of the result. */
function asInt(value: unknown): Int32 | undefined {
  const number = toNumber(value);
  return typeOf(value) === 'double' && (number | 0) === number ? new Int32(number) : undefined;
}

function abs([value]: unknown[], name: string): unknown {
  if (value == null) return null;
  assertNumber(value, name);
  const type = typeOf(value);
  if (type === 'double') return new Double(Math.abs(toNumber(value)));
  if (type === 'decimal') {
    const decimal = toDecimal(value);
    const isNegative = compareValues(value, 0) < 0;
    return isNegative ? toDecimal128(multiplyDecimals(decimal, toDecimal(-1))) : value;
  }
  const whole = toBigInt(value);
  const result = wholeNumber(whole < 0n ? -whole : whole, type);
  if (!result) throw new CommandError(28680, "can't take $abs of long long min");
  return result;
}

const rounding =
  (round: (value: number) => number): Parameters<typeof fixed>[1] =>
  ([value], name) => {
    if (value == null) return null;
    assertNumber(value, name);
    const type = typeOf(value);
    if (type === 'double') return new Double(round(toNumber(value)));
    if (type === 'decimal') return toDecimal128(roundDecimal(toDecimal(value), round(0.5) === 1));
    return value;
  };

function assertNumber(value: unknown, name: string): void {
  if (!isNumber(value)) throw new CommandError(28765, `${name} only supports numeric types, not ${typeOf(value)}`);
}

/** As an expression, an accumulator takes several operands, or one that may be an array. */
const accumulating = (compute: (values: unknown[]) => unknown): Operator =>
  variadic((values) => {
    const [only] = values;
    return compute(values.length === 1 && Array.isArray(only) ? only : values);
  });

export function sumOf(values: Iterable<unknown>): Summation {
  const summation = new Summation();
  for (const value of values) summation.add(value);
  return summation;
}

/** The greatest (1) or smallest (-1) of the values that are neither null nor missing; else null. */
export function extremeOf(values: Iterable<unknown>, direction: 1 | -1): unknown {
  let best: unknown = null;
  for (const value of values) {
    if (value == null) continue;
    if (best === null || compareValues(value, best) * direction > 0) best = value;
  }
  return best;
}

/** Arithmetic operators, and accumulators that are also expressions. */
export const NUMBER_OPERATORS: Operators = {
  $add: lazy(add),
  $subtract: fixed(2, subtract),
  $multiply: lazy(multiply),
  $divide: fixed(2, divide),
  $mod: fixed(2, mod),
  $abs: fixed(1, abs),
  $floor: fixed(1, rounding(Math.floor)),
  $ceil: fixed(1, rounding(Math.ceil)),
  $sum: accumulating((values) => sumOf(values).total()),
  $avg: accumulating((values) => sumOf(values).average()),
  $max: accumulating((values) => extremeOf(values, 1)),
  $min: accumulating((values) => extremeOf(values, -1)),
};
