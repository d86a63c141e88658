import { type Decimal128, Double, Int32, Long, ObjectId, type Timestamp } from 'bson';
import { CommandError, notSupported, toNumber, typeOf } from '../../lib/index.ts';
import { toDecimal, wholeNumber } from './arithmetic.ts';
import { fixed, type Operator, type Operators } from './operator.ts';

const failure = (message: string): CommandError =>
  new CommandError(241, `${message} in $convert with no onError value`);

const unsupported = (value: unknown, target: string): CommandError =>
  failure(`Unsupported conversion from ${typeOf(value)} to ${target}`);

/** Converts a number, date, ObjectId, boolean or string as `$toString` does. */
export function textOf(value: unknown): string {
  switch (typeOf(value)) {
    case 'string':
    case 'symbol':
    case 'int':
    case 'bool':
      return String(value instanceof Int32 ? value.value : value);
    case 'long':
      return (value as Long).toString();
    case 'double':
      return doubleText(toNumber(value));
    case 'decimal':
      return (value as Decimal128).toString();
    case 'date':
      return (value as Date).toISOString();
    case 'objectId':
      return (value as ObjectId).toHexString();
    default:
      throw unsupported(value, 'string');
  }
}

/** The shortest round-trip representation, with an exponent from 16 digits up and below 0.0001. */
function doubleText(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
  if (Object.is(value, -0)) return '-0';
  const [digits = '', exponentText = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  if (exponent >= -4 && exponent < 16) return String(value);
  const sign = exponent < 0 ? '-' : '+';
  return `${digits}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function toWhole(value: unknown, target: 'int' | 'long'): unknown {
  if (value == null) return null;
  switch (typeOf(value)) {
    case 'bool':
      return target === 'int' ? new Int32(Number(value)) : Long.fromNumber(Number(value));
    case 'int':
    case 'long':
      return toWholeType(BigInt(String(value)), target);
    case 'double':
      return toWholeType(truncateDouble(toNumber(value), target), target);
    case 'decimal':
      return toWholeType(truncateDecimal(value, target), target);
    case 'string':
      return parseWhole(value as string, target);
    case 'date':
      if (target === 'long') return Long.fromNumber((value as Date).getTime());
      throw unsupported(value, target);
    default:
      throw unsupported(value, target);
  }
}

function truncateDouble(value: number, target: string): bigint {
  if (!Number.isFinite(value)) throw failure(`Attempt to convert ${value} value to ${target} type`);
  return BigInt(Math.trunc(value));
}

function truncateDecimal(value: unknown, target: string): bigint {
  const decimal = toDecimal(value);
  if (decimal.kind !== 'finite') throw failure(`Attempt to convert ${value} value to ${target} type`);
  const power = 10n ** BigInt(Math.abs(decimal.exponent));
  return decimal.exponent < 0 ? decimal.coefficient / power : decimal.coefficient * power;
}

function toWholeType(value: bigint, target: 'int' | 'long'): unknown {
  const result = target === 'int' ? wholeNumber(value, 'int') : wholeNumber(value, 'long');
  if (!result || (target === 'int' && !(result instanceof Int32))) {
    throw failure(`Conversion would overflow target type`);
  }
  return result;
}

function parseWhole(text: string, target: 'int' | 'long'): unknown {
  if (!/^[+-]?\d+$/.test(text)) throw failure(`Failed to parse number '${text}'`);
  const value = BigInt(text.replace('+', ''));
  const result = wholeNumber(value, target);
  if (!result || (target === 'int' && !(result instanceof Int32)))
    throw failure(`Failed to parse number '${text}' Overflow`);
  return result;
}

function toDouble(value: unknown): unknown {
  if (value == null) return null;
  switch (typeOf(value)) {
    case 'bool':
      return new Double(Number(value));
    case 'int':
    case 'long':
    case 'double':
      return new Double(toNumber(value));
    case 'decimal': {
      const result = toNumber(value);
      if (!Number.isFinite(result) && toDecimal(value).kind === 'finite')
        throw failure('Conversion would overflow target type');
      return new Double(result);
    }
    case 'date':
      return new Double((value as Date).getTime());
    case 'string': {
      const text = value as string;
      if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) || !Number.isFinite(Number(text))) {
        throw failure(`Failed to parse number '${text}'`);
      }
      return new Double(Number(text));
    }
    default:
      throw unsupported(value, 'double');
  }
}

/** The range of JavaScript's dates, which is smaller than MongoDB's. */
const LAST_DATE = 8.64e15;

/**
 * @throws `error` if the date is outside MongoDB's range; a "not supported" error if it is only outside JavaScript's
 */
export function dateOf(milliseconds: number, overflow: CommandError): Date {
  if (Math.abs(milliseconds) <= LAST_DATE) return new Date(Math.trunc(milliseconds));
  if (milliseconds >= -(2 ** 63) && milliseconds < 2 ** 63) throw notSupported('a date beyond the year 275760', 241);
  throw overflow;
}

const ISO_DATE = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

function toDate(value: unknown): unknown {
  if (value == null) return null;
  switch (typeOf(value)) {
    case 'date':
      return value;
    case 'long':
    case 'double':
    case 'decimal':
      return dateOf(toNumber(toWhole(value, 'long')), failure('Conversion would overflow target type'));
    case 'objectId':
      return (value as ObjectId).getTimestamp();
    case 'timestamp':
      return new Date((value as Timestamp).getHighBitsUnsigned() * 1000);
    case 'string':
      return parseDate(value as string);
    default:
      throw unsupported(value, 'date');
  }
}

/** ISO 8601 formats. MongoDB parses more formats, which are refused here rather than guessed. */
function parseDate(text: string): Date {
  const match = ISO_DATE.exec(text);
  if (!match) throw failure(`Error parsing date string '${text}'`);
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match;
  const milliseconds = fraction.padEnd(3, '0').slice(0, 3);
  const offset = zone === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(-2)}`;
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}${offset}`);
  if (Number.isNaN(date.getTime()) || new Date(`${year}-${month}-${day}T00:00:00Z`).getUTCDate() !== Number(day)) {
    throw failure(`Error parsing date string '${text}'`);
  }
  return date;
}

function toObjectId(value: unknown): unknown {
  if (value == null) return null;
  if (value instanceof ObjectId) return value;
  if (typeof value !== 'string') throw unsupported(value, 'objectId');
  if (!/^[0-9a-f]{24}$/i.test(value)) throw failure(`Failed to parse objectId '${value}'`);
  return ObjectId.createFromHexString(value);
}

const converting =
  (compute: (value: unknown) => unknown): Operator =>
  (argument, scope, name) => {
    const given = Array.isArray(argument) ? argument.length : 1;
    if (given !== 1) throw new CommandError(50723, `${name} requires a single argument, got ${given}`);
    return fixed(1, ([value]) => compute(value))(argument, scope, name);
  };

/** Conversion operators: null stays null, a value that cannot be converted is error 241. */
export const CONVERSION_OPERATORS: Operators = {
  $type: fixed(1, ([value]) => typeOf(value)),
  $toString: converting((value) => (value == null ? null : textOf(value))),
  $toInt: converting((value) => toWhole(value, 'int')),
  $toLong: converting((value) => toWhole(value, 'long')),
  $toDouble: converting((value) => toDouble(value)),
  $toDate: converting((value) => toDate(value)),
  $toObjectId: converting((value) => toObjectId(value)),
};
