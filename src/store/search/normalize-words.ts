import { wordSegments } from '../../lib/word-segments.ts';

/** Letters that Unicode does not decompose into a letter and an accent. */
const FOLDED: { readonly [letter: string]: string } = {
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ħ: 'h',
  ŧ: 't',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ς: 'σ',
};

const UNDECOMPOSED = new RegExp(`[${Object.keys(FOLDED).join('')}]`, 'g');
/**
 * Accents of Latin, Greek and Cyrillic letters, and the optional vowel marks of Hebrew and Arabic. Marks of other scripts
 * distinguish words and are kept.
 */
const ACCENTS = /[\u0300-\u036f\u0591-\u05bd\u064b-\u065f\u0670]/g;
/** Joins the parts of a word: `don't` is one word. */
const APOSTROPHES = /(?<=\p{L})['\u2018\u2019\u02bc](?=\p{L})/gu;
const SEPARATORS = /[^\p{L}\p{M}\p{N}]+/u;

/** The longest word that is indexed, in characters; longer ones are cut. */
const MAX_WORD = 40;
/** Folded characters that are read: more than the longest text has, unless it repeats ligatures of whole phrases. */
const MAX_READ = 30_000;

/**
 * Folds the case, accents and compatibility forms of a text, such as full-width letters and ligatures. Upper case comes
 * first, because it folds letters with several lower-case forms, such as ß.
 */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .replace(UNDECOMPOSED, (letter) => FOLDED[letter]!)
    .normalize('NFC');
}

/**
 * The distinct words of a text in the order of their first occurrence, folded by {@link foldText}.
 *
 * @param max the most words that are returned; the rest of the text is not read, nor what follows
 *   {@link MAX_READ} characters
 */
export function normalizeWords(text: string, max: number): string[] {
  const words = new Set<string>();
  for (const segment of wordSegments(foldText(text).slice(0, MAX_READ).replace(APOSTROPHES, ''))) {
    // The standard keeps `first_last` and `example.com` together.
    for (const word of segment.split(SEPARATORS)) {
      if (word === '') continue;
      if (words.size >= max) return [...words];
      words.add(cutWord(word));
    }
  }
  return [...words];
}

function cutWord(word: string): string {
  return word.length <= MAX_WORD ? word : takeCharacters(word, MAX_WORD);
}

/** The first `count` UTF-16 units of a text, or one less where the cut would split a surrogate pair. */
export function takeCharacters(text: string, count: number): string {
  const start = text.slice(0, count);
  return start.isWellFormed() ? start : start.slice(0, -1);
}
