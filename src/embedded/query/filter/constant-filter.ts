import { CommandError, type FilterNode, isTruthy } from '../../lib/index.ts';
import type { CompileContext } from '../compile-context.ts';
import { isConstant } from '../expression/constant-folding.ts';
import { compileExpression } from '../expression/expression.ts';

/** Whether MongoDB's optimizer recognizes that a filter matches no document. */
export function isNever(node: FilterNode, context: CompileContext): boolean {
  switch (node.kind) {
    case 'leaf':
      return node.op === 'all' && Array.isArray(node.value) && node.value.length === 0;
    case 'and':
      return node.children.some((child) => isNever(child, context));
    case 'or':
      return node.children.every((child) => isNever(child, context));
    case 'nor':
      return node.children.some((child) => isAlways(child, context));
    case 'expr':
      return constantOf(node.expression, context) === false;
    case 'elemMatch':
    case 'not':
      return false;
  }
}

/** Whether MongoDB's optimizer recognizes that a filter matches every document. */
export function isAlways(node: FilterNode, context: CompileContext): boolean {
  switch (node.kind) {
    case 'and':
      return node.children.every((child) => isAlways(child, context));
    case 'or':
      return node.children.some((child) => isAlways(child, context));
    case 'nor':
      return node.children.every((child) => isNever(child, context));
    case 'expr':
      return constantOf(node.expression, context) === true;
    default:
      return false;
  }
}

/** The truth value of a constant expression; undefined if it depends on the document or cannot be compiled here. */
function constantOf(expression: unknown, context: CompileContext): boolean | undefined {
  try {
    const evaluate = compileExpression(expression, context);
    return isConstant(evaluate) ? isTruthy(evaluate({}, {})) : undefined;
  } catch (error) {
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}
