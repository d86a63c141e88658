import { CommandError, type FilterNode, isTruthy } from '../../lib/index.ts';
import { compileExpression } from '../expression/expression.ts';
import { isConstant } from '../expression/expression-fold.ts';

/** Whether MongoDB's optimizer recognizes that a filter matches no document. */
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
    case 'expr':
      return constantOf(node.expression) === false;
    case 'elemMatch':
    case 'not':
      return false;
  }
}

/** Whether MongoDB's optimizer recognizes that a filter matches every document. */
export function isAlways(node: FilterNode): boolean {
  switch (node.kind) {
    case 'and':
      return node.children.every(isAlways);
    case 'or':
      return node.children.some(isAlways);
    case 'nor':
      return node.children.every(isNever);
    case 'expr':
      return constantOf(node.expression) === true;
    default:
      return false;
  }
}

/** The truth value of a constant expression; undefined if it depends on the document or cannot be compiled here. */
function constantOf(expression: unknown): boolean | undefined {
  try {
    const evaluate = compileExpression(expression);
    return isConstant(evaluate) ? isTruthy(evaluate({}, {})) : undefined;
  } catch (error) {
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}
