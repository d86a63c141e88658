import { BSON, type Document, ObjectId } from 'bson';
import { ARRAY, DECODE, type FilterNode, setField, valueSize } from '../../lib/index.ts';
import type { CompileContext } from '../compile-context.ts';
import { asBuffer, createNameFinder, decodeElement, endOfText, isSame, type NameFinder } from '../top-level-fields.ts';
import { compileDocumentMatcher } from './document-matcher.ts';

/** Arrays may contain the operand and symbols equal strings, so these types cannot be compared by their bytes. */
const SYMBOL = 14;

interface Field {
  name: string;
  /** For a top-level condition `{name: string or ObjectId}`: the exact encoded value. */
  exact?: { type: number; payload: Buffer };
  /** Whether other conditions read this field. */
  isRead: boolean;
}

interface Wanted {
  fields: readonly Field[];
  find: NameFinder;
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
  for (const name of others.flatMap(rootNames)) fields.set(name, { name, isRead: true });
  for (const [i, condition] of conditions.entries()) {
    const element = exact[i];
    if (!element || condition.kind !== 'leaf') continue;
    const field = fields.get(condition.path) ?? { name: condition.path, isRead: false };
    if (field.exact && !field.exact.payload.equals(element.payload)) return onDecoded;
    fields.set(condition.path, { ...field, exact: element });
  }
  const wanted: Wanted = { fields: [...fields.values()], find: createNameFinder([...fields.keys()]) };
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

/**
 * Reads the wanted fields; false if an exact field differs, undefined if one is an array whose elements must be read.
 */
function readFields(buffer: Buffer, wanted: Wanted): Document | false | undefined {
  const document: Document = {};
  const { fields, find } = wanted;
  let missing = fields.length;
  let missingExact = fields.reduce((count, field) => count + (field.exact ? 1 : 0), 0);
  let at = 4;
  while (missing > 0 && buffer[at] !== 0) {
    const type = buffer[at]!;
    const nameEnd = endOfText(buffer, at + 1);
    const start = nameEnd + 1;
    const end = start + valueSize(buffer, type, start);
    const position = find(buffer, at + 1, nameEnd);
    if (position >= 0) {
      const field = fields[position]!;
      missing--;
      if (field.exact) {
        if (type === ARRAY || type === SYMBOL) return undefined;
        if (type !== field.exact.type || !isSame(buffer, start, end, field.exact.payload)) return false;
        missingExact--;
      }
      if (field.isRead) setField(document, field.name, decodeElement(buffer, at, nameEnd, end));
    }
    at = end;
  }
  return missingExact === 0 && document;
}
