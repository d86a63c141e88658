import { BSON } from 'mongodb';
import { expect, test } from 'vitest';
import { decodeBson } from '../../src/store/decode-bson.ts';
import { plainDocument } from '../../src/store/lazy-document.ts';

const members = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${index}`, index]));
const decoded = () => decodeBson(Buffer.from(BSON.serialize({ metadata: members }))).metadata;

test('a long document can be read after attempts to freeze, seal or close it', () => {
  const metadata = decoded();
  for (const close of [Object.freeze, Object.seal, Object.preventExtensions])
    expect(() => close(metadata)).toThrow(TypeError);
  expect(Reflect.preventExtensions(metadata)).toBe(false);
  expect(Object.isExtensible(metadata)).toBe(true);
  expect(Object.keys(metadata)).toHaveLength(1_000);
  expect({ ...metadata }).toEqual(members);
});

test('a long document can be cloned only in its plain form', () => {
  const metadata = decoded();
  expect(() => structuredClone(metadata)).toThrow(/could not be cloned/);
  expect(structuredClone(plainDocument(metadata))).toEqual(members);
});
