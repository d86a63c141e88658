import { type Decimal128, Double, Int32, Long } from 'bson';
import {
  addDecimals,
  arithmeticDecimal,
  type Decimal,
  multiplyDecimals,
  numericOf,
  type TypeName,
  toDecimal128,
  toNumber,
  typeOf,
} from '../../lib/index.ts';

const WIDTH: Partial<Record<TypeName, number>> = { int: 0, long: 1, double: 2, decimal: 3 };

/** The wider of two numeric types: int, long, double, decimal. */
export const widerType = (a: TypeName, b: TypeName): TypeName => (WIDTH[a]! >= WIDTH[b]! ? a : b);

const INT_MAX = 2n ** 31n;
const LONG_MAX = 2n ** 63n;

/** Converts an integer to int if it fits and no operand was wider, else to long; undefined beyond 64 bits. */
export function wholeNumber(value: bigint, type: TypeName): Int32 | Long | undefined {
  if (type === 'int' && value >= -INT_MAX && value < INT_MAX) return new Int32(Number(value));
  return value >= -LONG_MAX && value < LONG_MAX ? Long.fromBigInt(value) : undefined;
}

export const toBigInt = (value: unknown): bigint => BigInt(numericOf(value) as number | bigint);

export const toDecimal = (value: unknown): Decimal => arithmeticDecimal(numericOf(value), typeOf(value) === 'double');

interface Operation {
  whole(a: bigint, b: bigint): bigint;
  double(a: number, b: number): number;
  decimal(a: Decimal, b: Decimal): Decimal;
}

const ADD: Operation = { whole: (a, b) => a + b, double: (a, b) => a + b, decimal: addDecimals };
const MULTIPLY: Operation = { whole: (a, b) => a * b, double: (a, b) => a * b, decimal: multiplyDecimals };

function combine(operation: Operation, a: unknown, b: unknown): Int32 | Long | Double | Decimal128 | undefined {
  const type = widerType(typeOf(a), typeOf(b));
  if (type === 'decimal') return toDecimal128(operation.decimal(toDecimal(a), toDecimal(b)));
  if (type === 'double') return new Double(operation.double(toNumber(a), toNumber(b)));
  return wholeNumber(operation.whole(toBigInt(a), toBigInt(b)), type);
}

/** Adds two numbers in the wider of their types; ints grow to long, undefined when a long overflows. */
export const addNumbers = (a: unknown, b: unknown) => combine(ADD, a, b);

/** Multiplies two numbers in the wider of their types; ints grow to long, undefined when a long overflows. */
export const multiplyNumbers = (a: unknown, b: unknown) => combine(MULTIPLY, a, b);
