import { createHash } from 'node:crypto';
import { ObjectId } from 'mongodb';
import { storedDigest } from './decode.ts';

/** Longest text that is a fingerprint itself; longer ones are hashed. */
const MAX_TEXT = 64;

const known = new WeakMap<object, string>();

/**
 * A short text that is equal for two values read from the database only if the values are equal. For a stored record it
 * is the SHA-256 digest of its bytes, computed once per decoded object.
 *
 * @throws {TypeError} for a value that {@link canonicalText} cannot describe
 */
export function fingerprintOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return canonicalText(value);
  const digest = known.get(value) ?? storedDigest(value);
  if (digest !== null) return digest;
  if (Array.isArray(value)) return `[${value.map(fingerprintOf).join()}]`;
  const text = canonicalText(value);
  const short = text.length <= MAX_TEXT ? text : createHash('sha256').update(text).digest('base64');
  if (Object.isFrozen(value)) known.set(value, short);
  return short;
}

/**
 * Describes a plain value, with dates, ids and regular expressions. Equal texts mean equal values with members in the
 * same order.
 *
 * @throws {TypeError} for instances of other classes
 */
export function canonicalText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) {
    if (typeof value === 'function' || typeof value === 'symbol') throw new TypeError('Not a plain value.');
    return Object.is(value, -0) ? '-0' : String(value);
  }
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  if (value instanceof Date) return `Date(${value.getTime()})`;
  if (value instanceof ObjectId) return `ObjectId(${value.toHexString()})`;
  if (value instanceof RegExp) return `RegExp(${value})`;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw new TypeError('Not a plain value.');
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`);
  return `{${members.join()}}`;
}
