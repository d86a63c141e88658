import { BSONRegExp, DBRef, Decimal128, type Document } from 'bson';
import {
  badValue,
  CommandError,
  describe,
  entriesOf,
  type FilterLeaf,
  type FilterNode,
  failedToParse,
  isDocument,
  isNumber,
  isTruthy,
  notSupported,
  regexParts,
  spendSteps,
  toNumber,
  typeOf,
  valuesEqual,
} from '../../lib/index.ts';
import { compileRegex } from './regex.ts';
import { isTypeName, typeNameOfCode } from './type-alias.ts';

/** Parses a filter into a tree. A single condition is returned as such, an empty filter as an empty `and`. */
export function parseFilter(filter: Document): FilterNode {
  return allOf(entriesOf(filter).flatMap(([name, value]) => parseEntry(name, value)));
}

const allOf = (children: FilterNode[]): FilterNode =>
  children.length === 1 ? children[0]! : { kind: 'and', children };

/** Merges equality alternatives on one path into an `in`, which an index can serve. */
function anyOf(children: FilterNode[]): FilterNode {
  const [first] = children;
  if (children.length === 1) return first!;
  if (first?.kind !== 'leaf') return { kind: 'or', children };
  const values: unknown[] = [];
  for (const child of children) {
    if (child.kind !== 'leaf' || child.path !== first.path || (child.op !== 'eq' && child.op !== 'in')) {
      return { kind: 'or', children };
    }
    values.push(...(child.op === 'eq' ? [child.value] : (child.value as unknown[])));
  }
  return values.some((value) => typeOf(value) === 'regex') ? { kind: 'or', children } : leaf(first.path, 'in', values);
}

/** Evaluation steps for compiling and planning one condition. */
const CONDITION_STEPS = 40;
const OPERAND_STEPS = 6;
/** Additional steps for a decimal, which is compared digit by digit. */
const DECIMAL_STEPS = 100;
const REGEX_STEPS = 200;

function parseEntry(name: string, value: unknown): FilterNode[] {
  spendSteps(CONDITION_STEPS);
  switch (name) {
    case '$and':
      return [allOf(parseBranches(name, value))];
    case '$or':
    case '$nor': {
      const children = parseBranches(name, value);
      return [name === '$or' ? anyOf(children) : { kind: 'nor', children }];
    }
    case '$expr':
      return [{ kind: 'expr', expression: value }];
    case '$comment':
      return [];
    default:
      if (name.startsWith('$')) throw unknownTopLevel(name);
      return parseField(name, value);
  }
}

const KNOWN_TOP_LEVEL = new Set(['$where', '$text', '$jsonSchema', '$alwaysTrue', '$alwaysFalse', '$sampleRate']);

const unknownTopLevel = (name: string): CommandError =>
  KNOWN_TOP_LEVEL.has(name)
    ? notSupported(name, 2)
    : badValue(
        `unknown top level operator: ${name}. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.`,
      );

function parseBranches(name: string, value: unknown): FilterNode[] {
  if (!Array.isArray(value)) throw badValue(`${name} must be an array`);
  if (value.length === 0) throw badValue('$and/$or/$nor must be a nonempty array');
  return value.map((branch) => {
    if (!isDocument(branch)) throw badValue('$or/$and/$nor entries need to be full objects');
    return parseFilter(branch);
  });
}

/** Whether a document contains operators, instead of being a value to compare with. */
export function isOperators(value: unknown): value is Document {
  if (!isDocument(value) || value instanceof DBRef) return false;
  const first = entriesOf(value)[0]?.[0] ?? '';
  return first.startsWith('$') && first !== '$ref' && first !== '$id' && first !== '$db';
}

function parseField(path: string, value: unknown): FilterNode[] {
  if (isOperators(value)) return parseOperators(path, value);
  if (typeOf(value) === 'regex') return [regexLeaf(path, value, undefined)];
  return [leaf(path, 'eq', value)];
}

function leaf(path: string, op: FilterLeaf['op'], value: unknown): FilterLeaf {
  spendSteps(path.length / 8);
  return { kind: 'leaf', path, op, value };
}

