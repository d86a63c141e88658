import type { Document } from 'bson';
import {
  CommandError,
  type Filter,
  type FilterNode,
  fieldOf,
  isDocument,
  setField,
  typeOf,
  type Update,
} from '../../lib/index.ts';
import { DEFAULT_CONTEXT } from '../compile-context.ts';
import { isNever } from '../filter/constant-filter.ts';
import { usesExpression } from '../filter/evaluation-order.ts';
import { checkId, idFirst } from './update.ts';

/**
 * Builds the document that an upsert inserts if nothing matches: the filter's equalities, then the update with
 * `$setOnInsert`. A replacement keeps only the filter's `_id`. `_id` is the first field; it is absent, and generated
 * later, if neither filter nor update contains it.
 */
export function buildUpsert(filter: Filter, update: Update): Document {
  assertUpsertable(filter);
  const seed: Document = {};
  const created = new Set<Document>();
  // A filter that matches nothing contributes no values, not even its `_id`. It contains no expression.
  const pinned = isNever(filter.node, DEFAULT_CONTEXT) ? [] : equalities(filter.node);
  for (const [path, value] of pinned) {
    if (update.kind !== 'replacement' || path === '_id') setAt(seed, path, value, created);
    else if (path.startsWith('_id.')) throw inexactId(path);
  }
  const document = idFirst(update.apply(idFirst(seed), { filter, isUpsertInsert: true }));
  const id = fieldOf(document, '_id');
  if (id !== undefined) checkId(id);
  return document;
}

/** Asserts that the filter of an upsert has no `$expr`. @throws CommandError 224 */
export function assertUpsertable({ node }: Filter): void {
  if (usesExpression(node)) throw new CommandError(224, '$expr is not allowed in the query predicate for an upsert');
}

function equalities(node: FilterNode): [path: string, value: unknown][] {
  if (node.kind === 'and') return node.children.flatMap(equalities);
  if (node.kind !== 'leaf') return [];
  if (node.op === 'eq') return [[node.path, node.value]];
  const values = Array.isArray(node.value) ? node.value : [];
  const isPinned = node.op === 'all' || (node.op === 'in' && values.length === 1);
  return isPinned ? values.filter((value) => typeOf(value) !== 'regex').map((value) => [node.path, value]) : [];
}

const inexactId = (path: string): CommandError =>
  new CommandError(111, `field at '_id' must be exactly specified, field at sub-path '${path}' found`);

const matchedTwice = (path: string): CommandError =>
  new CommandError(54, `cannot infer query fields to set, path '${path}' is matched twice`);

/**
 * Sets a value at a dotted path.
 *
 * @param created the documents that this function has added, as opposed to values from the filter
 */
function setAt(document: Document, path: string, value: unknown, created: Set<Document>): void {
  const parts = path.split('.');
  let target = document;
  for (const [i, part] of parts.slice(0, -1).entries()) {
    const next = fieldOf(target, part);
    if (next === undefined) {
      const child: Document = {};
      created.add(child);
      setField(target, part, child);
      target = child;
    } else if (isDocument(next) && created.has(next)) target = next;
    else throw matchedTwice(parts.slice(0, i + 1).join('.'));
  }
  const last = parts.at(-1)!;
  if (fieldOf(target, last) !== undefined) throw matchedTwice(path);
  setField(target, last, value);
}
