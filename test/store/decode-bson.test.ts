import fc from 'fast-check';
import { Binary, BSON, Decimal128, type Document, Long, ObjectId } from 'mongodb';
import { expect, test } from 'vitest';
import { decodeBson } from '../../src/store/decode-bson.ts';
import { plainDocument } from '../../src/store/lazy-document.ts';

const decodedOf = (document: Document) => decodeBson(Buffer.from(BSON.serialize(document)));
const withDriver = (bytes: Uint8Array) => BSON.deserialize(bytes);

const at = new Date('2026-01-05T09:30:00.000Z');
const names = Array.from({ length: 40 }, (_, index) => `field${index}`);
const document = {
  _id: new ObjectId(),
  ...Object.fromEntries(names.map((name, index) => [name, index])),
  createdAt: at,
  updatedAt: new Date(at),
  editedAt: new Date(at.getTime() + 1),
  children: [],
  mentionees: [{ userIds: ['a'], none: null }],
  metadata: {},
};

test('a decoded record has the members of the stored one, in their order', () => {
  expect(decodedOf(document)).toEqual(document);
  expect(Object.keys(decodedOf(document))).toEqual(Object.keys(document));
});

test('a decoded record is frozen deeply', () => {
  const record = decodedOf(document);
  const { children, mentionees, metadata } = record;
  for (const value of [record, children, mentionees, mentionees[0], mentionees[0].userIds, metadata])
    expect(Object.isFrozen(value)).toBe(true);
});

test('records share empty lists and objects, and a record equal dates', () => {
  const [one, other] = [decodedOf(document), decodedOf(document)];
  expect(one.children).toBe(other.children);
  expect(one.metadata).toBe(other.metadata);
  expect(one.updatedAt).toBe(one.createdAt);
  expect(one.editedAt).toEqual(document.editedAt);
});

const UNUSUAL: { [what: string]: Document } = {
  'a member named __proto__': { metadata: JSON.parse('{"__proto__":{"a":1},"b":2}') },
  'a field named __proto__': JSON.parse('{"a":1,"__proto__":{"b":2}}'),
  'names that are no words': { 'a-b': 1, 'c.d': { 'e f': 2, '': 3 }, '"': 4, '2': 5, '1': 6 },
  'a binary value': { a: 1, bytes: new Binary(Buffer.from('abc')) },
  'a decimal': { a: [Decimal128.fromString('1.5')] },
  'integers beyond the safe ones': {
    large: Long.fromString('9223372036854775807'),
    safe: Long.fromNumber(2 ** 53 - 1),
  },
  'dates before 1970 and far ahead': { before: new Date(-1), ahead: new Date(8.64e15) },
  'special numbers': { list: [0, -0, -1, 2 ** 31 - 1, -(2 ** 31), Number.NaN, Number.POSITIVE_INFINITY, 1e300] },
  'long and foreign texts': {
    name: 'ü'.repeat(50),
    long: 'a'.repeat(500),
    short: '日本',
    replaced: 'a\ufffdb',
    nul: 'a\0b',
  },
  'a reference to a document': { ref: { $ref: 'posts', $id: 1 } },
  'an expression': { $set: { $a: 1 } },
  'an empty document': {},
  'deep lists': { deep: nested(120) },
};

function nested(depth: number): unknown[] {
  return depth === 0 ? [1] : [nested(depth - 1)];
}

for (const [what, given] of Object.entries(UNUSUAL))
  test(`${what}: decoded as the driver does, and frozen`, () => {
    const bytes = Buffer.from(BSON.serialize(given));
    const record = decodeBson(bytes);
    expect(record).toEqual(withDriver(bytes));
    expect(Object.keys(record)).toEqual(Object.keys(withDriver(bytes)));
    expect(Object.isFrozen(record)).toBe(true);
    expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
  });

const LAST: { [type: string]: unknown } = {
  string: 'text',
  'long string': 'a'.repeat(100),
  double: 1.5,
  'integer of 32 bits': 1,
  'integer of 64 bits': Long.fromNumber(2 ** 40),
  boolean: true,
  null: null,
  date: at,
  id: new ObjectId(),
  list: [at],
  document: { nested: [1.5] },
};

test.each(Object.keys(LAST))('a record that ends with a value of each type is compact: %s', (type) => {
  const decoded = () => decodedOf({ children: [], last: LAST[type] });
  expect(decoded().children).toBe(decoded().children);
});

test('a record with an unusual name is compact, and its long documents are decoded only when they are read', () => {
  const metadata = Object.fromEntries(names.map((name) => [name, 'x'.repeat(200)]));
  const decoded = () => decodedOf({ 'unusual-name': 1, children: [], metadata });
  expect(decoded().children).toBe(decoded().children);
  expect(plainDocument(decoded().metadata)).not.toBe(decoded().metadata);
  expect(decoded()).toEqual({ 'unusual-name': 1, children: [], metadata });
});

test('records of any number of shapes are decoded', () => {
  for (let index = 0; index < 10_000; index += 1)
    expect(decodedOf({ first: 1, [`field${index}`]: index })).toEqual({ first: 1, [`field${index}`]: index });
});

test('the last of members with equal names counts', () => {
  const bytes = Buffer.concat([Buffer.alloc(4), element('a', 1), element('b', 2), element('a', 3), Buffer.alloc(1)]);
  bytes.writeInt32LE(bytes.length);
  expect(decodeBson(bytes)).toEqual({ a: 3, b: 2 });
});

function element(name: string, value: number): Buffer {
  return Buffer.from(BSON.serialize({ [name]: value })).subarray(4, -1);
}

const name = fc.string({ maxLength: 40 }).filter((text) => !text.includes('\0'));
const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.date({ noInvalidDate: true }),
    fc.uint8Array({ minLength: 12, maxLength: 12 }).map((id) => new ObjectId(id)),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(name, tie('value'), { maxKeys: 20 }),
  ),
})).value;

test('any document is decoded as the driver decodes it', () => {
  fc.assert(
    fc.property(fc.dictionary(name, value, { maxKeys: 30 }), (given) => {
      const bytes = Buffer.from(BSON.serialize(given));
      expect(decodeBson(bytes)).toEqual(withDriver(bytes));
    }),
    { numRuns: 500 },
  );
});

test('changed bytes are decoded as the driver decodes them, or refused as it refuses them', () => {
  const original = Buffer.from(BSON.serialize({ ...document, text: 'some text', nested: { list: [1, { a: 'b' }] } }));
  const change = fc.record({ at: fc.nat(original.length - 1), byte: fc.integer({ min: 0, max: 255 }) });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), fc.nat(original.length), (changes, cut) => {
      const bytes = Buffer.from(original);
      for (const { at: place, byte } of changes) bytes[place] = byte;
      for (const given of [bytes, bytes.subarray(0, cut)])
        expect(outcomeOf(decodeBson, given)).toEqual(outcomeOf(withDriver, given));
    }),
    { numRuns: 2_000 },
  );
});

function outcomeOf(decode: (bytes: Buffer) => unknown, bytes: Buffer): unknown {
  try {
    return decode(bytes);
  } catch (error) {
    return (error as Error).name;
  }
}

test('a long free-form document is decoded only when it is read', () => {
  const members = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${index}`, index]));
  const { metadata, other } = decodedOf({ metadata: members, other: members });
  expect([metadata, other].map((value) => plainDocument(value) !== value)).toEqual([true, false]);
  expect(plainDocument(metadata)).toEqual(members);
  expect(other).toEqual(members);
});