function parseOperators(path: string, operators: Document): FilterNode[] {
  return entriesOf(operators).flatMap(([name, value]) => {
    if (!name.startsWith('$')) throw badValue(`unknown operator: ${name}`);
    return parseOperator(path, name, value, operators);
  });
}

const COMPARISONS: Readonly<Record<string, FilterLeaf['op']>> = {
  $eq: 'eq',
  $ne: 'ne',
  $gt: 'gt',
  $gte: 'gte',
  $lt: 'lt',
  $lte: 'lte',
};

function parseOperator(path: string, name: string, value: unknown, siblings: Document): FilterNode[] {
  const comparison = COMPARISONS[name];
  if (comparison) return [parseComparison(path, comparison, name, value)];
  switch (name) {
    case '$in':
    case '$nin':
      return [parseIn(path, name === '$in' ? 'in' : 'nin', value)];
    case '$exists':
      return [leaf(path, 'exists', isTruthy(value))];
    case '$type':
      return [leaf(path, 'type', parseTypes(value))];
    case '$regex':
      return [regexLeaf(path, value, siblings.$options)];
    case '$options':
      if (!('$regex' in siblings)) throw badValue('$options needs a $regex');
      return [];
    case '$not':
      return [{ kind: 'not', child: parseNot(path, value) }];
    case '$size':
      return [leaf(path, 'size', parseSize(value))];
    case '$all':
      return [parseAll(path, value)];
    case '$elemMatch':
      return [parseElemMatch(path, value)];
    case '$mod':
      return [leaf(path, 'mod', parseMod(value))];
    default:
      throw UNSUPPORTED.has(name) ? notSupported(name, 2) : badValue(`unknown operator: ${name}`);
  }
}

const UNSUPPORTED = new Set(
  '$near $nearSphere $geoWithin $geoIntersects $within $geoNear $bitsAllSet $bitsAllClear $bitsAnySet $bitsAnyClear $expr $jsonSchema $where $text'.split(
    ' ',
  ),
);

const PATH_OPERATORS = new Set(
  '$in $nin $exists $type $regex $options $size $all $elemMatch $mod'.split(' ').concat(Object.keys(COMPARISONS)),
);

/** Whether the name is an operator on a value, not a field or a connective such as `$and`. */
export const isPathOperator = (name: string): boolean => PATH_OPERATORS.has(name) || UNSUPPORTED.has(name);

function parseComparison(path: string, op: FilterLeaf['op'], name: string, value: unknown): FilterNode {
  if (typeOf(value) === 'regex' && op !== 'eq') {
    throw badValue(
      op === 'ne' ? "Can't have regex as arg to $ne." : `Can't have RegEx as arg to predicate over field '${path}'.`,
    );
  }
  if (value === undefined) throw badValue(`cannot compare to undefined (${name})`);
  return leaf(path, op, value);
}

function parseIn(path: string, op: 'in' | 'nin', value: unknown): FilterNode {
  if (!Array.isArray(value)) throw badValue(`$${op} needs an array`);
  for (const item of value) {
    spendSteps(item instanceof Decimal128 ? DECIMAL_STEPS : OPERAND_STEPS);
    if (isOperators(item)) throw badValue(`cannot nest $ under $${op}`);
    if (typeOf(item) === 'regex') checkedRegex(item);
  }
  // Equal values are merged; an upsert then uses a single value.
  const isOne = value.length > 1 && value.every((item) => valuesEqual(item, value[0]));
  return leaf(path, op, isOne ? value.slice(0, 1) : value);
}

function checkedRegex(value: unknown): void {
  const { pattern, options } = regexParts(value);
  spendSteps(REGEX_STEPS);
  compileRegex(pattern, options);
}

