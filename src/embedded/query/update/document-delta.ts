import { BSON } from 'bson';
import { DECODE, documentOf, type ElementPlace, elementsOf } from '../../lib/index.ts';
import { type ArrayDelta, type Delta, type DocumentDelta, newArrayDelta, newDocumentDelta } from './update-delta.ts';

/**
 * Estimated sizes of the parts of a difference in MongoDB's oplog, in bytes. The estimate decides whether clients see
 * an update or a replacement, so these numbers must match MongoDB's.
 */
const WHOLE_ENTRY = 15;
const EMPTY_DOCUMENT = 5;
const EMPTY_ARRAY = 9;
/** The type byte and the terminator of the name. */
const ENTRY = 2;
/** Each of the lists of removed, updated and inserted fields costs this once, if it is not empty. */
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
 * The difference between two encoded documents as MongoDB computes it after a pipeline update: fields in the same order
 * are compared one by one, and a field that has moved counts as added.
 *
 * @returns undefined when the difference is not smaller than the new document, in which case MongoDB reports a
 *   replacement (for a nested document or array: its whole new value), and when it exceeds {@link MAX_DECODED}
 */
export function documentDelta(before: Buffer, after: Buffer): DocumentDelta | undefined {
  const decoded: Decoded = { count: 0 };
  const found = compareDocuments(fieldsOf(before, 0), fieldsOf(after, 0), {
    limit: after.readInt32LE(0),
    overhead: WHOLE_ENTRY,
    decoded,
  })?.delta;
  return decoded.count > MAX_DECODED ? undefined : found;
}

/** A difference with more values than this is reported as a replacement, because decoding them would take too long. */
const MAX_DECODED = 500;

/** The number of values decoded so far in one comparison. */
interface Decoded {
  count: number;
}

interface Budget {
  /** The size of the new value in bytes. */
  limit: number;
  overhead?: number;
  decoded: Decoded;
}

function compareDocuments(
  before: readonly Field[],
  after: readonly Field[],
  { limit, overhead = 0, decoded }: Budget,
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
    if (size > limit || decoded.count > MAX_DECODED) return undefined;
    const [was, is] = [before[i]!, after[j]!];
    if (was.name !== is.name) {
      missing.set(was.name, was);
      continue;
    }
    j++;
    if (isSame(was, is)) continue;
    const inner = compareValues(was, is, decoded);
    if (inner) {
      size += nameSize(is) + ENTRY + inner.size + INNER_PREFIX;
      delta.inner.push([is.name, inner.delta]);
    } else {
      count(delta.updated, is, valueSize(is));
      delta.updated.push([is.name, decodeField(is, decoded)]);
    }
  }
  for (const field of before.slice(i)) remove(field);
  for (const field of after.slice(j)) {
    count(delta.inserted, field, valueSize(field));
    delta.inserted.push([field.name, decodeField(field, decoded)]);
    missing.delete(field.name);
  }
  const gone = [...missing.values()].sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
  for (const field of gone) remove(field);
  return size < limit ? { delta, size } : undefined;
}

function compareArrays(
  before: readonly Field[],
  after: readonly Field[],
  { limit, decoded }: Budget,
): Sized<ArrayDelta> | undefined {
  const delta = newArrayDelta();
  let size = EMPTY_ARRAY;
  for (const [index, is] of after.entries()) {
    if (size > limit || decoded.count > MAX_DECODED) return undefined;
    const was = before[index];
    if (was && isSame(was, is)) continue;
    const inner = was && compareValues(was, is, decoded);
    size += INDEX_PREFIX + nameSize(is) + ENTRY + (inner ? inner.size : valueSize(is));
    delta.items.push([index, inner ? inner.delta : { value: decodeField(is, decoded) }]);
  }
  if (before.length > after.length) {
    delta.newSize = after.length;
    size += NEW_SIZE;
  }
  return size < limit ? { delta, size } : undefined;
}

/** The difference within two documents or two arrays; undefined when the whole new value is reported. */
function compareValues(was: Field, is: Field, decoded: Decoded): Sized<Delta> | undefined {
  if (was.type !== is.type || (is.type !== OBJECT && is.type !== ARRAY)) return undefined;
  const [before, after] = [fieldsOf(was.bytes, was.valueStart), fieldsOf(is.bytes, is.valueStart)];
  const budget = { limit: valueSize(is), decoded };
  return is.type === OBJECT ? compareDocuments(before, after, budget) : compareArrays(before, after, budget);
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

function decodeField({ bytes, name, start, end }: Field, decoded: Decoded): unknown {
  if (++decoded.count > MAX_DECODED) return undefined;
  return BSON.deserialize(documentOf([bytes.subarray(start, end)]), DECODE)[name];
}
