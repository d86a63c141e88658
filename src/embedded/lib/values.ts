import { BSONRegExp, Code, DBRef, Decimal128, type Document, Double, Int32, Long, ObjectId } from 'bson';

/** MongoDB's names of the BSON types, and `missing` for an absent value (JavaScript's undefined). */
export type TypeName =
  | 'missing'
  | 'double'
  | 'string'
  | 'object'
  | 'array'
  | 'binData'
  | 'objectId'
  | 'bool'
  | 'date'
  | 'null'
  | 'regex'
  | 'javascript'
  | 'symbol'
  | 'javascriptWithScope'
  | 'int'
  | 'timestamp'
  | 'long'
  | 'decimal'
  | 'minKey'
  | 'maxKey';

const CLASS_TYPES: Readonly<Record<string, TypeName>> = {
  Int32: 'int',
  Double: 'double',
  Long: 'long',
  Decimal128: 'decimal',
  ObjectId: 'objectId',
  Binary: 'binData',
  Timestamp: 'timestamp',
  BSONRegExp: 'regex',
  BSONSymbol: 'symbol',
  MinKey: 'minKey',
  MaxKey: 'maxKey',
  DBRef: 'object',
};

/** A value's BSON type, determined by its class: a stored field named `_bsontype` has no effect. */
export function typeOf(value: unknown): TypeName {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
      return Number.isInteger(value) && (value | 0) === value && !Object.is(value, -0) ? 'int' : 'double';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'long';
    case 'undefined':
      return 'missing';
    case 'object':
      return value === null ? 'null' : objectType(value);
    default:
      throw new TypeError(`a ${typeof value} is not a BSON value`);
  }
}

function objectType(value: object): TypeName {
  const prototype = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return 'object';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date) return 'date';
  if (value instanceof RegExp) return 'regex';
  if (value instanceof Uint8Array) return 'binData';
  if (value instanceof Code) return value.scope ? 'javascriptWithScope' : 'javascript';
  return CLASS_TYPES[(value as { _bsontype?: string })._bsontype ?? ''] ?? 'object';
}

export const isNumberType = (type: TypeName): boolean =>
  type === 'int' || type === 'double' || type === 'long' || type === 'decimal';

export const isNumber = (value: unknown): boolean => isNumberType(typeOf(value));

export const isNotANumber = (value: unknown): boolean => isNumber(value) && Number.isNaN(toNumber(value));

export function isDocument(value: unknown): value is Document {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || value instanceof DBRef;
}

/** The document's own field, or undefined; never an inherited property such as `constructor`. */
export function fieldOf(document: Document, name: string): unknown {
  if (document instanceof DBRef) return fieldOf(document.toJSON(), name);
  return Object.hasOwn(document, name) ? document[name] : undefined;
}

/** Sets an own field, even one named `__proto__`. */
export function setField(document: Document, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(document, name, { value, enumerable: true, configurable: true, writable: true });
  } else {
    document[name] = value;
  }
}

export function entriesOf(document: Document): [string, unknown][] {
  return Object.entries(document instanceof DBRef ? document.toJSON() : document);
}

/** Copies the top level of a document. */
export function shallowCopy(document: Document): Document {
  const copy: Document = {};
  for (const [name, value] of entriesOf(document)) setField(copy, name, value);
  return copy;
}

/** Converts a numeric value to a JavaScript number; exact up to 2^53, rounded above. */
export function toNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  if (value instanceof Int32 || value instanceof Double) return value.value;
  if (value instanceof Decimal128) return Number(value.toString());
  if (Long.isLong(value)) return value.toNumber();
  return Number(value);
}

/** The integer value of a parameter such as `skip`; undefined if it is not an integer. */
export function toInteger(value: unknown): number | undefined {
  if (!isNumber(value)) return undefined;
  const number = toNumber(value);
  return Number.isInteger(number) ? number : undefined;
}

/** MongoDB's truthiness: false, null, missing and every zero are false, everything else is true. */
export function isTruthy(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return false;
  if (typeof value === 'boolean') return value;
  return !isNumber(value) || toNumber(value) !== 0 || (value instanceof Decimal128 && !isDecimalZero(value));
}

const isDecimalZero = (value: Decimal128): boolean => /^-?0*(\.0*)?(E|$)/.test(value.toString());

/** Pattern and options of a regular expression of any class. */
export function regexParts(value: unknown): { pattern: string; options: string } {
  if (value instanceof BSONRegExp) return { pattern: value.pattern, options: value.options };
  const { source, flags } = value as RegExp;
  return { pattern: source, options: [...flags].filter((flag) => 'imsu'.includes(flag)).join('') };
}

/** A short representation of a value for error messages. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return `"${value}"`;
  if (value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return `[ ${value.map(describe).join(', ')} ]`;
  if (value instanceof ObjectId) return `ObjectId('${value.toHexString()}')`;
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  if (isDocument(value)) {
    const fields = entriesOf(value).map(([name, field]) => `${name}: ${describe(field)}`);
    return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
  }
  return String(isNumber(value) ? toText(value) : value);
}

const toText = (value: unknown): string =>
  value instanceof Decimal128 || Long.isLong(value) ? value.toString() : String(toNumber(value));
