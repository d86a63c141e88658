import type { Document } from 'bson';
import { compareStrings } from './compare.ts';
import { failingLast } from './expression-fold.ts';
import { compileByteMatcher } from './filter-bytes.ts';
import { compileDocumentMatcher } from './filter-match.ts';
import { parseFilter } from './filter-parse.ts';
import type { Filter, FilterNode } from './types.ts';

/**
 * Compiles a filter document. Operators outside the supported set are refused by name (code 2), malformed ones with
 * MongoDB's code. The result never evaluates text as a program.
 */
export function compileFilter(filter: Document): Filter {
  const node = parseFilter(filter);
  // A query whose index answers everything never matches a document, so neither matcher is made before it is needed.
  const matcher = lazily(() => compileDocumentMatcher(node));
  if (usesExpression(node)) failingLast(matcher);
  const byteMatcher = lazily(() => compileByteMatcher(node));
  return { node, matches: (document) => matcher()(document), matchesBytes: (bytes) => byteMatcher()(bytes) };
}

/** Whether there is an `$expr` anywhere in it. */
export function usesExpression(node: FilterNode): boolean {
  if (node.kind === 'not') return usesExpression(node.child);
  return node.kind === 'expr' || ('children' in node && node.children.some(usesExpression));
}

function lazily<Value>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= make();
    return value;
  };
}

/** The order in which MongoDB looks at conditions; where several decide on a position, the last one does. */
const ORDER = [
  'or',
  'elemMatch',
  'size',
  'eq',
  'all',
  'lte',
  'lt',
  'gt',
  'gte',
  'regex',
  'mod',
  'exists',
  'in',
  'not',
  'nor',
];

function rankOf(node: FilterNode): number {
  const rank = ORDER.indexOf(node.kind === 'leaf' ? node.op : node.kind);
  return rank < 0 ? ORDER.length : rank;
}

const pathOf = (node: FilterNode): string => ('path' in node ? node.path : '');

function inServerOrder(node: FilterNode): FilterNode {
  if (node.kind !== 'and') return node;
  const flat = node.children.map(inServerOrder).flatMap((child) => (child.kind === 'and' ? child.children : [child]));
  return {
    kind: 'and',
    children: flat.sort((a, b) => rankOf(a) - rankOf(b) || compareStrings(pathOf(a), pathOf(b))),
  };
}

const positions = new WeakMap<Filter, ReturnType<typeof compileDocumentMatcher>>();

/** The index of the array element by which the document matched: what the update path `$` stands for. */
export function matchedPosition(filter: Filter, document: Document): number | undefined {
  let matches = positions.get(filter);
  if (!matches) {
    matches = compileDocumentMatcher(inServerOrder(filter.node));
    positions.set(filter, matches);
  }
  const record: { position?: number } = {};
  matches(document, record);
  return record.position;
}
