import { BSON, ObjectId } from 'mongodb';
import { expect, test } from 'vitest';
import { compact } from '../../src/store/compact.ts';
import { decodeLazily } from '../../src/store/lazy-document.ts';

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
const compacted = () => compact(BSON.deserialize(BSON.serialize(document))) as typeof document;

test('a compact record has the members of the decoded one, in their order', () => {
  expect(compacted()).toEqual(document);
  expect(Object.keys(compacted())).toEqual(Object.keys(document));
});

test('a compact record is frozen deeply', () => {
  const { children, mentionees, metadata } = compacted();
  for (const value of [compacted(), children, mentionees, mentionees[0], mentionees[0]!.userIds, metadata])
    expect(Object.isFrozen(value)).toBe(true);
});

test('records share empty lists and objects, and a record equal dates', () => {
  const [one, other] = [compacted(), compacted()];
  expect(one.children).toBe(other.children);
  expect(one.metadata).toBe(other.metadata);
  expect(one.updatedAt).toBe(one.createdAt);
  expect(one.editedAt).toEqual(document.editedAt);
});

test('a member named __proto__ stays a member', () => {
  const bytes = BSON.serialize(JSON.parse(`{"metadata":{"__proto__":{"a":1},${names.map((name) => `"${name}":1`)}}}`));
  const { metadata } = compact(BSON.deserialize(bytes)) as { metadata: object };
  expect(Object.keys(metadata)).toEqual(['__proto__', ...names]);
  expect(Object.getPrototypeOf(metadata)).toBe(Object.prototype);
});

test('a long free-form document is still decoded only when it is read', () => {
  const metadata = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${index}`, index]));
  const lazy = decodeLazily(Buffer.from(BSON.serialize({ metadata }))).metadata;
  expect((compact({ metadata: lazy }) as { metadata: object }).metadata).toBe(lazy);
});
