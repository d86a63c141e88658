import { Int32 } from 'bson';
import {
  badValue,
  CommandError,
  isNumber,
  isTruthy,
  spendSteps,
  toInteger,
  toNumber,
  typeOf,
  valuesEqual,
} from '../../lib/index.ts';
import { fold, isConstant } from './constant-folding.ts';
import {
  checkVariableName,
  type Evaluate,
  fixed,
  lazy,
  namedArguments,
  type Operator,
  type Operators,
  ranged,
} from './operator.ts';

function asArray(value: unknown, code: number, message: string): unknown[] {
  if (!Array.isArray(value)) throw new CommandError(code, `${message}${typeOf(value)}`);
  return value;
}

function asInt32(value: unknown, code: number, message: string): number {
  const number = toInteger(value);
  if (number === undefined || (number | 0) !== number) throw new CommandError(code, message);
  return number;
}

function arrayElemAt([array, index]: unknown[], name: string): unknown {
  if (array == null || index == null) return null;
  const elements = asArray(array, 28689, `${name}'s first argument must be an array, but is `);
  if (!isNumber(index))
    throw new CommandError(28690, `${name}'s second argument must be a numeric value, but is ${typeOf(index)}`);
  return elements.at(
    asInt32(index, 28691, `${name}'s second argument must be representable as a 32-bit integer: ${toNumber(index)}`),
  );
}

const atEnd =
  (index: 0 | -1): Parameters<typeof fixed>[1] =>
  ([array], name) =>
    array == null ? null : asArray(array, 28689, `${name}'s argument must be an array, but is `).at(index);

function slice([array, second, third]: unknown[], name: string, given: number): unknown {
  if (array == null || second == null || (given === 3 && third == null)) return null;
  const elements = asArray(array, 28724, `First argument to ${name} must be an array, but is of type: `);
  if (!isNumber(second))
    throw new CommandError(
      28725,
      `Second argument to ${name} must be a numeric value, but is of type: ${typeOf(second)}`,
    );
  const start = asInt32(
    second,
    28726,
    `Second argument to ${name} can't be represented as a 32-bit integer: ${toNumber(second)}`,
  );
  if (given === 2) return start >= 0 ? elements.slice(0, start) : elements.slice(start);
  if (!isNumber(third))
    throw new CommandError(28727, `Third argument to ${name} must be numeric, but is of type: ${typeOf(third)}`);
  const count = asInt32(
    third,
    28728,
    `Third argument to ${name} can't be represented as a 32-bit integer: ${toNumber(third)}`,
  );
  if (count <= 0) throw new CommandError(28729, `Third argument to ${name} must be positive: ${count}`);
  const from = start < 0 ? Math.max(0, elements.length + start) : start;
  return elements.slice(from, from + count);
}

function concatArrays(values: Iterable<unknown>, name: string): unknown {
  const all: unknown[] = [];
  for (const value of values) {
    if (value == null) return null;
    const elements = asArray(value, 28664, `${name} only supports arrays, not `);
    spendSteps(elements.length);
    for (const element of elements) all.push(element);
  }
  return all;
}

/** Checks the array before evaluating the other operands. */
function indexOfArray(values: Iterable<unknown>, name: string): unknown {
  const given = values[Symbol.iterator]();
  const array = given.next().value;
  if (array == null) return null;
  const elements = asArray(array, 40090, `${name} requires an array as a first argument, found: `);
  const [wanted, from, to] = { [Symbol.iterator]: () => given };
  const start = from === undefined ? 0 : bound(from, 'starting', name);
  const end = to === undefined ? elements.length : Math.min(bound(to, 'ending', name), elements.length);
  spendSteps(Math.max(0, end - start) / 3);
  for (let i = start; i < end; i++) if (valuesEqual(elements[i], wanted)) return new Int32(i);
  return new Int32(-1);
}

/** MongoDB checks a constant array when it optimizes the expression, with an error code of its own. */
const constantArray = (array: unknown): unknown =>
  array == null
    ? null
    : asArray(array, 50809, 'First operand of $indexOfArray must be an array. First argument is of type: ');

function bound(value: unknown, which: string, name: string): number {
  const index = toInteger(value);
  if (index === undefined)
    throw new CommandError(
      40096,
      `${name} requires an integral ${which} index, found a value of type: ${typeOf(value)}`,
    );
  if (index < 0) throw new CommandError(40097, `${name} requires a nonnegative ${which} index, found: ${index}`);
  return index;
}

function range([first, last, by]: unknown[]): unknown {
  if (!isNumber(first))
    throw new CommandError(34443, `$range requires a numeric starting value, found value of type: ${typeOf(first)}`);
  const start = asInt32(first, 34444, '$range requires a starting value that can be represented as a 32-bit integer');
  if (!isNumber(last))
    throw new CommandError(34445, `$range requires a numeric ending value, found value of type: ${typeOf(last)}`);
  const end = asInt32(last, 34446, '$range requires an ending value that can be represented as a 32-bit integer');
  if (by !== undefined && !isNumber(by))
    throw new CommandError(34447, `$range requires a numeric step value, found value of type: ${typeOf(by)}`);
  const step =
    by === undefined
      ? 1
      : asInt32(by, 34448, '$range requires a step value that can be represented as a 32-bit integer');
  if (step === 0) throw new CommandError(34449, '$range requires a non-zero step value');
  const count = Math.max(0, Math.ceil((end - start) / step));
  if (count > MAX_RANGE) throw badValue('$range would be too large');
  spendSteps(count / 4);
  return Array.from({ length: count }, (_, i) => new Int32(start + i * step));
}

