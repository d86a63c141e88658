import { isAscii } from 'node:buffer';
import { ARRAY, documentOf, EMBEDDED_DOCUMENT, FIXED_SIZES } from './bytes.ts';
import { FIELD_WEIGHT, MAX_DEPTH, MAX_ELEMENTS, tooDeep, tooManyElements } from './elements.ts';
import { CommandError, notSupported, typeMismatch } from './errors.ts';
import type { Pause } from './pauses.ts';

const invalid = (why: string): CommandError => new CommandError(22, `invalid BSON: ${why}`);

/** Elements checked between two pauses; they take less than a millisecond. */
const ELEMENTS_BETWEEN_PAUSES = 4096;

/** Text other than ASCII is slow to decode: this many bytes of it count as one element. */
const TEXT_BYTES = 64;
const isText = (type: number): boolean => type === 2 || type === 13 || type === 14;

/** The state of a check: the position and the enclosing documents. */
interface Walk {
  bytes: Buffer;
  at: number;
  ends: number[];
  /** For each enclosing document, whether it is an array. */
  arrays: boolean[];
  elements: number;
  maxElements: number;
  untilPause: number;
}

function enter(bytes: Buffer, start: number, limit: number, maxElements: number): Walk {
  const ends: number[] = [];
  const at = enterDocument(bytes, start, limit, ends);
  return { bytes, at, ends, arrays: [false], elements: 0, maxElements, untilPause: ELEMENTS_BETWEEN_PAUSES };
}

function count(walk: Walk, elements: number): void {
  walk.elements += elements;
  if (walk.elements > walk.maxElements) throw tooManyElements();
}

/** Checks one element; enters a nested document or array, and leaves it at its end. */
function step(walk: Walk): void {
  const { bytes, at, ends } = walk;
  const end = ends[ends.length - 1]!;
  const type = bytes[at]!;
  if (type === 0) {
    if (at + 1 !== end) throw invalid('a document ends before its declared size');
    ends.pop();
    walk.arrays.pop();
    walk.at++;
    return;
  }
  const nameEnd = bytes.indexOf(0, at + 1);
  if (nameEnd < 0 || nameEnd >= end) throw invalid('a field name does not end');
  count(walk, walk.arrays[ends.length - 1] ? 1 : FIELD_WEIGHT);
  walk.untilPause--;
  if (type === EMBEDDED_DOCUMENT || type === ARRAY) {
    walk.at = enterDocument(bytes, nameEnd + 1, end - 1, ends);
    walk.arrays.push(type === ARRAY);
    return;
  }
  const size = checkedSize(bytes, type, nameEnd + 1, end);
  if (size > TEXT_BYTES && isText(type) && !isAscii(bytes.subarray(nameEnd + 5, nameEnd + size))) {
    count(walk, size / TEXT_BYTES);
  }
  walk.at = nameEnd + 1 + size;
  if (walk.at >= end) throw invalid('a value is longer than its document');
}

/** Checks until no more than `depth` documents are open. */
function* walkTo(walk: Walk, depth: number): Generator<Pause, void> {
  while (walk.ends.length > depth) {
    step(walk);
    if (walk.untilPause <= 0) yield* pauseOf(walk);
  }
}

function* pauseOf(walk: Walk): Generator<Pause, void> {
  walk.untilPause = ELEMENTS_BETWEEN_PAUSES;
  yield undefined;
}

/**
 * Checks that the bytes at `start` are one well-formed document that nests no deeper than {@link MAX_DEPTH} and has no
 * more than {@link MAX_ELEMENTS} elements, without recursion and without decoding it.
 *
 * @returns the position after the document
 * @throws CommandError 22 (InvalidBSON), 15 (Overflow) or 10334 (BSONObjectTooLarge)
 */
export function* checkDocument(
  bytes: Buffer,
  start: number,
  limit = bytes.length,
  maxElements = MAX_ELEMENTS,
): Generator<Pause, number> {
  const walk = enter(bytes, start, limit, maxElements);
  yield* walkTo(walk, 0);
  return walk.at;
}

/** The body of a command: its bytes without the extracted array, and the documents of that array. */
export interface CheckedBody {
  end: number;
  bytes: Buffer;
  documents: Buffer[] | undefined;
}

