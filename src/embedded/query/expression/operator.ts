import type { Document } from 'bson';
import { CommandError, entriesOf, failedToParse, isDocument, spendSteps } from '../../lib/index.ts';
import type { CompileContext } from '../compile-context.ts';

export type Variables = Readonly<Record<string, unknown>>;

/** Evaluates an expression for a document; undefined means that the value is missing. */
export type Evaluate = (document: Document, variables?: Variables) => unknown;

/** How an operator compiles its arguments. */
export interface Scope {
  readonly context: CompileContext;
  /** @param declared the names of the variables that the operator adds */
  compile(expression: unknown, ...declared: string[]): Evaluate;
  /** Compiles an argument that MongoDB's optimizer ignores. */
  compileUnfolded(expression: unknown): Evaluate;
}

export type Operator = (argument: unknown, scope: Scope, name: string) => Evaluate;
export type Operators = Readonly<Record<string, Operator>>;

const asList = (argument: unknown): unknown[] => (Array.isArray(argument) ? argument : [argument]);

function compileAll(argument: unknown, scope: Scope): (...at: Parameters<Evaluate>) => unknown[] {
  const evaluations = asList(argument).map((item) => scope.compile(item));
  return (document, variables) => {
    spendSteps(evaluations.length);
    return evaluations.map((evaluate) => evaluate(document, variables));
  };
}

/** An operator with an exact number of arguments (error 16020 for another number). */
export const fixed =
  (count: number, compute: (values: unknown[], name: string) => unknown): Operator =>
  (argument, scope, name) => {
    const given = asList(argument).length;
    if (given !== count) {
      throw new CommandError(16020, `Expression ${name} takes exactly ${count} arguments. ${given} were passed in.`);
    }
    const all = compileAll(argument, scope);
    return (document, variables) => compute(all(document, variables), name);
  };

/** An operator with a range of argument counts (error 28667 outside of it). */
export const ranged =
  (least: number, most: number, compute: (values: unknown[], name: string) => unknown): Operator =>
  (argument, scope, name) => {
    const given = asList(argument).length;
    if (given < least || given > most) {
      throw new CommandError(
        28667,
        `Expression ${name} takes at least ${least} arguments, and at most ${most}, but ${given} were passed in.`,
      );
    }
    const all = compileAll(argument, scope);
    return (document, variables) => compute(all(document, variables), name);
  };

/** An operator with any number of arguments. */
export const variadic =
  (compute: (values: unknown[], name: string) => unknown): Operator =>
  (argument, scope, name) => {
    const all = compileAll(argument, scope);
    return (document, variables) => compute(all(document, variables), name);
  };

/** An operator with any number of arguments that stops evaluating them once its result is known. */
export const lazy =
  (compute: (values: Iterable<unknown>, name: string) => unknown): Operator =>
  (argument, scope, name) => {
    const evaluations = asList(argument).map((item) => scope.compile(item));
    return (document, variables) => compute(each(evaluations, document, variables), name);
  };

function* each(evaluations: readonly Evaluate[], ...at: Parameters<Evaluate>): Iterable<unknown> {
  for (const evaluate of evaluations) {
    spendSteps(1);
    yield evaluate(...at);
  }
}

export interface NamedErrors {
  notObject: number;
  unknown: number;
  missing: ReadonlyArray<readonly [name: string, code: number]>;
}

/** Parses the named arguments of an operator such as `$map`; the error codes differ between operators. */
export function namedArguments(
  name: string,
  argument: unknown,
  options: { allowed: readonly string[]; errors: NamedErrors },
): Record<string, unknown> {
  const { allowed, errors } = options;
  if (!isDocument(argument))
    throw new CommandError(errors.notObject, `${name} only supports an object as its argument`);
  const given: Record<string, unknown> = {};
  for (const [key, value] of entriesOf(argument)) {
    if (!allowed.includes(key)) throw new CommandError(errors.unknown, `Unrecognized parameter to ${name}: ${key}`);
    given[key] = value;
  }
  for (const [key, code] of errors.missing) {
    if (!(key in given)) throw new CommandError(code, `Missing '${key}' parameter to ${name}`);
  }
  return given;
}

/** Checks the name of a user variable. */
export function checkVariableName(name: string): void {
  if (name === '') throw failedToParse('empty variable names are not allowed');
  if (!/^[a-z\x80-\uffff]/.test(name) && name !== 'CURRENT') {
    throw failedToParse(`'${name}' starts with an invalid character for a user variable name`);
  }
  if (!/^[A-Za-z0-9_\x80-\uffff]*$/.test(name)) {
    throw failedToParse(`'${name}' contains an invalid character for a variable name`);
  }
}
