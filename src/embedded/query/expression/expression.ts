import { DBRef, type Document } from 'bson';
import {
  CommandError,
  entriesOf,
  failedToParse,
  fieldOf,
  isDocument,
  notSupported,
  setField,
  spendSteps,
} from '../../lib/index.ts';
import { type CompileContext, withoutFolding } from '../compile-context.ts';
import { ARRAY_OPERATORS } from './array-operators.ts';
import { Compiled, constantly, fold, gatherConstants, isConstant, recordOperands } from './constant-folding.ts';
import { CONVERSION_OPERATORS } from './conversion-operators.ts';
import { fieldPathParts } from './field-path.ts';
import { LOGIC_OPERATORS } from './logic-operators.ts';
import { NUMBER_OPERATORS } from './number-operators.ts';
import { OBJECT_OPERATORS } from './object-operators.ts';
import type { Evaluate, Operators, Scope } from './operator.ts';
import { SET_OPERATORS } from './set-operators.ts';
import { STRING_OPERATORS } from './string-operators.ts';

export type { Evaluate, Variables } from './operator.ts';

/** The result of an expression whose value is missing. */
export const MISSING = undefined;

const OPERATORS: Operators = {
  ...LOGIC_OPERATORS,
  ...NUMBER_OPERATORS,
  ...STRING_OPERATORS,
  ...ARRAY_OPERATORS,
  ...SET_OPERATORS,
  ...OBJECT_OPERATORS,
  ...CONVERSION_OPERATORS,
};

const SYSTEM_VARIABLES = new Set(['ROOT', 'CURRENT', 'REMOVE', 'NOW']);

/** What an expression is compiled with. */
interface Compilation {
  /** The names of the variables that the evaluation will receive. */
  names: ReadonlySet<string>;
  context: CompileContext;
}

const withNames = ({ names, context }: Compilation, declared: readonly string[]): Compilation => ({
  names: new Set([...names, ...declared]),
  context,
});

const unfolded = ({ names, context }: Compilation): Compilation => ({ names, context: withoutFolding(context) });

/**
 * Compiles an aggregation expression. No part of it is run as JavaScript.
 *
 * @param declared the names of the variables that the evaluation will receive
 * @throws CommandError 168 for an unknown operator, 17276 for an undefined variable
 */
export function compileExpression(
  expression: unknown,
  context: CompileContext,
  declared: Iterable<string> = [],
): Evaluate {
  return compile(expression, { names: new Set(declared), context });
}

function compile(expression: unknown, compilation: Compilation): Evaluate {
  if (expression instanceof Compiled) return expression.evaluate;
  if (typeof expression === 'string') {
    return expression.startsWith('$') ? compilePath(expression, compilation) : constantly(expression);
  }
  if (Array.isArray(expression)) {
    const elements = expression.map((element) => compile(element, compilation));
    const evaluate: Evaluate = (document, variables) => {
      spendSteps(elements.length);
      return elements.map((element) => element(document, variables) ?? null);
    };
    return elements.every(isConstant) ? fold(evaluate, compilation.context) : evaluate;
  }
  if (!isDocument(expression) || expression instanceof DBRef) return constantly(expression);
  const [first] = entriesOf(expression);
  return first?.[0].startsWith('$') ? compileOperator(expression, compilation) : compileObject(expression, compilation);
}

/** Operators that MongoDB never folds, even if all operands are constant. */
const UNFOLDED = new Set('$cond $ifNull $switch $let $map $filter $reduce'.split(' '));
/** Operators whose operands MongoDB's optimizer ignores. */
const OPAQUE = new Set(['$getField', '$setField']);

/** Whether an operator of this name is supported. */
export const isExpressionName = (name: string): boolean => Object.hasOwn(OPERATORS, name);

