import {
  coerceInputValue,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  isNonNullType,
  type NamedTypeNode,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromAST,
} from 'graphql';
import { ANSWER_LIMITS } from '../src/limits/limits.ts';
import { exceededByVariables } from '../src/limits/variable-limits.ts';
import { tooLarge } from './bounded-errors.ts';

export type Coerced =
  | { errors: readonly GraphQLError[]; coerced?: never }
  | { errors?: never; coerced: { readonly [name: string]: unknown } };

export interface CoercionInput {
  schema: GraphQLSchema;
  operation: OperationDefinitionNode;
  given: { readonly [name: string]: unknown };
  hideSuggestions: boolean;
}

/**
 * Coerces the variables of an operation and applies their defaults. Equals `getVariableValues` of graphql-js, but with
 * bounded time and output: values are counted first, coercion stops at the maximum number of errors, and error messages
 * truncate values.
 */
export function coerceVariables({ schema, operation, given, hideSuggestions }: CoercionInput): Coerced {
  const excess = exceededByVariables(given);
  if (excess) return { errors: [tooLarge(excess)] };
  const errors: GraphQLError[] = [];
  const coerced: { [name: string]: unknown } = {};
  const report = (error: GraphQLError) => {
    errors.push(error);
    if (errors.length >= ANSWER_LIMITS.errors) throw new ErrorLimitReached();
  };
  try {
    for (const definition of operation.variableDefinitions ?? [])
      coerceVariable({ schema, definition, given, coerced, report, hideSuggestions });
  } catch (error) {
    if (!(error instanceof ErrorLimitReached)) throw error;
  }
  return errors.length > 0 ? { errors } : { coerced };
}

class ErrorLimitReached extends Error {}

interface Variable extends Pick<CoercionInput, 'schema' | 'given' | 'hideSuggestions'> {
  definition: VariableDefinitionNode;
  coerced: { [name: string]: unknown };
  report: (error: GraphQLError) => void;
}

function coerceVariable(variable: Variable): void {
  const { definition, given, coerced } = variable;
  const name = definition.variable.name.value;
  // Validation ensures that the type of each variable is an input type.
  const type = typeFromAST(variable.schema, definition.type as NamedTypeNode) as GraphQLInputType;
  const fail = (problem: string) => variable.report(new GraphQLError(problem, { nodes: definition }));
  if (!Object.hasOwn(given, name)) {
    if (definition.defaultValue) coerced[name] = valueFromAST(definition.defaultValue, type);
    else if (isNonNullType(type)) fail(`Variable "$${name}" of required type "${type}" was not provided.`);
  } else if (given[name] === null && isNonNullType(type)) {
    fail(`Variable "$${name}" of non-null type "${type}" must not be null.`);
  } else {
    const onError = (path: ReadonlyArray<string | number>, value: unknown, { message }: GraphQLError) =>
      fail(`Variable "$${name}" got invalid value ${describe(value)}${pathOf(name, path)}; ${message}`);
    coerced[name] = coerceInputValue(given[name], type, onError, variable.hideSuggestions);
  }
}

/** Characters of a string value in an error message. */
const MAX_SHOWN = 100;

function describe(value: unknown): string {
  if (Array.isArray(value)) return `[${value.length > 0 ? '…' : ''}]`;
  if (typeof value === 'object' && value !== null) return '{…}';
  return typeof value === 'string' ? JSON.stringify(value.slice(0, MAX_SHOWN)) : String(value);
}

function pathOf(name: string, path: ReadonlyArray<string | number>): string {
  if (path.length === 0) return '';
  const keys = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`));
  return ` at "${name}${keys.join('')}"`;
}
