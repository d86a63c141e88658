import { expect, test } from 'vitest';
import { findBannedWords } from '../../scripts/check-words.ts';

const found = (text: string) => findBannedWords(text).map(({ line, found }) => [line, found]);

test('finds banned words with their line, in any case', () => {
  expect(found('Events are told in order.\nWhoever listens, reconnects.')).toEqual([
    [1, 'told'],
    [2, 'Whoever'],
  ]);
});

test('finds constructions of several words', () => {
  expect(found('It goes on at once.')).toEqual([
    [1, 'at once'],
    [1, 'goes on'],
  ]);
});

test('finds references that a reader cannot open', () => {
  expect(found('See legacy-facts §7, interface 4 and decisions.md.')).toHaveLength(4);
});

test('leaves plain sentences, parts of words and links to the documentation alone', () => {
  expect(found('Deliver events in order, see docs/decisions/0014-event-log.md.')).toEqual([]);
  expect(found('const doorway = recommend(toldYou);')).toEqual([]);
  expect(found('| `POST /api/v4/posts` | row 3 | olives |')).toEqual([]);
});