export interface BodyOptions {
  /** Returns the name of the array to extract, given the name of the first field. */
  nameOf(first: string): string | undefined;
  maxElements?: number | undefined;
}

/**
 * Like {@link checkDocument}, but extracts the documents of one top-level array; each of them has its own limits.
 *
 * @throws CommandError 14 for a value in this array that is not a document
 */
export function* checkBody(
  bytes: Buffer,
  start: number,
  limit: number,
  { nameOf, maxElements = MAX_ELEMENTS }: BodyOptions,
): Generator<Pause, CheckedBody> {
  const walk = enter(bytes, start, limit, maxElements);
  const nameAt = (at: number): string => bytes.toString('latin1', at + 1, bytes.indexOf(0, at + 1));
  const name = bytes[walk.at] === 0 ? undefined : nameOf(nameAt(walk.at));
  let extracted: { start: number; end: number; documents: Buffer[] } | undefined;
  while (walk.ends.length > 0) {
    const elementStart = walk.at;
    const isExtracted = name && !extracted && bytes[elementStart] === ARRAY && nameAt(elementStart) === name;
    step(walk);
    if (isExtracted) extracted = { start: elementStart, documents: yield* checkArray(walk, name), end: walk.at };
    else if (walk.ends.length > 1) yield* walkTo(walk, 1);
    else if (walk.untilPause <= 0) yield* pauseOf(walk);
  }
  const body = bytes.subarray(start, walk.at);
  if (!extracted) return { end: walk.at, bytes: body, documents: undefined };
  const others = [bytes.subarray(start + 4, extracted.start), bytes.subarray(extracted.end, walk.at - 1)];
  return { end: walk.at, bytes: documentOf(others), documents: extracted.documents };
}

/** Checks and returns the documents of the array that has just been entered. */
function* checkArray(walk: Walk, name: string): Generator<Pause, Buffer[]> {
  const { bytes, elements } = walk;
  const documents: Buffer[] = [];
  while (bytes[walk.at] !== 0) {
    if (bytes[walk.at] !== EMBEDDED_DOCUMENT) throw typeMismatch(`BSON field '${name}' must hold objects`);
    const start = bytes.indexOf(0, walk.at + 1) + 1;
    walk.elements = 0;
    step(walk);
    yield* walkTo(walk, 2);
    documents.push(bytes.subarray(start, walk.at));
  }
  step(walk);
  walk.elements = elements;
  return documents;
}

function enterDocument(bytes: Buffer, start: number, limit: number, ends: number[]): number {
  if (start + 5 > limit) throw invalid('a document is shorter than five bytes');
  const size = bytes.readInt32LE(start);
  if (size < 5 || start + size > limit) throw invalid('a document is longer than its frame');
  if (ends.length >= MAX_DEPTH) {
    throw tooDeep();
  }
  ends.push(start + size);
  return start + 4;
}

function checkedSize(bytes: Buffer, type: number, at: number, end: number): number {
  const fixed = FIXED_SIZES[type];
  if (fixed !== undefined) return fixed;
  switch (type) {
    case 2: // string
    case 13: // code
    case 14: {
      // symbol
      const length = lengthAt(bytes, at, end);
      if (length < 1 || bytes[at + 3 + length] !== 0) throw invalid('a string does not end');
      return 4 + length;
    }
    case 5: // binary
      return 5 + lengthAt(bytes, at, end);
    case 11: {
      // regular expression: two strings
      const patternEnd = bytes.indexOf(0, at);
      const optionsEnd = bytes.indexOf(0, patternEnd + 1);
      if (patternEnd < 0 || optionsEnd < 0 || optionsEnd >= end) throw invalid('a regular expression does not end');
      return optionsEnd + 1 - at;
    }
    case 12: // DBPointer
    case 15: // code with scope
      throw notSupported(`BSON type ${type}`);
    default:
      throw invalid(`unknown type ${type}`);
  }
}

function lengthAt(bytes: Buffer, at: number, end: number): number {
  if (at + 4 >= end) throw invalid('a length is cut off');
  const length = bytes.readInt32LE(at);
  if (length < 0 || at + 4 + length >= end) throw invalid('a value is longer than its document');
  return length;
}
