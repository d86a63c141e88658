import { BSON, type Document, Double, Int32, Long, ObjectId } from 'bson';
import { DECODE, type FilterNode, setField, valueSize } from '../../lib/index.ts';
import type { CompileContext } from '../compile-context.ts';
import { compileDocumentMatcher } from './document-matcher.ts';

/** Arrays may contain the operand and symbols equal strings, so these types cannot be compared by their bytes. */
const ARRAY = 4;
const SYMBOL = 14;

interface Field {
  name: string;
  bytes: Buffer;
  /** For a top-level condition `{name: string or ObjectId}`: the exact encoded value. */
  exact?: { type: number; payload: Buffer };
  /** Whether other conditions read this field. */
  isRead: boolean;
}

/** More fields than this are looked up in a map. */
const MAX_SCANNED_FIELDS = 8;

interface Wanted {
  fields: readonly Field[];
  byName: ReadonlyMap<string, Field> | undefined;
}

/**
 * Compiles a matcher for undecoded documents: one walk over the top-level elements that decodes only the fields in the
 * filter. Conditions of the form `{field: string | ObjectId}` compare bytes and end the walk at the first difference.
 */
export function compileByteMatcher(node: FilterNode, context: CompileContext): (bytes: Uint8Array) => boolean {
  const whole = compileDocumentMatcher(node, { context });
  const onDecoded = (bytes: Uint8Array): boolean => whole(BSON.deserialize(bytes, DECODE));
  const conditions = node.kind === 'and' ? node.children : [node];
  const exact = conditions.map(exactElement);
  const others = conditions.filter((_, i) => exact[i] === undefined);
  if (others.some(readsEverything)) return onDecoded;

  const fields = new Map<string, Field>();
  for (const name of others.flatMap(rootNames)) fields.set(name, { name, bytes: Buffer.from(name), isRead: true });
  for (const [i, condition] of conditions.entries()) {
    const element = exact[i];
    if (!element || condition.kind !== 'leaf') continue;
    const field = fields.get(condition.path) ?? {
      name: condition.path,
      bytes: Buffer.from(condition.path),
      isRead: false,
    };
    if (field.exact && !field.exact.payload.equals(element.payload)) return onDecoded;
    fields.set(condition.path, { ...field, exact: element });
  }
  const byName = fields.size > MAX_SCANNED_FIELDS ? fields : undefined;
  const wanted: Wanted = { fields: [...fields.values()], byName };
  const rest = compileDocumentMatcher({ kind: 'and', children: others }, { context });
  return (bytes) => {
    const outcome = readFields(asBuffer(bytes), wanted);
    return outcome === undefined ? onDecoded(bytes) : outcome !== false && rest(outcome);
  };
}

function readsEverything(node: FilterNode): boolean {
  if (node.kind === 'not') return readsEverything(node.child);
  return node.kind === 'expr' || ('children' in node && node.children.some(readsEverything));
}

function rootNames(node: FilterNode): string[] {
  if (node.kind === 'leaf' || node.kind === 'elemMatch') return [node.path.split('.')[0]!];
  if (node.kind === 'not') return rootNames(node.child);
  return 'children' in node ? node.children.flatMap(rootNames) : [];
}

function exactElement(node: FilterNode): { type: number; payload: Buffer } | undefined {
  if (node.kind !== 'leaf' || node.op !== 'eq' || node.path.includes('.')) return undefined;
  if (typeof node.value !== 'string' && !(node.value instanceof ObjectId)) return undefined;
  const element = Buffer.from(BSON.serialize({ v: node.value }));
  return { type: element[4]!, payload: element.subarray(7, element.length - 1) };
}

const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/**
 * Reads the wanted fields; false if an exact field differs, undefined if one is an array whose elements must be read.
 */
function readFields(buffer: Buffer, wanted: Wanted): Document | false | undefined {
  const document: Document = {};
  const { fields } = wanted;
  let missing = fields.length;
  let missingExact = fields.reduce((count, field) => count + (field.exact ? 1 : 0), 0);
  let at = 4;
  while (missing > 0 && buffer[at] !== 0) {
    const type = buffer[at]!;
    const nameEnd = endOfText(buffer, at + 1);
    const start = nameEnd + 1;
    const end = start + valueSize(buffer, type, start);
    const field = findField(buffer, at + 1, nameEnd, wanted);
    if (field) {
      missing--;
      if (field.exact) {
        if (type === ARRAY || type === SYMBOL) return undefined;
        if (type !== field.exact.type || !isSame(buffer, start, end, field.exact.payload)) return false;
        missingExact--;
      }
      if (field.isRead) setField(document, field.name, decode(buffer, type, at, start, end));
    }
    at = end;
  }
  return missingExact === 0 && document;
}

function findField(buffer: Buffer, start: number, end: number, wanted: Wanted): Field | undefined {
  if (wanted.byName) return wanted.byName.get(buffer.toString('utf8', start, end));
  for (const field of wanted.fields) if (isSame(buffer, start, end, field.bytes)) return field;
  return undefined;
}

/** Names and ids are short: a loop is faster than a call into native code. */
function isSame(buffer: Buffer, start: number, end: number, bytes: Buffer): boolean {
  if (end - start !== bytes.length) return false;
  for (let i = 0; i < bytes.length; i++) if (bytes[i] !== buffer[start + i]) return false;
  return true;
}

function endOfText(buffer: Buffer, start: number): number {
  let end = start;
  while (buffer[end] !== 0) end++;
  return end;
}

function decode(buffer: Buffer, type: number, at: number, start: number, end: number): unknown {
  switch (type) {
    case 1:
      return new Double(buffer.readDoubleLE(start));
    case 2:
      return buffer.toString('utf8', start + 4, end - 1);
    case 3:
      return decodeDocument(buffer, start);
    case ARRAY:
      return Object.values(decodeDocument(buffer, start));
    case 7:
      return new ObjectId(buffer.subarray(start, end));
    case 8:
      return buffer[start] === 1;
    case 9:
      return new Date(Number(buffer.readBigInt64LE(start)));
    case 10:
      return null;
    case 16:
      return new Int32(buffer.readInt32LE(start));
    case 18:
      return new Long(buffer.readInt32LE(start), buffer.readInt32LE(start + 4));
    default:
      return Object.values(BSON.deserialize(documentWith(buffer.subarray(at, end)), DECODE))[0];
  }
}

function decodeDocument(buffer: Buffer, from: number): Document {
  const document: Document = {};
  let at = from + 4;
  while (buffer[at] !== 0) {
    const type = buffer[at]!;
    const nameEnd = endOfText(buffer, at + 1);
    const end = nameEnd + 1 + valueSize(buffer, type, nameEnd + 1);
    setField(document, buffer.toString('utf8', at + 1, nameEnd), decode(buffer, type, at, nameEnd + 1, end));
    at = end;
  }
  return document;
}

/** A document with this single element. */
function documentWith(element: Buffer): Buffer {
  const document = Buffer.alloc(element.length + 5);
  document.writeInt32LE(document.length, 0);
  element.copy(document, 4);
  return document;
}
