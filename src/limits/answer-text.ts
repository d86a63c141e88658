import { OperationError } from '../errors.ts';
import { isSliceOver, nextSlice } from '../lib/time-slice.ts';
import { ANSWER_LIMITS, limitExceeded } from './limits.ts';

/** Longest text of one `JSON.stringify` call, in characters without escapes. */
const PIECE = 1_048_576;

/**
 * Serializes an answer as JSON. A long answer is serialized in pieces, so that other requests are served in between.
 *
 * @throws {OperationError} TOO_LARGE
 */
export async function toAnswerText(
  answer: object,
  limit: 'answerBytes' | 'eventBytes' = 'answerBytes',
): Promise<string> {
  return joinPieces(piecesOf(answer), limit);
}

/** A piece of a JSON text that is serialized when the pieces before it have been. */
export interface Unwritten {
  text(): string;
}

export type Piece = string | Unwritten;

/** Characters after which the time is checked. */
const CHARACTERS_PER_CHECK = 8_192;

/**
 * Joins the pieces of a JSON text. Other requests are served between them, and serialization stops at the limit, so that
 * an answer that repeats one long value never exists as a whole.
 *
 * @throws {OperationError} TOO_LARGE
 */
export async function joinPieces(pieces: Iterable<Piece>, limit: 'answerBytes' | 'eventBytes'): Promise<string> {
  const maxBytes = ANSWER_LIMITS[limit];
  let text = '';
  let bytes = 0;
  let isExact = false;
  let unchecked = 0;
  for (const piece of pieces) {
    const written = typeof piece === 'string' ? piece : piece.text();
    text += written;
    // A UTF-16 code unit has at most three bytes in UTF-8. Most answers are so short that their bytes need not be counted.
    bytes += isExact ? Buffer.byteLength(written) : written.length * 3;
    if (bytes > maxBytes && !isExact) {
      isExact = true;
      bytes = Buffer.byteLength(text);
    }
    if (bytes > maxBytes) throw new OperationError('TOO_LARGE', { message: limitExceeded(limit) });
    unchecked += written.length;
    if (unchecked < CHARACTERS_PER_CHECK) continue;
    unchecked = 0;
    if (isSliceOver()) await nextSlice();
  }
  return text;
}

/** The pieces of the JSON of a value: one unless it is long. They are found as they are written. */
export function piecesOf(value: unknown): Iterable<Piece> {
  return isContainer(value) && isLongerThan(value, PIECE) ? piecesOfLong(value) : [new Json(value)];
}

function* piecesOfLong(value: object): Generator<Piece, void, void> {
  const isList = Array.isArray(value);
  let separator = isList ? '[' : '{';
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined && !isList) continue;
    yield isList ? separator : `${separator}${JSON.stringify(key)}:`;
    separator = ',';
    yield* piecesOf(member);
  }
  if (separator !== ',') yield separator;
  yield isList ? ']' : '}';
}

class Json implements Unwritten {
  private readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }

  text(): string {
    return JSON.stringify(this.value) ?? 'null';
  }
}

const lengths = new WeakMap<object, number>();

/** Notes the characters of the JSON of a value, which spares counting them. @returns the value */
export function withLength<Value extends object>(value: Value, length: number): Value {
  lengths.set(value, length);
  return value;
}

/** Characters of the JSON of a value, without escapes; approximate for numbers. */
export const lengthOf = (value: unknown): number =>
  typeof value === 'string' ? value.length + 2 : MAX_LENGTH - weigh(value, MAX_LENGTH);

const MAX_LENGTH = Number.MAX_SAFE_INTEGER;

/** Whether the JSON text has more characters, without escapes. Stops reading the value at the limit. */
function isLongerThan(value: unknown, limit: number): boolean {
  const known = lengths.get(value as object);
  return known === undefined ? weigh(value, limit) < 0 : known > limit;
}

/** @returns the rest of the budget, negative as soon as it is exceeded */
function weigh(value: unknown, budget: number): number {
  if (typeof value === 'string') return budget - value.length - 2;
  if (!isContainer(value)) return budget - 5;
  let left = budget - 2;
  if (Array.isArray(value)) {
    for (const item of value) {
      left = weigh(item, left - 1);
      if (left < 0) return left;
    }
    return left;
  }
  for (const key in value) {
    left = weigh(value[key], left - key.length - 4);
    if (left < 0) return left;
  }
  return left;
}

/** Whether JSON serializes the members of a value. A data member named `toJSON` is not a method and has no effect. */
function isContainer(value: unknown): value is { [key: string]: unknown } {
  return typeof value === 'object' && value !== null && typeof (value as { toJSON?: unknown }).toJSON !== 'function';
}
