import type { Document } from 'bson';
import {
  badValue,
  CommandError,
  describe,
  type FilterNode,
  isDocument,
  isNumber,
  isTruthy,
  notSupported,
  toNumber,
  valuesEqual,
} from '../lib/index.ts';
import { compileIndexFilter, isSameKey } from '../query/index.ts';
import { type IndexSpec, indexSpecOf } from '../storage/index.ts';
import { refuseUnknown } from './command.ts';
import { checkStatementTypes } from './option-types.ts';

const OPTIONS = [
  'v',
  'key',
  'name',
  'unique',
  'sparse',
  'expireAfterSeconds',
  'partialFilterExpression',
  'background',
  'ns',
];
export const LONGEST_EXPIRY = 2_147_483_647;

const cannotCreate = (why: string): CommandError => new CommandError(67, why);

/** Parses and validates an index specification of `createIndexes`. */
export function parseIndexSpec(given: unknown): IndexSpec {
  if (!isDocument(given) || !isDocument(given.key))
    throw new CommandError(9, "The 'key' field is a required property of an index specification");
  refuseUnknown('an index', given, OPTIONS);
  checkStatementTypes('indexes', given);
  if (given.v !== undefined && toNumber(given.v) !== 2) throw notSupported(`index version ${describe(given.v)}`, 67);
  const { key, name } = given;
  if (typeof name !== 'string')
    throw new CommandError(9, "The 'name' field is a required property of an index specification");
  if (name === '' || name === '*') throw cannotCreate(`index name cannot be ${name === '' ? 'empty' : `'*'`}`);
  checkKey(key);
  const isIdIndex = Object.keys(key).length === 1 && '_id' in key;
  if (isIdIndex) checkIdIndex(given);
  else if (name === '_id_') throw badValue(`The index name '_id_' is reserved for the _id index`);
  checkExpiry(given);
  if (given.partialFilterExpression !== undefined) {
    if (!isDocument(given.partialFilterExpression))
      throw new CommandError(14, 'partialFilterExpression must be an object');
    if (isTruthy(given.sparse)) throw cannotCreate('cannot mix "partialFilterExpression" and "sparse" options');
  }
  const spec = indexSpecOf(
    {
      ...given,
      name: isIdIndex ? '_id_' : name,
      unique: isTruthy(given.unique),
      sparse: isTruthy(given.sparse),
      ...(given.expireAfterSeconds !== undefined && {
        expireAfterSeconds: Math.trunc(toNumber(given.expireAfterSeconds)),
      }),
    },
    compileIndexFilter,
  );
  if (spec.partial && !isPartialNode(spec.partial.filter.node)) {
    throw cannotCreate(`unsupported expression in partial index: ${describe(given.partialFilterExpression)}`);
  }
  return spec;
}

function checkIdIndex(given: Document): void {
  if (!isSameKey(given.key, { _id: 1 })) throw badValue(`The field 'key' for an _id index must be {_id: 1}`);
  const extra = Object.keys(given).find((name) => !['key', 'name', 'v', 'ns', 'background'].includes(name));
  if (extra) throw new CommandError(197, `The field '${extra}' is not valid for an _id index specification`);
}

function checkKey(key: Document): void {
  const fields = Object.entries(key);
  if (fields.length === 0) throw cannotCreate('Index keys cannot be an empty object');
  if (fields.length > 32) throw new CommandError(13103, 'too many compound keys');
  for (const [path, direction] of fields) {
    if (typeof direction === 'string') {
      if (['2d', '2dsphere', 'text', 'hashed', 'wildcard'].includes(direction))
        throw notSupported(`index type '${direction}'`, 67);
      throw cannotCreate(`Unknown index plugin '${direction}'`);
    }
    if (path.includes('$**')) throw notSupported('wildcard index', 67);
    if (!isNumber(direction) || Number.isNaN(toNumber(direction)) || toNumber(direction) === 0) {
      throw cannotCreate(`Values in v:2 index key pattern must be a number not equal to 0: ${describe(key)}`);
    }
    if (path === '' || path.split('.').some((part) => part === ''))
      throw cannotCreate(`Index keys cannot contain an empty field.`);
    if (path.split('.').some((part) => part.startsWith('$'))) {
      throw cannotCreate(`Index key contains an illegal field name: field name starts with '$'.`);
    }
  }
}

function checkExpiry({ key, expireAfterSeconds }: Document): void {
  if (expireAfterSeconds === undefined) return;
  const seconds = isNumber(expireAfterSeconds) ? toNumber(expireAfterSeconds) : Number.NaN;
  if (!(seconds >= 0 && seconds <= LONGEST_EXPIRY)) {
    throw cannotCreate(
      `TTL index 'expireAfterSeconds' option must be within an acceptable range, got ${describe(expireAfterSeconds)}`,
    );
  }
  if (Object.keys(key).length > 1 || '_id' in key) {
    throw cannotCreate('TTL indexes are single-field indexes, compound indexes do not support TTL');
  }
}

const PARTIAL_OPERATORS = new Set(['eq', 'gt', 'gte', 'lt', 'lte', 'in', 'type']);

function isPartialNode(node: FilterNode): boolean {
  if (node.kind === 'and' || node.kind === 'or') return node.children.every(isPartialNode);
  if (node.kind !== 'leaf') return false;
  return PARTIAL_OPERATORS.has(node.op) || (node.op === 'exists' && node.value === true);
}

/**
 * Finds an existing index that equals a specification. Indexes are equal if key, `unique`, `sparse` and partial filter
 * are, regardless of expiry.
 *
 * @throws CommandError 86 for another index with this name, 85 for an equal index with another name
 */
export function findSameIndex<Known extends IndexSpec>(indexes: readonly Known[], spec: IndexSpec): Known | undefined {
  const same = indexes.find((index) => isAlike(index, spec));
  const namesake = indexes.find((index) => index.name === spec.name);
  if (namesake && namesake !== same) {
    throw new CommandError(86, `An existing index has the same name as the requested index: ${spec.name}`);
  }
  if (same && same.name !== spec.name) {
    throw new CommandError(85, `Index already exists with a different name: ${same.name}`);
  }
  if (same && same.expireAfterSeconds !== spec.expireAfterSeconds) {
    throw new CommandError(
      85,
      `An equivalent index already exists with the same name but different options: ${spec.name}`,
    );
  }
  return same;
}

const isAlike = (index: IndexSpec, spec: IndexSpec): boolean =>
  isSameKey(index.key, spec.key) &&
  index.isUnique === spec.isUnique &&
  index.isSparse === spec.isSparse &&
  valuesEqual(index.partial?.expression ?? null, spec.partial?.expression ?? null);
