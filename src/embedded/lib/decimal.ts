import { Decimal128 } from 'bson';

/** A decimal number in parts: sign × coefficient × 10^exponent. Infinity has no finite coefficient, NaN no sign. */
export type Decimal =
  | { kind: 'finite'; coefficient: bigint; exponent: number; negativeZero?: boolean }
  | { kind: 'infinite'; negative: boolean }
  | { kind: 'nan' };

const DIGITS = 34;
const NAN: Decimal = { kind: 'nan' };

const finite = (coefficient: bigint, exponent: number): Decimal & { kind: 'finite' } => ({
  kind: 'finite',
  coefficient,
  exponent,
});

function fromText(text: string): Decimal {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (!match) {
    if (/^-?Inf/.test(text)) return { kind: 'infinite', negative: text.startsWith('-') };
    return NAN;
  }
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const coefficient = BigInt(whole + fraction);
  const value = finite(sign ? -coefficient : coefficient, Number(exponent) - fraction.length);
  return sign && coefficient === 0n ? ({ ...value, kind: 'finite', negativeZero: true } as Decimal) : value;
}

/** Converts a number exactly; doubles to 34 digits, the precision at which MongoDB compares them with decimals. */
export function exactDecimal(value: number | bigint | Decimal128): Decimal {
  if (typeof value === 'bigint') return finite(value, 0);
  if (typeof value !== 'number') return fromText(value.toString());
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return fromText(String(value));
  return fromText(
    value
      .toPrecision(DIGITS)
      .replace(/(\.\d*?)0+(?=e|$)/, '$1')
      .replace(/\.(?=e|$)/, ''),
  );
}

/** Converts a double for arithmetic with decimals: MongoDB rounds it to 15 significant digits. */
export function arithmeticDecimal(value: number | bigint | Decimal128, isDouble: boolean): Decimal {
  if (typeof value !== 'number' || !isDouble) return exactDecimal(value);
  return value === 0 ? fromText('0') : fromText(value.toPrecision(15));
}

const power = (exponent: number): bigint => 10n ** BigInt(exponent);
const digitsOf = (value: bigint): number => (value < 0n ? -value : value).toString().length;

/** Compares two decimals; NaN is lowest, as in MongoDB. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  if (a.kind === 'nan' || b.kind === 'nan') return a.kind === b.kind ? 0 : a.kind === 'nan' ? -1 : 1;
  if (a.kind === 'infinite') return b.kind === 'infinite' && a.negative === b.negative ? 0 : a.negative ? -1 : 1;
  if (b.kind === 'infinite') return b.negative ? 1 : -1;
  const signA = Number(a.coefficient > 0n) - Number(a.coefficient < 0n);
  const signB = Number(b.coefficient > 0n) - Number(b.coefficient < 0n);
  if (signA !== signB || signA === 0) return signA - signB;
  const scaleA = digitsOf(a.coefficient) + a.exponent;
  const scaleB = digitsOf(b.coefficient) + b.exponent;
  if (scaleA !== scaleB) return scaleA < scaleB ? -signA : signA;
  const shift = a.exponent - b.exponent;
  const left = shift > 0 ? a.coefficient * power(shift) : a.coefficient;
  const right = shift < 0 ? b.coefficient * power(-shift) : b.coefficient;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Rounds half to even to 34 digits and builds the BSON value. */
export function toDecimal128(value: Decimal): Decimal128 {
  if (value.kind === 'nan') return Decimal128.fromString('NaN');
  if (value.kind === 'infinite') return Decimal128.fromString(value.negative ? '-Infinity' : 'Infinity');
  let { coefficient, exponent } = value;
  const excess = digitsOf(coefficient) - DIGITS;
  if (excess > 0) {
    coefficient = roundQuotient(coefficient, power(excess));
    exponent += excess;
    if (digitsOf(coefficient) > DIGITS) {
      coefficient /= 10n;
      exponent += 1;
    }
  }
  const sign = value.negativeZero && coefficient === 0n ? '-' : '';
  return Decimal128.fromString(`${sign}${coefficient}E${exponent >= 0 ? '+' : ''}${exponent}`);
}

function roundQuotient(numerator: bigint, denominator: bigint): bigint {
  const negative = numerator < 0n !== denominator < 0n;
  const n = numerator < 0n ? -numerator : numerator;
  const d = denominator < 0n ? -denominator : denominator;
  let quotient = n / d;
  const twice = (n % d) * 2n;
  if (twice > d || (twice === d && quotient % 2n === 1n)) quotient += 1n;
  return negative ? -quotient : quotient;
}

const isNegative = (value: Decimal): boolean =>
  value.kind === 'infinite'
    ? value.negative
    : value.kind === 'finite' && (value.coefficient < 0n || value.negativeZero === true);
