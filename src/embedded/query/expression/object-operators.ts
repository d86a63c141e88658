import type { Document } from 'bson';
import {
  CommandError,
  entriesOf,
  fieldOf,
  isDocument,
  setField,
  shallowCopy,
  spendSteps,
  typeOf,
} from '../../lib/index.ts';
import { fixed, lazy, namedArguments, type Operator, type Operators } from './operator.ts';

function objectToArray([value]: unknown[]): unknown {
  if (value == null) return null;
  if (!isDocument(value))
    throw new CommandError(40390, `$objectToArray requires a document input, found: ${typeOf(value)}`);
  return entriesOf(value).map(([k, v]) => ({ k, v }));
}

function arrayToObject([array]: unknown[]): unknown {
  if (array == null) return null;
  if (!Array.isArray(array))
    throw new CommandError(40386, `$arrayToObject requires an array input, found: ${typeOf(array)}`);
  const result: Document = {};
  const isPairs = Array.isArray(array[0]);
  for (const item of array) {
    const [name, value] = isPairs ? pairOf(item) : namedPairOf(item);
    if (name.includes('\0')) throw new CommandError(4940400, 'Key field cannot contain an embedded null byte');
    setField(result, name, value);
  }
  return result;
}

function pairOf(item: unknown): [string, unknown] {
  if (!Array.isArray(item))
    throw new CommandError(
      40396,
      `$arrayToObject requires a consistent input format. Elements must all be arrays or all be objects. Array was detected, now found: ${typeOf(item)}`,
    );
  if (item.length !== 2)
    throw new CommandError(
      40397,
      `$arrayToObject requires an array of size 2 arrays,found array of size: ${item.length}`,
    );
  if (typeof item[0] !== 'string')
    throw new CommandError(
      40395,
      `$arrayToObject requires an array of key-value pairs, where the key must be of type string. Found key type: ${typeOf(item[0])}`,
    );
  return [item[0], item[1]];
}

function namedPairOf(item: unknown): [string, unknown] {
  if (Array.isArray(item))
    throw new CommandError(
      40391,
      '$arrayToObject requires a consistent input format. Elements must all be arrays or all be objects. Object was detected, now found: array',
    );
  if (!isDocument(item))
    throw new CommandError(40398, `Unrecognised input type format for $arrayToObject: ${typeOf(item)}`);
  if (Object.keys(item).length !== 2)
    throw new CommandError(
      40392,
      `$arrayToObject requires an object keys of 'k' and 'v'. Found incorrect number of keys:${Object.keys(item).length}`,
    );
  if (!('k' in item && 'v' in item))
    throw new CommandError(
      40393,
      `$arrayToObject requires an object with keys 'k' and 'v'. Missing either or both keys from: ${Object.keys(item)}`,
    );
  if (typeof item.k !== 'string')
    throw new CommandError(
      40394,
      `$arrayToObject requires an object with keys 'k' and 'v', where the value of 'k' must be of type string. Found type: ${typeOf(item.k)}`,
    );
  return [item.k, item.v];
}

/** Evaluation steps for setting a field of a large document. */
const FIELD_STEPS = 8;

export function mergeObjects(values: Iterable<unknown>): Document {
  const result: Document = {};
  for (const value of values) {
    if (value == null) continue;
    if (!isDocument(value))
      throw new CommandError(
        40400,
        `$mergeObjects requires object inputs, but input ${String(value)} is of type ${typeOf(value)}`,
      );
    const fields = entriesOf(value);
    spendSteps(fields.length * FIELD_STEPS);
    for (const [name, field] of fields) setField(result, name, field);
  }
  return result;
}

/** `$getField` takes a field name, for a field of the current document, or `{field, input}`. */
const getField: Operator = (argument, scope, name) => {
  const isLong = isDocument(argument) && !Object.keys(argument)[0]?.startsWith('$');
  const given = isLong
    ? namedArguments(name, argument, {
        allowed: ['field', 'input'],
        errors: {
          notObject: 3041701,
          unknown: 3041701,
          missing: [
            ['field', 3041702],
            ['input', 3041703],
          ],
        },
      })
    : { field: argument, input: '$$CURRENT' };
  const field = constantName(given.field, name);
  const input = scope.compile(given.input);
  return (document, variables) => {
    const value = input(document, variables);
    if (value === null) return null;
    return isDocument(value) ? fieldOf(value, field) : undefined;
  };
};

function constantName(value: unknown, name: string): string {
  const literal = isDocument(value) && '$literal' in value ? value.$literal : value;
  const isPath = literal === value && typeof value === 'string' && value.startsWith('$');
  if (isPath) {
    throw new CommandError(
      name === '$getField' ? 5654600 : 4161108,
      `'${value}' is a field path reference which is not allowed in this context. Did you mean {$literal: '${value}'}?`,
    );
  }
  if (isDocument(value) && literal === value) {
    throw new CommandError(
      name === '$getField' ? 5654601 : 4161106,
      `${name} requires 'field' to evaluate to a constant, but got a non-constant argument`,
    );
  }
  if (typeof literal !== 'string') {
    throw new CommandError(
      name === '$getField' ? 5654602 : 4161107,
      `${name} requires 'field' to evaluate to type String, but got ${typeOf(literal)}`,
    );
  }
  return literal;
}

const setFieldOperator: Operator = (argument, scope, name) => {
  const given = namedArguments(name, argument, {
    allowed: ['field', 'input', 'value'],
    errors: {
      notObject: 4161100,
      unknown: 4161101,
      missing: [
        ['field', 4161102],
        ['value', 4161103],
        ['input', 4161109],
      ],
    },
  });
  const field = constantName(given.field, name);
  const input = scope.compile(given.input);
  const value = scope.compile(given.value);
  return (document, variables) => {
    const target = input(document, variables);
    if (target == null) return null;
    if (!isDocument(target))
      throw new CommandError(
        4161105,
        `$setField requires 'input' to evaluate to type Object, but got ${typeOf(target)}`,
      );
    const result = shallowCopy(target);
    const next = value(document, variables);
    if (next === undefined) delete result[field];
    else setField(result, field, next);
    return result;
  };
};

/** Document operators. */
export const OBJECT_OPERATORS: Operators = {
  $objectToArray: fixed(1, objectToArray),
  $arrayToObject: fixed(1, arrayToObject),
  // A single operand may be an array of documents.
  $mergeObjects: (argument, scope, name) =>
    Array.isArray(argument) && argument.length !== 1
      ? lazy(mergeObjects)(argument, scope, name)
      : fixed(1, ([only]) => mergeObjects(Array.isArray(only) ? only : [only]))(argument, scope, name),

  $getField: getField,
  $setField: setFieldOperator,
};
