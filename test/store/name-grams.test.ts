import { expect, test } from 'vitest';
import { gramsOfName, gramsWithin } from '../../src/store/search/name-grams.ts';

test.each([
  ['The Quokka', 'QUOK'],
  ['The Quokka', 'e q'],
  ['Straße', 'STRASSE'],
  ['ΌΔΟΣ', 'οδος'.normalize()],
  ['东京都', '京'],
  ['東京タワー', '京タ'],
  ['👩‍🚀 Ada', '🚀 a'],
  ['Ann', '\0a'],
])('a name has all parts of a text that it contains: %s, %s', (name, text) => {
  const grams = new Set(gramsOfName(name));
  const wanted = gramsWithin(text.normalize('NFC'));
  const isContained = new RegExp(text.replaceAll('\0', ''), 'iu').test(name);
  expect(wanted.length).toBeGreaterThan(0);
  if (isContained) for (const gram of wanted) expect(grams).toContain(gram);
});

test('a name without the text lacks a part of it', () => {
  const grams = new Set(gramsOfName('Person 12'));
  expect(gramsWithin('Parson').every((gram) => grams.has(gram))).toBe(false);
});

test('characters that differ only in case have the same parts', () => {
  const differing: string[] = [];
  for (let code = 0; code < 0x1_f000; code++) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const character = String.fromCodePoint(code);
    const variants = [character.toLowerCase(), character.toUpperCase(), character.toUpperCase().toLowerCase()];
    for (const variant of variants) {
      if (variant === character || !new RegExp(`^${escapePattern(character)}$`, 'iu').test(variant)) continue;
      if (String(gramsOfName(variant)) !== String(gramsOfName(character))) differing.push(character);
    }
  }
  expect(differing).toEqual([]);
});

const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
