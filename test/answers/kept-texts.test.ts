import { randomBytes } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { createKeptTexts } from '../../src/answers/kept-texts.ts';

const maxAgeMs = 600_000;
const newTexts = () => createKeptTexts({ maxPlainBytes: 100_000, maxAgeMs });
const users = Array.from({ length: 50 }, (_, index) => ({
  userId: `user-${index}`,
  about: randomBytes(60).toString('hex'),
}));
/** The answer to a viewer. */
const textFor = (viewer: string) => JSON.stringify({ users: [...users, { userId: viewer }] });

afterEach(() => vi.useRealTimers());

test('similar texts of a query take little space beside the first, and are read as they were kept', () => {
  const texts = newTexts();
  const viewers = Array.from({ length: 20 }, (_, index) => `viewer-${index}`);
  const kept = viewers.map((viewer) => texts.keep('query', textFor(viewer)));
  for (const [index, viewer] of viewers.entries()) expect(String(texts.read(kept[index]!))).toBe(textFor(viewer));
  expect(new Set(kept.map(({ base }) => base)).size).toBe(1);
  expect(texts.baseBytes).toBeGreaterThan(3_000);
  for (const { bytes } of kept) expect(bytes).toBeLessThan(200);
  for (const text of kept) texts.release(text);
  expect([texts.baseBytes, texts.plainBytes]).toEqual([0, 0]);
});

test('different texts, and those of other queries, are kept in full', () => {
  const texts = newTexts();
  const given = [textFor('alice'), randomBytes(5_000).toString('hex')];
  const kept = given.map((text) => texts.keep('query', text));
  kept.push(texts.keep('other', given[0]!));
  expect(new Set(kept.map(({ base }) => base)).size).toBe(kept.length);
  for (const [index, text] of kept.entries()) expect(String(texts.read(text))).toBe(given[index % given.length]);
  for (const text of kept) texts.release(text);
  expect([texts.baseBytes, texts.plainBytes]).toEqual([0, 0]);
});

test('later texts do not refer to a retired text, and earlier ones can still be read', () => {
  const texts = newTexts();
  const [alice, bob] = ['alice', 'bob'].map((viewer) => texts.keep('query', textFor(viewer)));
  texts.retire(alice!);
  const carol = texts.keep('query', textFor('carol'));
  expect(carol.base).not.toBe(alice!.base);
  // That of an earlier text does not retire the one that followed it.
  texts.retire(bob!);
  expect(texts.keep('query', textFor('dave')).base).toBe(carol.base);
  texts.release(alice!);
  expect(String(texts.read(bob!))).toBe(textFor('bob'));
});

test('no text refers to one that is older than the limit', () => {
  vi.useFakeTimers();
  const texts = newTexts();
  const first = texts.keep('query', textFor('alice'));
  vi.advanceTimersByTime(maxAgeMs - 1);
  const second = texts.keep('query', textFor('bob'));
  expect([second.base === first.base, texts.isRecent(second)]).toEqual([true, true]);
  vi.advanceTimersByTime(1);
  expect(texts.isRecent(second)).toBe(false);
  const third = texts.keep('query', textFor('bob'));
  expect([third.base === first.base, texts.isRecent(third)]).toEqual([false, true]);
});
