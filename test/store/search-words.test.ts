import { describe, expect, test, vi } from 'vitest';
import { searchWords } from '../../src/domain/search/search-words.ts';
import { wordSegments } from '../../src/lib/word-segments.ts';
import { foldText, normalizeWords } from '../../src/store/search/normalize-words.ts';
import { tokensOf } from '../../src/store/search/tokens.ts';

const words = (text: string) => normalizeWords(text, 100);

describe('words of a text', () => {
  test.each([
    ['Crème BRÛLÉE', ['creme', 'brulee']],
    ['Straße STRASSE', ['strasse']],
    ['ΌΔΟΣ όδος', ['οδοσ']],
    ['Ёлка йод', ['елка', 'иод']],
    ['Łódź smørrebrød', ['lodz', 'smorrebrod']],
    ['ＦＵＬＬ ﬁne', ['full', 'fine']],
    ["Don't don’t", ['dont']],
    ['first_last user@example.com', ['first', 'last', 'user', 'example', 'com']],
    ['İstanbul IĞDIR', ['istanbul', 'igdir']],
    ['हिन्दी', ['हिन्दी']],
    ['مُحَمَّد', ['محمد']],
    ['한국어', ['한국어']],
    ['🌱 , — !', []],
  ])('%s', (text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  test('are found in texts without spaces', () => {
    expect(words('東京都に住む').length).toBeGreaterThan(1);
    expect(words('ภาษาไทยง่าย').length).toBeGreaterThan(1);
  });

  test('are the same however a letter is composed', () => {
    expect(words('e\u0301te\u0301')).toEqual(words('été'));
    expect(foldText('한'.normalize('NFD'))).toBe('한');
  });

  test('are cut without splitting a character', () => {
    const [word] = words('𝒜'.repeat(10) + '𠮷'.repeat(60));
    expect(word!.length).toBeLessThanOrEqual(40);
    expect(word!.isWellFormed()).toBe(true);
  });
});

describe('words of a long text', () => {
  const whole = new Intl.Segmenter('en', { granularity: 'word' });
  const MIXED = "I can't say 3.14 or example.com, ça va? 東京都に住む ภาษาไทยง่าย မြန်မာစာ 한국어 👩‍👩‍👧 👍 ";

  test.each([
    ['of many languages', MIXED.repeat(40)],
    ['without spaces', '漢字仮名交じり文'.repeat(500)],
    ['of Thai', 'ภาษาไทยง่าย'.repeat(400)],
    ['of punctuation', "a'b.c,d:e;f_g".repeat(300)],
  ])('%s are those of the whole text', (_, text) => {
    const expected = [...whole.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
    expect([...wordSegments(text)]).toEqual(expected);
  });

  test.each([
    ['spaces', 'a '],
    ['Cyrillic letters', 'я '],
    ['ideographs', '漢字'],
    ['ligatures of a phrase', '\ufdfa'],
    ['one word', 'a'],
    ['letters outside of the basic plane', '𐌰𐌱'],
  ])('are read in short parts: %s', (_, repeated) => {
    const text = repeated.repeat(20_000 / repeated.length);
    // For each word, ICU takes time proportional to the length of what it segments: seconds for the whole text.
    const segment = vi.spyOn(Intl.Segmenter.prototype, 'segment');
    const found = normalizeWords(text, 300);
    const lengths = segment.mock.calls.map(([part]) => part.length);
    segment.mockRestore();
    expect(Math.max(...lengths)).toBeLessThanOrEqual(1_024);
    // At most 30,000 characters, and the ends of parts twice.
    expect(lengths.reduce((sum, length) => sum + length)).toBeLessThanOrEqual(1.1 * 30_000);
    expect(found.every((word) => word.isWellFormed())).toBe(true);
  });
});

describe('tokens of a record', () => {
  test('are words, their prefixes, hashtags, and the words of the heading', () => {
    expect(tokensOf({ heading: 'Figs', text: 'a fig', hashtags: ['Soil'] })).toEqual({
      exact: ['figs', 'a', 'fig', '#soil', '=figs'],
      prefixes: ['#so*', '#soi*', '=fi*', '=fig*', 'fi*', 'fig*'],
    });
  });

  test('are bounded for the longest text', () => {
    const text = Array.from({ length: 5_000 }, (_, index) => `word${index}abcdefghijk`).join(' ');
    const { exact, prefixes } = tokensOf({ heading: text, text, hashtags: text.split(' ') });
    expect(exact.length + prefixes.length).toBe(600);
    expect(exact).toContain('word0abcdefghijk');
  });
});

describe('a query', () => {
  test('needs all words, the last one as a word or a prefix', () => {
    expect(searchWords('Red bric')).toEqual({
      heading: [['=red'], ['=bric', '=bric*']],
      words: [['red'], ['bric']],
      prefix: [['red'], ['bric*']],
    });
  });

  test('compares prefixes up to 12 characters', () => {
    expect(searchWords('internationalization')?.prefix).toEqual([['internationa*']]);
  });

  test('finds a single letter only as a word', () => {
    expect(searchWords('x')).toEqual({ heading: [['=x']], words: [['x']], prefix: null });
  });

  test('reads words after # as hashtags', () => {
    expect(searchWords('#Soil worms')).toMatchObject({ words: [['#soil'], ['worms']] });
    expect(searchWords('worms #so')).toMatchObject({ heading: null, prefix: [['worms'], ['#so*']] });
  });

  test('has at least one of the given hashtags', () => {
    expect(searchWords('', ['Soil', 'Éarth'])).toEqual({ heading: null, words: [['#soil', '#earth']], prefix: null });
    expect(searchWords('', ['!!'])).toBeNull();
  });

  test('without words finds nothing', () => {
    expect(searchWords(' … ')).toBeNull();
  });
});
