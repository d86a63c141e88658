import type { Document } from 'bson';
import { CommandError, entriesOf, isDocument, spendSteps, typeMismatch, typeOf } from '../../lib/index.ts';
import { type CompileContext, DEFAULT_CONTEXT } from '../compile-context.ts';
import { compileExpression } from './expression.ts';
import { checkVariableName } from './operator.ts';

/** Evaluation steps for compiling one variable. */
const VARIABLE_STEPS = 40;

/** The context of a command's expressions: the values of its `let`, which are constant during the command. */
export function commandContext({ let: given }: Document): CompileContext {
  if (given === undefined || given === null) return DEFAULT_CONTEXT;
  if (!isDocument(given)) {
    throw typeMismatch(`BSON field 'let' is the wrong type '${typeOf(given)}', expected type 'object'`);
  }
  const values = new Map<string, unknown>();
  for (const [name, expression] of entriesOf(given)) {
    spendSteps(VARIABLE_STEPS);
    checkVariableName(name);
    if (readsField(expression)) {
      throw new CommandError(
        4890500,
        'Command let Expression tried to access a field, but this is not allowed because command let expressions run before the query examines any documents.',
      );
    }
    values.set(name, compileExpression(expression, DEFAULT_CONTEXT)({}));
  }
  return { ...DEFAULT_CONTEXT, commandVariables: values };
}

function readsField(expression: unknown): boolean {
  if (typeof expression === 'string') return /^\$(?!\$)|^\$\$(ROOT|CURRENT)\b/.test(expression);
  if (Array.isArray(expression)) return expression.some(readsField);
  if (!isDocument(expression) || '$literal' in expression) return false;
  return Object.values(expression).some(readsField);
}
