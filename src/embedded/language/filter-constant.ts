import type { FilterNode } from './types.ts';

/** Whether a filter can be seen to match nothing, whatever the document, as MongoDB's optimizer sees it. */
export function isNever(node: FilterNode): boolean {
  switch (node.kind) {
    case 'leaf':
      return node.op === 'all' && Array.isArray(node.value) && node.value.length === 0;
    case 'and':
      return node.children.some(isNever);
    case 'or':
      return node.children.every(isNever);
    case 'nor':
      return node.children.some(isAlways);
    case 'elemMatch':
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
