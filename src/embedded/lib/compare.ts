import { type Binary, Code, Decimal128, type Document, Long, type ObjectId, type Timestamp } from 'bson';
import { compareDecimals, exactDecimal } from './decimal.ts';
import { spendSteps } from './steps.ts';
import { entriesOf, regexParts, type TypeName, toNumber, typeOf } from './values.ts';

/** Elements of arrays and documents that are compared or encoded in the time of one evaluation step. */
export const ELEMENTS_PER_STEP = 4;

/** The sort order of the BSON types; types of the same rank compare by value. */
export const TYPE_RANK: Readonly<Record<TypeName, number>> = {
  minKey: 10,
  missing: 15,
  null: 20,
  int: 30,
  double: 30,
  long: 30,
  decimal: 30,
  string: 60,
  symbol: 60,
  object: 70,
  array: 80,
  binData: 90,
  objectId: 100,
  bool: 110,
  date: 120,
  timestamp: 130,
  regex: 140,
  javascript: 160,
  javascriptWithScope: 170,
  maxKey: 240,
};

export const rankOf = (value: unknown): number => TYPE_RANK[typeOf(value)];

/** The types that a value equal to this one can have. */
export const typesEqualTo = (value: unknown): TypeName[] =>
  (Object.keys(TYPE_RANK) as TypeName[]).filter((type) => TYPE_RANK[type] === rankOf(value));

/**
 * Compares two values in MongoDB's order across all types: negative, zero or positive. Numbers compare exactly whatever
 * their types, strings by their UTF-8 bytes, documents field by field (type, then name, then value). A missing value
 * sorts before null.
 */
export function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b);
  const typeA = typeOf(a);
  const rank = TYPE_RANK[typeA];
  const rankB = TYPE_RANK[typeOf(b)];
  return rank === rankB ? compareSameRank(typeA, a, b) : rank - rankB;
}

export const valuesEqual = (a: unknown, b: unknown): boolean => compareValues(a, b) === 0;

function compareSameRank(type: TypeName, a: unknown, b: unknown): number {
  switch (type) {
    case 'int':
    case 'double':
    case 'long':
    case 'decimal':
      return compareNumbers(a, b);
    case 'string':
    case 'symbol':
      return compareStrings(String(a), String(b));
    case 'object':
      return compareDocuments(a as Document, b as Document);
    case 'array':
      return compareArrays(a as unknown[], b as unknown[]);
    case 'binData':
      return compareBinary(a, b);
    case 'objectId':
      return Buffer.compare((a as ObjectId).id, (b as ObjectId).id);
    case 'bool':
    case 'date':
      return Number(a) - Number(b);
    case 'timestamp':
      return compareTimestamps(a as Timestamp, b as Timestamp);
    case 'regex': {
      const left = regexParts(a);
      const right = regexParts(b);
      return compareStrings(left.pattern, right.pattern) || compareStrings(left.options, right.options);
    }
    case 'javascript':
    case 'javascriptWithScope':
      return compareCode(a as Code, b as Code);
    default:
      return 0;
  }
}

/** Converts a number for exact comparison: JavaScript compares numbers with bigints exactly. */
export function numericOf(value: unknown): number | bigint | Decimal128 {
  if (value instanceof Decimal128 || typeof value === 'bigint') return value;
  if (Long.isLong(value)) {
    const isSafe = value.high < 0x200000 && value.high >= -0x200000;
    return isSafe ? value.toNumber() : value.toBigInt();
  }
  return toNumber(value);
}

function compareNumbers(a: unknown, b: unknown): number {
  const x = numericOf(a);
  const y = numericOf(b);
  if (x instanceof Decimal128 || y instanceof Decimal128) return compareDecimals(exactDecimal(x), exactDecimal(y));
  if (x < y) return -1;
  if (x > y) return 1;
  return Number(Number.isNaN(y)) - Number(Number.isNaN(x));
}

/**
 * Compares by code point, which is the order of UTF-8 bytes; UTF-16 code units order differently above the surrogates.
 */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = firstPieceThatDiffers(a, b, length); i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    const isAstralA = x >= 0xd800 && x <= 0xdfff;
    const isAstralB = y >= 0xd800 && y <= 0xdfff;
    return isAstralA === isAstralB ? x - y : isAstralA ? (y >= 0xe000 ? 1 : x - y) : x >= 0xe000 ? -1 : x - y;
  }
  return a.length - b.length;
}

/** Long strings are compared in pieces of this length, which is much faster than one character at a time. */
const CHUNK = 4096;

function firstPieceThatDiffers(a: string, b: string, length: number): number {
  let at = 0;
  while (at + CHUNK < length && a.slice(at, at + CHUNK) === b.slice(at, at + CHUNK)) at += CHUNK;
  return at;
}

function compareDocuments(a: Document, b: Document): number {
  const left = entriesOf(a);
  const right = entriesOf(b);
  spendSteps(1 + Math.min(left.length, right.length) / ELEMENTS_PER_STEP);
  for (const [i, [name, value]] of left.entries()) {
    const other = right[i];
    if (!other) return 1;
    const order = rankOf(value) - rankOf(other[1]) || compareStrings(name, other[0]) || compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compareArrays(a: unknown[], b: unknown[]): number {
  const length = Math.min(a.length, b.length);
  spendSteps(1);
  for (let i = 0; i < length; i++) {
    if (i % ELEMENTS_PER_STEP === ELEMENTS_PER_STEP - 1) spendSteps(1);
    const order = compareValues(a[i], b[i]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Bytes and subtype of binary data of any class. */
export function binaryParts(value: unknown): { bytes: Uint8Array; subtype: number } {
  if (value instanceof Uint8Array) return { bytes: value, subtype: 0 };
  const binary = value as Binary;
  return { bytes: binary.buffer.subarray(0, binary.position), subtype: binary.sub_type };
}

function compareBinary(a: unknown, b: unknown): number {
  const left = binaryParts(a);
  const right = binaryParts(b);
  return (
    left.bytes.length - right.bytes.length || left.subtype - right.subtype || Buffer.compare(left.bytes, right.bytes)
  );
}

function compareTimestamps(a: Timestamp, b: Timestamp): number {
  return a.getHighBitsUnsigned() - b.getHighBitsUnsigned() || a.getLowBitsUnsigned() - b.getLowBitsUnsigned();
}

function compareCode(a: Code, b: Code): number {
  const order = compareStrings(a.code, b.code);
  if (order !== 0 || !(a instanceof Code)) return order;
  return compareDocuments(a.scope ?? {}, b.scope ?? {});
}