/** A longer range of ints exceeds a document of 16 MiB. */
const MAX_RANGE = 4_000_000;

interface Loop {
  input: Evaluate;
  body: Evaluate;
  variable: string;
}

/** Evaluates the body for each element of the input; null for a missing input. */
const loop = (
  { input, body, variable }: Loop,
  code: number,
  name: string,
  collect: (elements: unknown[], run: (element: unknown) => unknown, at: Parameters<Evaluate>) => unknown,
): Evaluate => {
  return (document, variables) => {
    const array = input(document, variables);
    if (array == null) return null;
    const elements = asArray(array, code, `input to ${name} must be an array not `);
    const run = (element: unknown) => {
      spendSteps(2);
      return body(document, { ...variables, [variable]: element });
    };
    return collect(elements, run, [document, variables]);
  };
};

function variableName(given: unknown): string {
  const name = given === undefined ? 'this' : String(given);
  checkVariableName(name);
  return name;
}

const filter: Operator = (argument, scope, name) => {
  const given = namedArguments(name, argument, {
    allowed: ['input', 'as', 'cond', 'limit'],
    errors: {
      notObject: 28646,
      unknown: 28647,
      missing: [
        ['input', 28648],
        ['cond', 28650],
      ],
    },
  });
  const variable = variableName(given.as);
  const limit = 'limit' in given ? scope.compile(given.limit) : undefined;
  const parts = { input: scope.compile(given.input), body: scope.compile(given.cond, variable), variable };
  return loop(parts, 28651, name, (elements, run, at) => {
    const most = limit ? filterLimit(limit(...at)) : undefined;
    const kept: unknown[] = [];
    for (const element of elements) {
      if (kept.length === most) break;
      if (isTruthy(run(element))) kept.push(element);
    }
    return kept;
  });
};

function filterLimit(value: unknown): number | undefined {
  if (value == null) return undefined;
  const limit = asInt32(value, 327391, '$filter: limit must be represented as a 32-bit integral value');
  if (limit < 1) throw new CommandError(327392, '$filter: limit must be greater than 0');
  return limit;
}

const map: Operator = (argument, scope, name) => {
  const given = namedArguments(name, argument, {
    allowed: ['input', 'as', 'in'],
    errors: {
      notObject: 16878,
      unknown: 16879,
      missing: [
        ['input', 16880],
        ['in', 16882],
      ],
    },
  });
  const variable = variableName(given.as);
  const parts = { input: scope.compile(given.input), body: scope.compile(given.in, variable), variable };
  return loop(parts, 16883, name, (elements, run) => elements.map((element) => run(element) ?? null));
};

const reduce: Operator = (argument, scope, name) => {
  const given = namedArguments(name, argument, {
    allowed: ['input', 'initialValue', 'in'],
    errors: {
      notObject: 40075,
      unknown: 40076,
      missing: [
        ['input', 40077],
        ['initialValue', 40078],
        ['in', 40079],
      ],
    },
  });
  const input = scope.compile(given.input);
  const initial = scope.compile(given.initialValue);
  const body = scope.compile(given.in, 'value', 'this');
  return (document, variables) => {
    const given = input(document, variables);
    if (given == null) return null;
    const array = asArray(given, 40080, "$reduce requires that 'input' be an array, found: ");
    let value = initial(document, variables);
    for (const element of array) {
      spendSteps(2);
      value = body(document, { ...variables, value, this: element });
    }
    return value;
  };
};

/** Array operators. */
export const ARRAY_OPERATORS: Operators = {
  $size: fixed(
    1,
    ([value]) => new Int32(asArray(value, 17124, 'The argument to $size must be an array, but was of type: ').length),
  ),
  $in: fixed(2, ([value, array]) => {
    const elements = asArray(array, 40081, '$in requires an array as a second argument, found: ');
    spendSteps(elements.length / 3);
    return elements.some((element) => valuesEqual(element, value));
  }),
  $isArray: fixed(1, ([value]) => Array.isArray(value)),
  $arrayElemAt: fixed(2, arrayElemAt),
  $first: fixed(1, atEnd(0)),
  $last: fixed(1, atEnd(-1)),
  $slice: ranged(2, 3, (values, name) => slice(values, name, values.length)),
  $concatArrays: lazy(concatArrays),
  $reverseArray: fixed(1, ([array]) =>
    array == null
      ? null
      : asArray(array, 34435, 'The argument to $reverseArray must be an array, but was of type: ').toReversed(),
  ),
  $indexOfArray: (argument, scope, name) => {
    const given = Array.isArray(argument) ? argument : [argument];
    if (given.length < 2 || given.length > 4) return ranged(2, 4, () => null)(argument, scope, name);
    const [array, ...others] = given.map((operand) => scope.compile(operand));
    if (isConstant(array!) && !others.every(isConstant)) fold(() => constantArray(array!({}, {})), scope.context);
    return lazy(indexOfArray)(argument, scope, name);
  },
  $range: ranged(2, 3, range),
  $filter: filter,
  $map: map,
  $reduce: reduce,
};
