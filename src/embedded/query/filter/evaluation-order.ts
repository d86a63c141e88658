import { compareStrings, type FilterNode } from '../../lib/index.ts';
import type { CompileContext } from '../compile-context.ts';
import { isAlways, isNever } from './constant-filter.ts';

/** The order in which MongoDB evaluates conditions; the last matching one sets the array position. */
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
  'type',
  'expr',
];

const NEVER: FilterNode = { kind: 'or', children: [] };

function rankOf(node: FilterNode): number {
  if (node.kind !== 'leaf') return ORDER.indexOf(node.kind);
  const isNegated = node.op === 'ne' || node.op === 'nin' || (node.op === 'exists' && node.value === false);
  return ORDER.indexOf(isNegated ? 'not' : node.op);
}

const pathOf = (node: FilterNode): string => ('path' in node ? node.path : '');

/** Merges nested connectives of the same kind and sorts every branch in MongoDB's order of evaluation. */
export function inServerOrder(node: FilterNode, context: CompileContext): FilterNode {
  switch (node.kind) {
    case 'and':
    case 'or':
    case 'nor': {
      const { kind } = node;
      const flat = node.children
        .map((child) => inServerOrder(child, context))
        .filter((child) => !(kind === 'or' && isNever(child, context)))
        .flatMap((child) => (child.kind === kind && kind !== 'nor' ? child.children : [child]));
      // If the result is constant, MongoDB does not evaluate the expressions.
      const isNothing =
        (kind === 'and' && flat.some((child) => isNever(child, context))) ||
        (kind === 'nor' && flat.some((child) => isAlways(child, context)));
      if (isNothing) return NEVER;
      const children = flat.sort((a, b) => rankOf(a) - rankOf(b) || compareStrings(pathOf(a), pathOf(b)));
      return children.length === 1 && kind !== 'nor' ? children[0]! : { kind, children };
    }
    case 'not':
      return { ...node, child: inServerOrder(node.child, context) };
    default:
      return node;
  }
}

/** Whether the filter contains an `$expr`. */
export function usesExpression(node: FilterNode): boolean {
  if (node.kind === 'not') return usesExpression(node.child);
  return node.kind === 'expr' || ('children' in node && node.children.some(usesExpression));
}

/**
 * Orders a filter with expressions as MongoDB does, because it determines which expressions are evaluated and can fail.
 */
export const inOrderOfErrors = (node: FilterNode, context: CompileContext): FilterNode =>
  usesExpression(node) ? inServerOrder(node, context) : node;
