import type { FilterNode } from './types.ts';

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** Whether a filter can be seen to match nothing, whatever the document, as MongoDB's optimizer sees it. */
export function isNever(node: FilterNode): boolean {
  switch (node.kind) {
    case 'leaf':
      return (node.op === 'in' || node.op === 'all') && isEmptyList(node.value);
    case 'and':
      return node.children.some(isNever);
    case 'or':
      return node.children.every(isNever);
    case 'nor':
      return node.children.some(isAlways);
    case 'elemMatch':
      return isNever(node.child);
    case 'not':
    case 'expr':
      return false;
  }
}

/** Whether a filter can be seen to match everything. */
export function isAlways(node: FilterNode): boolean {
  switch (node.kind) {
    case 'and':
      return node.children.every(isAlways);
    case 'or':
      return node.children.some(isAlways);
    case 'nor':
      return node.children.every(isNever);
    default:
      return false;
  }
}
