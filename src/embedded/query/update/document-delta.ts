import { BSON } from 'bson';
import { DECODE, documentOf, type ElementPlace, elementsOf } from '../../lib/index.ts';
import { type ArrayDelta, type Delta, type DocumentDelta, newArrayDelta, newDocumentDelta } from './update-delta.ts';

/**
 * What a difference is reckoned to take in MongoDB's log. The estimate decides between an update and a replacement,
 * so its numbers are part of what a client sees.
 */
const WHOLE_ENTRY = 15;
const EMPTY_DOCUMENT = 5;
const EMPTY_ARRAY = 9;
/** The type byte and the end of the name. */
const ENTRY = 2;
/** The first of the removed, the updated and the inserted fields opens a part of its own. */
const PART = 8;
const INNER_PREFIX = 1;
const INDEX_PREFIX = 1;
const REMOVED_VALUE = 1;
const NEW_SIZE = 7;

const OBJECT = 3;
const ARRAY = 4;

interface Sized<Kind extends Delta> {
  delta: Kind;
  size: number;
}

/** A named value within encoded bytes. */
interface Field extends ElementPlace {
  bytes: Buffer;
  name: string;
  type: number;
}

/**
 * The difference between two encoded documents as MongoDB computes it after a pipeline update: fields that stand in
 * the same order are compared one by one, one that has moved counts as added.
 *
 * @returns undefined when telling it takes no fewer bytes than the new document: MongoDB then reports a replacement,
 *   and for a document or array within, its whole new value; undefined also beyond {@link MAX_DECODED}
 */
export function documentDelta(before: Buffer, after: Buffer): DocumentDelta | undefined {
  decoded = 0;
  const found = ofDocuments(fieldsOf(before, 0), fieldsOf(after, 0), {
    limit: after.readInt32LE(0),
    overhead: WHOLE_ENTRY,
  })?.delta;
  return decoded > MAX_DECODED ? undefined : found;
}

/** A difference in more values than this is reported as a replacement: to tell it would take too long. */
const MAX_DECODED = 500;
let decoded = 0;

interface Budget {
  /** The size of the new value. */
  limit: number;
  overhead?: number;
}

function ofDocuments(
  before: readonly Field[],
  after: readonly Field[],
  { limit, overhead = 0 }: Budget,
): Sized<DocumentDelta> | undefined {
  const delta = newDocumentDelta();
  let size = EMPTY_DOCUMENT + overhead;
  const count = (part: readonly unknown[], field: Field, valueSize: number): void => {
    size += nameSize(field) + ENTRY + valueSize + (part.length === 0 ? PART : 0);
  };
  const remove = (field: Field): void => {
    count(delta.removed, field, REMOVED_VALUE);
    delta.removed.push(field.name);
  };

  const missing = new Map<string, Field>();
  let [i, j] = [0, 0];
  for (; i < before.length && j < after.length; i++) {
    if (size > limit || decoded > MAX_DECODED) return undefined;
    const [was, is] = [before[i]!, after[j]!];
    if (was.name !== is.name) {
      missing.set(was.name, was);
      continue;
    }
    j++;
    if (isSame(was, is)) continue;
    const inner = ofValues(was, is);
    if (inner) {
      size += nameSize(is) + ENTRY + inner.size + INNER_PREFIX;
      delta.inner.push([is.name, inner.delta]);
    } else {
      count(delta.updated, is, valueSize(is));
      delta.updated.push([is.name, decodeField(is)]);
    }
  }
  for (const field of before.slice(i)) remove(field);
  for (const field of after.slice(j)) {
    count(delta.inserted, field, valueSize(field));
    delta.inserted.push([field.name, decodeField(field)]);
    missing.delete(field.name);
  }
  const gone = [...missing.values()].sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
  for (const field of gone) remove(field);
  return size < limit ? { delta, size } : undefined;
}

function ofArrays(before: readonly Field[], after: readonly Field[], { limit }: Budget): Sized<ArrayDelta> | undefined {
  const delta = newArrayDelta();
  let size = EMPTY_ARRAY;
  for (const [index, is] of after.entries()) {
    if (size > limit || decoded > MAX_DECODED) return undefined;
    const was = before[index];
    if (was && isSame(was, is)) continue;
    const inner = was && ofValues(was, is);
    size += INDEX_PREFIX + nameSize(is) + ENTRY + (inner ? inner.size : valueSize(is));
    delta.items.push([index, inner ? inner.delta : { value: decodeField(is) }]);
  }
  if (before.length > after.length) {
    delta.newSize = after.length;
    size += NEW_SIZE;
  }
  return size < limit ? { delta, size } : undefined;
}

/** The difference within two documents or two arrays; undefined when the new value is told as a whole. */
function ofValues(was: Field, is: Field): Sized<Delta> | undefined {
  if (was.type !== is.type || (is.type !== OBJECT && is.type !== ARRAY)) return undefined;
  const [before, after] = [fieldsOf(was.bytes, was.valueStart), fieldsOf(is.bytes, is.valueStart)];
  const budget = { limit: valueSize(is) };
  return is.type === OBJECT ? ofDocuments(before, after, budget) : ofArrays(before, after, budget);
}

function fieldsOf(bytes: Buffer, from: number): Field[] {
  const fields: Field[] = [];
  for (const { start, nameEnd, valueStart, end } of elementsOf(bytes, from)) {
    const name = bytes.toString('utf8', start + 1, nameEnd);
    fields.push({ start, nameEnd, valueStart, end, bytes, name, type: bytes[start]! });
  }
  return fields;
}

const nameSize = ({ start, nameEnd }: Field): number => nameEnd - start - 1;
const valueSize = ({ valueStart, end }: Field): number => end - valueStart;

const isSame = (a: Field, b: Field): boolean =>
  a.type === b.type && a.bytes.compare(b.bytes, b.valueStart, b.end, a.valueStart, a.end) === 0;

function decodeField({ bytes, name, start, end }: Field): unknown {
  if (++decoded > MAX_DECODED) return undefined;
  return BSON.deserialize(documentOf([bytes.subarray(start, end)]), DECODE)[name];
}