function compileOperator(expression: Document, given: Compilation): Evaluate {
  const [[name, argument] = ['', undefined], second] = entriesOf(expression);
  if (second) {
    throw new CommandError(
      15983,
      `an object representing an expression must have exactly one field: ${Object.keys(expression)}`,
    );
  }
  const operator = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
  if (!operator) throw notSupported(`Unrecognized expression '${name}'`, 168);
  const isOpaque = OPAQUE.has(name);
  const compilation = isOpaque ? unfolded(given) : given;
  const { context } = compilation;
  let isFoldable = !UNFOLDED.has(name);
  const scope: Scope = {
    context,
    compile(inner, ...declared) {
      const evaluate = compile(inner, declared.length === 0 ? compilation : withNames(compilation, declared));
      isFoldable &&= isConstant(evaluate);
      return evaluate;
    },
    compileUnfolded: (inner) => compile(inner, unfolded(compilation)),
  };
  if (isOpaque) return operator(argument, scope, name);
  const operands = gatherConstants(name, argument, {
    context,
    compile: (inner) => compile(inner, compilation),
    combine: (constants) => fold(operator(constants, scope, name), context),
  });
  const evaluate = operator(operands, scope, name);
  recordOperands(evaluate, name, operands);
  return isFoldable ? fold(evaluate, context) : evaluate;
}

function compileObject(expression: Document, compilation: Compilation): Evaluate {
  const fields = entriesOf(expression).map(([name, value]) => {
    if (name.includes('.'))
      throw new CommandError(
        16412,
        "FieldPath field names may not contain '.'. Consider using $getField or $setField.",
      );
    fieldPathParts(name);
    return [name, compile(value, compilation)] as const;
  });
  const evaluate: Evaluate = (document, variables) => {
    const result: Document = {};
    spendSteps(fields.length);
    for (const [name, field] of fields) {
      const value = field(document, variables);
      if (value !== undefined) setField(result, name, value);
    }
    return result;
  };
  return fields.every(([, field]) => isConstant(field)) ? fold(evaluate, compilation.context) : evaluate;
}

function compilePath(text: string, { names, context: { commandVariables } }: Compilation): Evaluate {
  if (text === '$') throw new CommandError(16872, "'$' by itself is not a valid FieldPath");
  if (!text.startsWith('$$')) {
    const parts = fieldPathParts(text.slice(1));
    return (document, variables) => readPath(current(document, variables), parts);
  }
  const [name = '', ...rest] = text.slice(2).split('.');
  if (name === '') throw failedToParse('empty variable names are not allowed');
  if (rest.length > 0) fieldPathParts(rest.join('.'));
  if (!names.has(name) && commandVariables.has(name)) return constantly(readPath(commandVariables.get(name), rest));
  if (!names.has(name) && !SYSTEM_VARIABLES.has(name)) {
    if (/^[A-Z]/.test(name)) throw notSupported(`Use of undefined variable: ${name}`, 17276);
    throw new CommandError(17276, `Use of undefined variable: ${name}`);
  }
  if (name === 'REMOVE' && !names.has(name)) return constantly(undefined);
  return (document, variables) => readPath(readVariable(name, document, variables), rest);
}

const current = (document: Document, variables: Parameters<Evaluate>[1]): unknown =>
  variables && Object.hasOwn(variables, 'CURRENT') ? variables.CURRENT : document;

function readVariable(name: string, document: Document, variables: Parameters<Evaluate>[1]): unknown {
  if (variables && Object.hasOwn(variables, name)) return variables[name];
  switch (name) {
    case 'ROOT':
    case 'CURRENT':
      return document;
    case 'NOW':
      return new Date();
    default:
      return undefined;
  }
}

/** Reads a path through documents; for an array, the array of the values in its documents. */
export function readPath(value: unknown, parts: readonly string[], from = 0): unknown {
  let current = value;
  for (let i = from; i < parts.length; i++) {
    if (Array.isArray(current)) {
      spendSteps(current.length);
      return current
        .map((element) => (isDocument(element) ? readPath(element, parts, i) : undefined))
        .filter((element) => element !== undefined);
    }
    if (!isDocument(current)) return undefined;
    current = fieldOf(current, parts[i]!);
  }
  return current;
}