function regexLeaf(path: string, value: unknown, extra: unknown): FilterLeaf {
  if (extra !== undefined && typeof extra !== 'string') throw badValue('$options has to be a string');
  const isRegex = typeOf(value) === 'regex';
  if (!isRegex && typeof value !== 'string') throw badValue('$regex has to be a string');
  const { pattern, options } = isRegex ? regexParts(value) : { pattern: value as string, options: '' };
  if (options !== '' && extra !== undefined) throw new CommandError(51075, 'options set in both $regex and $options');
  const all = [...new Set(options + (extra ?? ''))].sort().join('');
  compileRegex(pattern, all);
  return leaf(path, 'regex', new BSONRegExp(pattern, all));
}

function parseTypes(value: unknown): string[] {
  const items = Array.isArray(value) ? value : [value];
  if (items.length === 0) throw failedToParse('$type must match at least one type');
  return items.flatMap((item) => {
    if (typeof item === 'string') {
      if (item === 'number') return ['int', 'double', 'long', 'decimal'];
      if (!isTypeName(item)) throw badValue(`Unknown type name alias: ${item}`);
      return [item];
    }
    if (!isNumber(item)) throw new CommandError(14, 'type must be represented as a number or a string');
    const name = typeNameOfCode(toNumber(item));
    if (!name) throw badValue(`Invalid numerical type code: ${describe(item)}`);
    return [name];
  });
}

function parseNot(path: string, value: unknown): FilterNode {
  if (typeOf(value) === 'regex') return regexLeaf(path, value, undefined);
  if (!isDocument(value)) throw badValue('$not needs a regex or a document');
  if (entriesOf(value).length === 0) throw badValue('$not cannot be empty');
  return allOf(parseOperators(path, value));
}

function parseSize(value: unknown): number {
  if (!isNumber(value)) throw badValue(`Failed to parse $size. Expected a number in: $size: ${describe(value)}`);
  const size = toNumber(value);
  if (!Number.isInteger(size)) throw badValue(`Failed to parse $size. Expected an integer: $size: ${describe(value)}`);
  if (size < 0) throw badValue(`Failed to parse $size. Expected a non-negative number in: $size: ${describe(value)}`);
  return size;
}

function parseAll(path: string, value: unknown): FilterNode {
  if (!Array.isArray(value)) throw badValue('$all needs an array');
  if (isDocument(value[0]) && '$elemMatch' in value[0]) {
    return allOf(
      value.map((item) => {
        if (!isDocument(item) || !('$elemMatch' in item)) throw badValue('$all/$elemMatch has to be consistent');
        return parseElemMatch(path, item.$elemMatch);
      }),
    );
  }
  for (const item of value) {
    spendSteps(CONDITION_STEPS);
    if (isOperators(item)) throw badValue('no $ expressions in $all');
    if (typeOf(item) === 'regex') checkedRegex(item);
  }
  return leaf(path, 'all', value);
}

const LOGICAL = new Set(['$and', '$or', '$nor', '$where']);

function parseElemMatch(path: string, value: unknown): FilterNode {
  if (!isDocument(value)) throw badValue('$elemMatch needs an Object');
  const first = entriesOf(value)[0]?.[0];
  const onValues = first !== undefined && isOperators(value) && !LOGICAL.has(first);
  const child = onValues ? allOf(parseOperators('', value)) : parseFilter(value);
  if (first === '$where') throw notSupported('$where', 2);
  return { kind: 'elemMatch', path, child, onValues };
}

function parseMod(value: unknown): [divisor: number, remainder: number] {
  if (!Array.isArray(value)) throw badValue('malformed mod, needs to be an array');
  if (value.length < 2) throw badValue('malformed mod, not enough elements');
  if (value.length > 2) throw badValue('malformed mod, too many elements');
  if (!isNumber(value[0])) throw badValue('malformed mod, divisor not a number');
  if (!isNumber(value[1])) throw badValue('malformed mod, remainder not a number');
  const [divisor, remainder] = value.map((item) => Math.trunc(toNumber(item))) as [number, number];
  if (!Number.isSafeInteger(divisor) || !Number.isSafeInteger(remainder))
    throw badValue('malformed mod, divisor or remainder is not representable');
  if (divisor === 0) throw badValue('divisor cannot be 0');
  return [divisor, remainder];
}
