import { Int32, type Timestamp } from 'bson';
import { CommandError, isNumber, spendSteps, toInteger, typeOf } from '../../lib/index.ts';
import { textOf } from './conversion-operators.ts';
import { fixed, lazy, type Operators } from './operator.ts';

/** Converts an operand of a string operator: null to the empty string, numbers and dates to text. */
function toText(value: unknown): string {
  if (value == null) return '';
  const type = typeOf(value);
  if (type === 'timestamp') return textOfTimestamp(value as Timestamp);
  if (type === 'string' || type === 'symbol' || type === 'date' || isNumber(value)) return textOf(value);
  throw new CommandError(16007, `can't convert from BSON type ${type} to String`);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * Formats a timestamp as `Nov  3 08:26:40:4096`: UTC time without the year, and the increment. `$toString` refuses it.
 */
function textOfTimestamp({ t: seconds, i: increment }: Timestamp): string {
  const date = new Date(seconds * 1_000);
  const day = String(date.getUTCDate()).padStart(2);
  return `${MONTHS[date.getUTCMonth()]} ${day} ${date.toISOString().slice(11, 19)}:${increment}`;
}

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

/** ASCII letters that are converted in one evaluation step. */
const LETTERS_PER_STEP = 64;

/** Converts only ASCII letters, as MongoDB does. */
const inAscii = (pattern: RegExp, change: (letters: string) => string) => (text: string) => {
  spendSteps(text.length / LETTERS_PER_STEP);
  if (isAscii(text)) return change(text);
  spendSteps(text.length / 4);
  return text.replace(pattern, change);
};

const lower = inAscii(/[A-Z]+/g, (letters) => letters.toLowerCase());
const upper = inAscii(/[a-z]+/g, (letters) => letters.toUpperCase());

const hasSurrogates = (text: string): boolean => /[\ud800-\udfff]/.test(text);

function codePointsOf(text: string): string[] {
  spendSteps(text.length);
  return [...text];
}

function substrCP([value, from, count]: unknown[]): string {
  const text = toText(value);
  if (!isNumber(from))
    throw new CommandError(34450, `$substrCP: starting index must be a numeric type (is BSON type ${typeOf(from)})`);
  const start = toInteger(from);
  if (start === undefined || (start | 0) !== start)
    throw new CommandError(34451, '$substrCP: starting index cannot be represented as a 32-bit integral value');
  if (!isNumber(count))
    throw new CommandError(34452, `$substrCP: length must be a numeric type (is BSON type ${typeOf(count)})`);
  const length = toInteger(count);
  if (length === undefined || (length | 0) !== length)
    throw new CommandError(34453, '$substrCP: length cannot be represented as a 32-bit integral value');
  if (length < 0) throw new CommandError(34454, '$substrCP: length must be a nonnegative integer.');
  if (start < 0) throw new CommandError(34455, '$substrCP: the starting index must be nonnegative integer.');
  if (!hasSurrogates(text)) return text.slice(start, start + length);
  return codePointsOf(text)
    .slice(start, start + length)
    .join('');
}

const MAX_STRING_BYTES = 16 * 1024 * 1024;
const tooLong = (): CommandError => new CommandError(16493, 'Tried to create string longer than 16MB');

function concat(values: Iterable<unknown>): string | null {
  let text = '';
  for (const value of values) {
    if (value == null) return null;
    if (typeof value !== 'string') throw new CommandError(16702, `$concat only supports strings, not ${typeOf(value)}`);
    text += value;
    // The length in UTF-16 units is a cheap lower bound of the length in bytes.
    if (text.length > MAX_STRING_BYTES) throw tooLong();
  }
  if (text.length > MAX_STRING_BYTES / 3 && Buffer.byteLength(text) > MAX_STRING_BYTES) throw tooLong();
  return text;
}

/** String operators; positions count code points. */
export const STRING_OPERATORS: Operators = {
  $concat: lazy(concat),
  $toLower: fixed(1, ([value]) => lower(toText(value))),
  $toUpper: fixed(1, ([value]) => upper(toText(value))),
  $substrCP: fixed(3, substrCP),
  $strLenCP: fixed(1, ([value]) => {
    if (typeof value !== 'string')
      throw new CommandError(34471, `$strLenCP requires a string argument, found: ${typeOf(value)}`);
    return new Int32(hasSurrogates(value) ? codePointsOf(value).length : value.length);
  }),
};
