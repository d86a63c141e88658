import { compareStrings, type FilterNode } from '../../lib/index.ts';
import { isAlways, isNever } from './filter-constant.ts';

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

/** The tree with connectives of one kind merged and every branch in the order in which MongoDB looks at it. */
export function inServerOrder(node: FilterNode): FilterNode {
  switch (node.kind) {
    case 'and':
    case 'or':
    case 'nor': {
      const { kind } = node;
      const flat = node.children
        .map(inServerOrder)
        .filter((child) => !(kind === 'or' && isNever(child)))
        .flatMap((child) => (child.kind === kind && kind !== 'nor' ? child.children : [child]));
      // What is settled in advance keeps expressions from being looked at.
      if ((kind === 'and' && flat.some(isNever)) || (kind === 'nor' && flat.some(isAlways))) return NEVER;
      const children = flat.sort((a, b) => rankOf(a) - rankOf(b) || compareStrings(pathOf(a), pathOf(b)));
      return children.length === 1 && kind !== 'nor' ? children[0]! : { kind, children };
    }
    case 'not':
      return { ...node, child: inServerOrder(node.child) };
    default:
      return node;
  }
}

/** Whether there is an `$expr` anywhere in it. */
export function usesExpression(node: FilterNode): boolean {
  if (node.kind === 'not') return usesExpression(node.child);
  return node.kind === 'expr' || ('children' in node && node.children.some(usesExpression));
}

/** An expression may fail, so whether it is reached must not depend on how the filter was written. */
export const inOrderOfErrors = (node: FilterNode): FilterNode => (usesExpression(node) ? inServerOrder(node) : node);
