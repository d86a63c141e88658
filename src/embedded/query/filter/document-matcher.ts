import type { Document, Long } from 'bson';
import {
  compareValues,
  encodeKey,
  type FilterLeaf,
  type FilterNode,
  isDocument,
  isNotANumber,
  isNumber,
  isTruthy,
  numericOf,
  rankOf,
  regexParts,
  spendSteps,
  toNumber,
  typeOf,
  visitPath,
} from '../../lib/index.ts';
import type { CompileContext } from '../compile-context.ts';
import { compileExpression, type Variables } from '../expression/expression.ts';
import { compileRegex } from './regex.ts';

/** Set by a match: the index of the matching element, in the outermost array if there are several. */
export interface MatchRecord {
  position?: number;
}

/** Matches a document, or an array element treated as one. */
export type DocumentMatcher = (context: Document | unknown[], record?: MatchRecord) => boolean;

/** Tests a single value, without a path or array expansion. */
type ValueTest = (value: unknown) => boolean;

/** What the expressions of a filter (`$expr`) are compiled with. */
export interface MatcherOptions {
  context: CompileContext;
  /** Available to expressions in addition to the document. @default {} */
  variables?: Variables;
}

export function compileDocumentMatcher(node: FilterNode, options: MatcherOptions): DocumentMatcher {
  const compileAll = (children: FilterNode[]) => children.map((child) => compileDocumentMatcher(child, options));
  switch (node.kind) {
    case 'and': {
      const all = compileAll(node.children);
      return (context, record) => all.every((matches) => matches(context, record));
    }
    case 'or': {
      const any = compileAll(node.children);
      return (context) => any.some((matches) => matches(context));
    }
    case 'nor': {
      const none = compileAll(node.children);
      return (context) => !none.some((matches) => matches(context));
    }
    case 'not': {
      const inner = compileDocumentMatcher(node.child, options);
      return (context) => !inner(context);
    }
    case 'expr': {
      const { context, variables = {} } = options;
      const evaluate = compileExpression(node.expression, context, Object.keys(variables));
      return (document) => isTruthy(evaluate(document as Document, variables));
    }
    case 'elemMatch':
      return elemMatchMatcher(node, options.context);
    case 'leaf':
      return leafMatcher(node);
  }
}

/** Evaluation steps for testing one condition on a document or an element. */
const TEST_STEPS = 0.3;

function leafMatcher(leaf: FilterLeaf): DocumentMatcher {
  if (leaf.op === 'ne' || leaf.op === 'nin' || (leaf.op === 'exists' && leaf.value === false)) {
    const positive = leafMatcher(negated(leaf));
    return (context) => !positive(context);
  }
  if (leaf.op === 'all') {
    const each = allOperands(leaf).map(leafMatcher);
    return (context, record) => each.length > 0 && each.every((matches) => matches(context, record));
  }
  const walk = { parts: leaf.path.split('.'), expandsLeaf: leaf.op !== 'size' };
  const test = valueTest(leaf);
  return (context, record) => {
    spendSteps(TEST_STEPS);
    return visitPath(context, walk, (value, position) => {
      if (!test(value)) return false;
      if (record && position !== undefined) record.position = position;
      return true;
    });
  };
}

function elemMatchMatcher(node: FilterNode & { kind: 'elemMatch' }, context: CompileContext): DocumentMatcher {
  const walk = { parts: node.path.split('.'), expandsLeaf: false };
  const matchesElement = elementTest(node, context);
  return (document, record) =>
    visitPath(document, walk, (value, position) => {
      if (!Array.isArray(value)) return false;
      const index = value.findIndex(matchesElement);
      if (index >= 0 && record) record.position = position ?? index;
      return index >= 0;
    });
}

function elementTest(node: FilterNode & { kind: 'elemMatch' }, context: CompileContext): ValueTest {
  if (node.onValues) return valueMatcher(node.child, context);
  const matches = compileDocumentMatcher(node.child, { context });
  return (element) => (isDocument(element) || Array.isArray(element)) && matches(element);
}

/** Compiles a filter for a single value, as inside `{$elemMatch: {$gt: 1}}`. */
function valueMatcher(node: FilterNode, context: CompileContext): ValueTest {
  const compileAll = (children: FilterNode[]) => children.map((child) => valueMatcher(child, context));
  switch (node.kind) {
    case 'and': {
      const all = compileAll(node.children);
      return (value) => all.every((matches) => matches(value));
    }
    case 'or': {
      const any = compileAll(node.children);
      return (value) => any.some((matches) => matches(value));
    }
    case 'nor': {
      const none = compileAll(node.children);
      return (value) => !none.some((matches) => matches(value));
    }
    case 'not': {
      const inner = valueMatcher(node.child, context);
      return (value) => !inner(value);
    }
    case 'elemMatch': {
      const matchesElement = elementTest(node, context);
      return (value) => Array.isArray(value) && value.some(matchesElement);
    }
    case 'expr':
      return () => false;
    case 'leaf':
      return leafValueMatcher(node);
  }
}

