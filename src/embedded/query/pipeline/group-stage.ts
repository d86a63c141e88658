import { type Document, Double, Int32 } from 'bson';
import {
  accumulatorTooLarge,
  CommandError,
  compareValues,
  ElementCount,
  encodeKey,
  entriesOf,
  isDocument,
  isNumber,
  notSupported,
  StageMemory,
  setField,
  spendSteps,
  toNumber,
  typeMismatch,
} from '../../lib/index.ts';

import { addNumbers } from '../expression/arithmetic.ts';
import { compileExpression, type Evaluate } from '../expression/expression.ts';
import { mergeObjects } from '../expression/object-operators.ts';
import { Summation } from '../expression/summation.ts';
import type { JoinTools } from './join-stages.ts';
import { sizeOfValue } from './memory-size.ts';
import type { Stage } from './stages.ts';

interface Accumulator {
  /** Adds a value; returns the bytes by which the accumulator's memory grows. */
  add(value: unknown): number | undefined;
  result(): unknown;
}

const summing = (read: (summation: Summation) => unknown) => (): Accumulator => {
  const summation = new Summation();
  return {
    add(value) {
      summation.add(value);
    },
    result: () => read(summation),
  };
};

/** As in MongoDB, a constant is summed without compensated summation. */
const repeating = (constant: unknown) => (): Accumulator => {
  let total: unknown = new Int32(0);
  return {
    add() {
      total = addNumbers(total, constant) ?? new Double(toNumber(total) + toNumber(constant));
    },
    result: () => total,
  };
};

const extreme = (direction: 1 | -1) => (): Accumulator => {
  let best: unknown = null;
  return {
    add(value) {
      if (value != null && (best === null || compareValues(value, best) * direction > 0)) best = value;
    },
    result: () => best,
  };
};

const positional = (takesFirst: boolean) => (): Accumulator => {
  let kept: unknown;
  let isEmpty = true;
  return {
    add(value) {
      if (isEmpty || !takesFirst) kept = value;
      isEmpty = false;
    },
    result: () => kept ?? null,
  };
};

const push = (): Accumulator => {
  const values: unknown[] = [];
  return {
    add(value) {
      if (value === undefined) return 0;
      values.push(value);
      return sizeOfValue(value);
    },
    result: () => values,
  };
};

const addToSet = (): Accumulator => {
  const values = new Map<string, unknown>();
  return {
    add(value) {
      if (value === undefined) return 0;
      const key = encodeKey([value], []).toString('latin1');
      if (values.has(key)) return 0;
      values.set(key, value);
      return key.length + sizeOfValue(value);
    },
    result: () => [...values.values()],
  };
};

const merging = (): Accumulator => {
  let merged: Document = {};
  return {
    add(value) {
      spendSteps(Object.keys(merged).length);
      merged = mergeObjects([merged, value]);
    },
    result: () => merged,
  };
};

const ACCUMULATORS: Readonly<Record<string, () => Accumulator>> = {
  $sum: summing((summation) => summation.total()),
  $avg: summing((summation) => summation.average()),
  $min: extreme(-1),
  $max: extreme(1),
  $first: positional(true),
  $last: positional(false),
  $push: push,
  $addToSet: addToSet,
  $mergeObjects: merging,
};

type Compile = (expression: unknown) => Evaluate;

interface GroupField {
  name: string;
  operator: string;
  evaluate: Evaluate;
  create: () => Accumulator;
}

interface Group {
  id: unknown;
  accumulators: Accumulator[];
  /** The size of the arrays in the resulting document. */
  elements: ElementCount;
}

/** The approximate memory of a group and of each of its accumulators, in bytes. */
const GROUP_BYTES = 200;
const ACCUMULATOR_BYTES = 120;

/** Compiles `$group`. Groups are returned in the order of their first documents. */
export function compileGroup(argument: unknown, { context, variables, isTimeUp, environment }: JoinTools): Stage {
  if (!isDocument(argument)) throw new CommandError(15947, "a group's fields must be specified in an object");
  const names = Object.keys(variables);
  const compile: Compile = (expression) => compileExpression(expression, context, names);
  const id = compileKey(argument._id, compile);
  const fields = entriesOf(argument)
    .filter(([name]) => name !== '_id')
    .map(([name, spec]) => groupField(name, spec, compile));
  if (!('_id' in argument)) throw new CommandError(15955, 'a group specification must include an _id');
  return function* (input) {
    const groups = new Map<string, Group>();
    const memory = new StageMemory('$group');
    for (const document of input) {
      if (document === undefined || isTimeUp()) yield undefined;
      if (document === undefined) continue;
      const value = id(document, variables) ?? null;
      const key = encodeKey([value], []).toString('latin1');
      let group = groups.get(key);
      if (!group) {
        const elements = new ElementCount({ allowed: environment.allowedElements });
        group = { id: value, accumulators: fields.map(({ create }) => create()), elements };
        groups.set(key, group);
        memory.add(GROUP_BYTES + 2 * key.length + fields.length * ACCUMULATOR_BYTES);
      }
      for (const [i, { evaluate, operator }] of fields.entries()) {
        const value = evaluate(document, variables);
        const grown = group.accumulators[i]!.add(value);
        if (!grown) continue;
        group.elements.add(value);
        memory.add(grown, () => accumulatorTooLarge(operator));
      }
    }
    for (const group of groups.values()) {
      if (isTimeUp()) yield undefined;
      const result: Document = { _id: group.id };
      for (const [i, { name }] of fields.entries()) setField(result, name, group.accumulators[i]!.result());
      yield result;
    }
  };
}

/** In a group key with a single field, a missing value becomes null; with several fields, it is omitted. */
function compileKey(key: unknown, compile: Compile): Evaluate {
  const [first, second] = isDocument(key) ? entriesOf(key) : [];
  if (!first || second || first[0].startsWith('$')) return compile(key);
  compile(key);
  const [name, value] = first;
  const evaluate = compile(value);
  return (document, variables) => ({ [name]: evaluate(document, variables) ?? null });
}

function groupField(name: string, spec: unknown, compile: Compile): GroupField {
  if (name.includes('.')) throw new CommandError(40235, `The field name '${name}' cannot contain '.'`);
  if (name.startsWith('$')) throw new CommandError(40236, `The field name '${name}' cannot be an operator name`);
  if (!isDocument(spec) || Object.keys(spec).length === 0)
    throw new CommandError(40234, `The field '${name}' must be an accumulator object`);
  const entries = entriesOf(spec);
  if (entries.length !== 1) throw new CommandError(40238, `The field '${name}' must specify one accumulator`);
  const [operator, argument] = entries[0]!;
  if (operator === '$count') {
    if (!isDocument(argument) || Object.keys(argument).length > 0)
      throw typeMismatch('$count takes no arguments, i.e. $count:{}');
    return { name, operator, evaluate: () => new Int32(1), create: ACCUMULATORS.$sum! };
  }
  const create = Object.hasOwn(ACCUMULATORS, operator) ? ACCUMULATORS[operator] : undefined;
  if (!create) throw notSupported(`unknown group operator '${operator}'`, 15952);
  if (Array.isArray(argument) && argument.length > 1)
    throw new CommandError(40237, `The ${operator} accumulator is a unary operator`);
  const only = Array.isArray(argument) && argument.length === 1 ? argument[0] : argument;
  const isConstantSum = operator === '$sum' && isNumber(only);
  return { name, operator, evaluate: compile(only), create: isConstantSum ? repeating(only) : create };
}