const isZero = (value: Decimal): boolean => value.kind === 'finite' && value.coefficient === 0n;

export function addDecimals(a: Decimal, b: Decimal): Decimal {
  if (a.kind === 'nan' || b.kind === 'nan') return NAN;
  if (a.kind === 'infinite') return b.kind === 'infinite' && a.negative !== b.negative ? NAN : a;
  if (b.kind === 'infinite') return b;
  const exponent = Math.min(a.exponent, b.exponent);
  return finite(a.coefficient * power(a.exponent - exponent) + b.coefficient * power(b.exponent - exponent), exponent);
}

export function negateDecimal(value: Decimal): Decimal {
  if (value.kind === 'infinite') return { kind: 'infinite', negative: !value.negative };
  return value.kind === 'finite' ? finite(-value.coefficient, value.exponent) : value;
}

export function multiplyDecimals(a: Decimal, b: Decimal): Decimal {
  if (a.kind === 'nan' || b.kind === 'nan') return NAN;
  if (a.kind === 'infinite' || b.kind === 'infinite') {
    return isZero(a) || isZero(b) ? NAN : { kind: 'infinite', negative: isNegative(a) !== isNegative(b) };
  }
  const product = finite(a.coefficient * b.coefficient, a.exponent + b.exponent);
  const isNegativeZero = product.coefficient === 0n && isNegative(a) !== isNegative(b);
  return isNegativeZero ? { ...product, negativeZero: true } : product;
}

/** Divides as IEEE 754 requires: with as few digits as an exact result needs, else 34. `b` must not be zero. */
export function divideDecimals(a: Decimal, b: Decimal): Decimal {
  if (a.kind === 'nan' || b.kind === 'nan') return NAN;
  if (a.kind === 'infinite') {
    return b.kind === 'infinite' ? NAN : { kind: 'infinite', negative: a.negative !== isNegative(b) };
  }
  if (b.kind === 'infinite') return finite(0n, -6176);
  const ideal = a.exponent - b.exponent;
  if (a.coefficient === 0n) return finite(0n, ideal);
  const shift = Math.max(0, DIGITS + 1 + digitsOf(b.coefficient) - digitsOf(a.coefficient));
  const numerator = a.coefficient * power(shift);
  let coefficient = numerator / b.coefficient;
  let exponent = ideal - shift;
  if (numerator % b.coefficient !== 0n) {
    // A sticky digit keeps the later rounding to 34 digits correct.
    return finite(coefficient * 10n + (coefficient < 0n ? -1n : 1n), exponent - 1);
  }
  while (exponent < ideal && coefficient % 10n === 0n) {
    coefficient /= 10n;
    exponent += 1;
  }
  return finite(coefficient, exponent);
}

/** The remainder of a division. It has the sign of the dividend, even if it is zero; infinity divides nothing. */
export function remainderOfDecimals(dividend: Decimal, divisor: Decimal): Decimal {
  if (dividend.kind !== 'finite' || divisor.kind === 'nan') return NAN;
  if (divisor.kind === 'infinite') return dividend;
  const exponent = Math.min(dividend.exponent, divisor.exponent);
  const coefficient =
    (dividend.coefficient * power(dividend.exponent - exponent)) %
    (divisor.coefficient * power(divisor.exponent - exponent));
  return { ...finite(coefficient, exponent), negativeZero: coefficient === 0n && isNegative(dividend) };
}

/** Rounds up or down to an integer. As in MongoDB, a value whose integer part exceeds 34 digits becomes NaN. */
export function roundDecimal(value: Decimal, isUp: boolean): Decimal {
  if (value.kind !== 'finite') return NAN;
  const { coefficient, exponent } = value;
  if (exponent >= 0) {
    const isTooLong = coefficient !== 0n && digitsOf(coefficient) + exponent > DIGITS;
    return isTooLong
      ? NAN
      : { ...value, coefficient: coefficient === 0n ? 0n : coefficient * power(exponent), exponent: 0 };
  }
  if (coefficient === 0n) return { ...value, exponent: 0 };
  const divisor = power(-exponent);
  const towardsZero = coefficient / divisor;
  const isExact = coefficient % divisor === 0n;
  const away = isExact ? 0n : isUp ? BigInt(coefficient > 0n) : -BigInt(coefficient < 0n);
  const rounded = finite(towardsZero + away, 0);
  return rounded.coefficient === 0n && coefficient < 0n ? { ...rounded, negativeZero: true } : rounded;
}

/** The distance of a decimal from the nearest double; undefined for NaN and the infinities. */
export function distanceFrom(value: Decimal, nearest: number): Decimal | undefined {
  if (value.kind !== 'finite') return undefined;
  return addDecimals(value, negateDecimal(exactDecimal(nearest)));
}