function leafValueMatcher(leaf: FilterLeaf): ValueTest {
  if (leaf.op === 'ne' || leaf.op === 'nin' || (leaf.op === 'exists' && leaf.value === false)) {
    const positive = leafValueMatcher(negated(leaf));
    return (value) => !positive(value);
  }
  if (leaf.op === 'all') {
    const each = allOperands(leaf).map(leafValueMatcher);
    return (value) => each.length > 0 && each.every((matches) => matches(value));
  }
  const test = valueTest(leaf);
  return (value) => {
    spendSteps(TEST_STEPS);
    return test(value);
  };
}

const POSITIVE = { ne: 'eq', nin: 'in', exists: 'exists' } as const;

function negated(leaf: FilterLeaf): FilterLeaf {
  const op = POSITIVE[leaf.op as keyof typeof POSITIVE];
  return { ...leaf, op, value: op === 'exists' ? true : leaf.value };
}

const allOperands = (leaf: FilterLeaf): FilterLeaf[] =>
  (leaf.value as unknown[]).map((value) => ({ ...leaf, op: typeOf(value) === 'regex' ? 'regex' : 'eq', value }));

function valueTest(leaf: FilterLeaf): ValueTest {
  const operand = leaf.value;
  switch (leaf.op) {
    case 'eq':
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return comparison(leaf.op, operand);
    case 'in':
      return membership(operand as unknown[]);
    case 'exists':
      return (value) => value !== undefined;
    case 'type': {
      const types = new Set<string>(operand as string[]);
      return (value) => value !== undefined && types.has(typeOf(value));
    }
    case 'regex':
      return regexTest(operand);
    case 'size':
      return (value) => Array.isArray(value) && value.length === operand;
    case 'mod': {
      const [divisor, remainder] = operand as [number, number];
      return (value) => isNumber(value) && remainderOf(value, divisor) === remainder;
    }
    default:
      throw new Error(`${leaf.op} has no test of a single value`);
  }
}

type Comparison = 'eq' | 'gt' | 'gte' | 'lt' | 'lte';

const HOLDS: Readonly<Record<Comparison, (order: number) => boolean>> = {
  eq: (order) => order === 0,
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
};

/** Comparisons match only values of the operand's type, except for null (also missing), MinKey and MaxKey. */
function comparison(op: Comparison, operand: unknown): ValueTest {
  const type = typeOf(operand);
  const rank = rankOf(operand);
  const holds = HOLDS[op];
  if (type === 'null') return (value) => value == null && holds(0);
  if (type === 'minKey') return (value) => (typeOf(value) === 'minKey' ? holds(0) : op === 'gt' || op === 'gte');
  if (type === 'maxKey') return (value) => (typeOf(value) === 'maxKey' ? holds(0) : op === 'lt' || op === 'lte');
  if (isNotANumber(operand)) return (value) => isNotANumber(value) && holds(0);
  const isNumeric = isNumber(operand);
  return (value) => {
    if (typeof value === 'string' && typeof operand === 'string' && op === 'eq') return value === operand;
    if (rankOf(value) !== rank || (isNumeric && isNotANumber(value))) return false;
    return holds(compareValues(value, operand));
  };
}

const keyOf = (value: unknown): string => encodeKey([value], []).toString('latin1');

const isText = (value: unknown): boolean => typeof value === 'string' || typeOf(value) === 'symbol';

function isPlainNumber(value: unknown): boolean {
  const type = typeOf(value);
  return (type === 'int' || type === 'double') && !isNotANumber(value);
}

function membership(operands: unknown[]): ValueTest {
  const strings = new Set(operands.filter(isText).map(String));
  const regexes = operands.filter((operand) => typeOf(operand) === 'regex').map(regexTest);
  const others = operands.filter((operand) => !isText(operand) && typeOf(operand) !== 'regex');
  // Most lists contain JavaScript numbers, which can be compared without a key string.
  const numbers = new Set(others.filter(isPlainNumber).map(toNumber));
  const keys = new Set(others.filter((operand) => !isPlainNumber(operand)).map(keyOf));
  let numberKeys: Set<string> | undefined;
  const isAmongNumbers = (value: unknown): boolean => {
    if (isPlainNumber(value)) return numbers.has(toNumber(value));
    numberKeys ??= new Set([...numbers].map(keyOf));
    return isNumber(value) && numberKeys.has(keyOf(value));
  };
  const hasNull = others.includes(null);
  return (value) => {
    if (value == null) return hasNull;
    if (isText(value) ? strings.has(String(value)) : keys.size > 0 && keys.has(keyOf(value))) return true;
    if (numbers.size > 0 && isAmongNumbers(value)) return true;
    return regexes.some((test) => test(value));
  };
}

function regexTest(operand: unknown): ValueTest {
  const { pattern, options } = regexParts(operand);
  const expression = compileRegex(pattern, options);
  return (value) => {
    if (typeof value === 'string') return expression.test(value);
    const type = typeOf(value);
    if (type === 'symbol') return expression.test(String(value));
    return type === 'regex' && compareValues(value, operand) === 0;
  };
}

/** The remainder of the integer part, with the sign of the value; undefined if there is no integer part. */
function remainderOf(value: unknown, divisor: number): number | undefined {
  if (typeOf(value) === 'long') {
    const exact = numericOf(value as Long);
    if (typeof exact === 'bigint') return Number(exact % BigInt(divisor));
  }
  const whole = Math.trunc(toNumber(value));
  if (!Number.isFinite(whole) || Math.abs(whole) >= 2 ** 63) return undefined;
  return (whole % divisor) + 0;
}
