import { Int32, Long, Timestamp } from 'bson';
import {
  badValue,
  compareValues,
  describe,
  entriesOf,
  failedToParse,
  isDocument,
  isNumber,
  notSupported,
  toNumber,
  typeMismatch,
  typeOf,
} from '../../lib/index.ts';
import type { CompileContext } from '../compile-context.ts';
import { addNumbers, multiplyNumbers, wholeNumber } from '../expression/arithmetic.ts';
import { parseAddToSet, parsePop, parsePull, parsePullAll } from './array-modifiers.ts';
import { isIdentical } from './identical.ts';
import { parsePush } from './push-modifier.ts';
import type { Modifier } from './update-tree.ts';

/** Parses an operator's argument for one path into a modifier of the value there. */
export type ParseModifier = (argument: unknown, path: string, context: CompileContext) => Modifier;

const setTo = (value: unknown): Modifier => ({
  needsPath: true,
  apply: (current) => (isIdentical(current, value) ? current : value),
});

const setOnInsert: ParseModifier = (value) => ({
  needsPath: ({ isUpsertInsert }) => isUpsertInsert,
  apply: (current, state) => (state.isUpsertInsert && !isIdentical(current, value) ? value : current),
});

const unset: ParseModifier = () => ({ needsPath: false, apply: () => undefined });

function arithmetic(
  name: string,
  compute: (current: unknown, argument: unknown) => unknown,
  initial: (argument: unknown) => unknown,
): ParseModifier {
  const verb = name === '$inc' ? 'increment' : 'multiply';
  return (argument, path) => {
    if (!isNumber(argument))
      throw typeMismatch(`Cannot ${verb} with non-numeric argument: {${path}: ${describe(argument)}}`);
    return {
      needsPath: true,
      apply(current, { original }) {
        if (current === undefined) return initial(argument);
        if (!isNumber(current)) {
          throw typeMismatch(
            `Cannot apply ${name} to a value of non-numeric type. {_id: ${describe(original._id)}} has the field '${path.split('.').at(-1)}' of non-numeric type ${typeOf(current)}`,
          );
        }
        const result = compute(current, argument);
        if (result === undefined) {
          throw badValue(
            `Failed to apply ${name} operations to current value (${describe(current)}) for document {_id: ${describe(original._id)}}`,
          );
        }
        // An equal number of the same type is no change; NaN never equals itself.
        const isSame =
          typeOf(current) === typeOf(result) && compareValues(current, result) === 0 && !isNaNumber(result);
        return isSame ? current : result;
      },
    };
  };
}

const isNaNumber = (value: unknown): boolean => Number.isNaN(toNumber(value));

const extreme =
  (direction: 1 | -1): ParseModifier =>
  (argument) => ({
    needsPath: true,
    apply: (current) =>
      current === undefined || compareValues(argument, current) * direction > 0 ? argument : current,
  });

const currentDate: ParseModifier = (argument) => {
  const isPlain = typeof argument === 'boolean';
  if (!isPlain && !isDocument(argument)) {
    throw badValue(
      `${typeOf(argument)} is not valid type for $currentDate. Please use a boolean ('true') or a $type expression ({$type: 'timestamp/date'}).`,
    );
  }
  if (!isPlain) {
    const stray = Object.keys(argument).find((name) => name !== '$type');
    if (stray !== undefined) throw badValue(`Unrecognized $currentDate option: ${stray}`);
  }
  const type = isPlain ? 'date' : argument.$type;
  if (type !== 'date' && type !== 'timestamp') {
    throw badValue(
      "The '$type' string field is required to be 'date' or 'timestamp': {$currentDate: {field : {$type: 'date'}}}",
    );
  }
  return {
    needsPath: true,
    apply: (_, { now }) => (type === 'date' ? now : new Timestamp({ t: Math.floor(now.getTime() / 1000), i: 1 })),
  };
};

const BITWISE: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
};

const isWhole = (value: unknown): boolean => typeOf(value) === 'int' || typeOf(value) === 'long';

const bit: ParseModifier = (argument, path) => {
  if (!isDocument(argument)) {
    throw badValue(
      `The $bit modifier is not compatible with a ${typeOf(argument)}. You must pass in an embedded document: {$bit: {field: {and/or/xor: #}}`,
    );
  }
  const operations = entriesOf(argument).map(([name, operand]) => {
    const operation = BITWISE[name];
    if (!operation)
      throw badValue(
        `The $bit modifier only supports 'and', 'or', and 'xor', not '${name}' which is an unknown operator: {$bit: ${describe(argument)}}`,
      );
    if (!isWhole(operand))
      throw badValue(
        `The $bit modifier field must be an Integer(32/64 bit); a '${typeOf(operand)}' is not supported here: {${name}: ${describe(operand)}}`,
      );
    return { operation, operand };
  });
  if (operations.length === 0)
    throw badValue(`You must pass in at least one bitwise operation. The format is: {$bit: {field: {and/or/xor: #}}`);
  return {
    needsPath: true,
    apply(current, { original }) {
      if (current !== undefined && !isWhole(current)) {
        throw badValue(
          `Cannot apply $bit to a value of non-integral type.{_id: ${describe(original._id)}} has the field ${path} of non-integer type ${typeOf(current)}`,
        );
      }
      const result = operations.reduce<unknown>(
        (value, { operation, operand }) => bitwise(operation, value, operand),
        current ?? new Int32(0),
      );
      return isIdentical(current, result) ? current : result;
    },
  };
};

function bitwise(operation: (a: bigint, b: bigint) => bigint, a: unknown, b: unknown): unknown {
  const isLong = typeOf(a) === 'long' || typeOf(b) === 'long';
  const result = operation(BigInt(String(a)), BigInt(String(b)));
  return wholeNumber(result, isLong ? 'long' : 'int') ?? Long.fromBigInt(BigInt.asIntN(64, result));
}

const PARSERS: Readonly<Record<string, ParseModifier>> = {
  $set: setTo,
  $setOnInsert: setOnInsert,
  $unset: unset,
  $inc: arithmetic('$inc', addNumbers, (argument) => argument),
  $mul: arithmetic('$mul', multiplyNumbers, (argument) => multiplyNumbers(new Int32(0), argument)),
  $min: extreme(-1),
  $max: extreme(1),
  $currentDate: currentDate,
  $bit: bit,
  $push: parsePush,
  $addToSet: parseAddToSet,
  $pull: parsePull,
  $pullAll: parsePullAll,
  $pop: parsePop,
};

/**
 * The parser of an update operator; error 9 for unknown ones. `$rename`, which has two modifiers, is handled elsewhere.
 */
export function modifierParser(name: string): ParseModifier {
  const parser = Object.hasOwn(PARSERS, name) ? PARSERS[name] : undefined;
  if (parser) return parser;
  if (name === '$pushAll') throw notSupported('$pushAll', 9);
  throw failedToParse(
    `Unknown modifier: ${name}. Expected a valid update modifier or pipeline-style update specified as an array`,
  );
}
