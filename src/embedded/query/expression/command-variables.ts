import type { Document } from 'bson';
import { CommandError, entriesOf, isDocument, spendSteps, typeMismatch, typeOf } from '../../lib/index.ts';
import { compileExpression, withVariables } from './expression.ts';
import { checkVariableName } from './expression-kit.ts';

/** Evaluation steps for compiling one variable. */
const VARIABLE_STEPS = 40;

/** Compiles with the variables of a command's `let`, which are constant during the command. */
export function withLet<Result>({ let: given }: Document, compile: () => Result): Result {
  if (given === undefined || given === null) return compile();
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
    values.set(name, compileExpression(expression)({}));
  }
  return withVariables(values, compile);
}

function readsField(expression: unknown): boolean {
  if (typeof expression === 'string') return /^\$(?!\$)|^\$\$(ROOT|CURRENT)\b/.test(expression);
  if (Array.isArray(expression)) return expression.some(readsField);
  if (!isDocument(expression) || '$literal' in expression) return false;
  return Object.values(expression).some(readsField);
}
