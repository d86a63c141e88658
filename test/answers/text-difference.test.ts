import fc from 'fast-check';
import { expect, test } from 'vitest';
import { differenceOf, withDifference } from '../../src/answers/text-difference.ts';

const record = fc.record({
  id: fc.nat(20),
  text: fc.string({ unit: 'binary', maxLength: 12 }),
  metadata: fc.constantFrom({}, { city: 'Leeds' }, { a: { b: '{' } }),
});
const records = fc.array(record, { maxLength: 20 }).map((list) => Buffer.from(JSON.stringify(list)));
const bytes = fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array));

test('any text is the same after it was described by its differences from any other', () => {
  fc.assert(
    fc.property(fc.oneof(records, bytes), fc.oneof(records, bytes), (text, base) => {
      expect(withDifference(differenceOf(text, base), base).equals(text)).toBe(true);
    }),
  );
});

test('objects that both texts contain take no space, in any order', () => {
  const users = Array.from({ length: 100 }, (_, index) => ({
    userId: `user-${index}`,
    about: 'Grows tomatoes. '.repeat(9),
  }));
  const base = Buffer.from(JSON.stringify({ posts: [], users }));
  const text = Buffer.from(
    JSON.stringify({ posts: [{ postId: 'one' }], users: [...users.slice(50), ...users.slice(0, 50)] }),
  );
  expect(text.length).toBeGreaterThan(16_000);
  expect(differenceOf(text, base).length).toBeLessThan(500);
  expect(differenceOf(base, base).length).toBeLessThan(30);
});
