import { normalizeWords, takeCharacters } from './normalize-words.ts';

/** The searchable texts of a record. */
export interface SearchableText {
  /** Its title or name: words found here score higher. */
  heading?: string | undefined;
  text?: string | undefined;
  /** Whole words and phrases without a position, such as tags. */
  tags?: readonly string[] | undefined;
  hashtags?: readonly string[] | undefined;
}

/** Words of a record that are indexed, distinct and from the start. */
const MAX_WORDS = 300;
/** Bounds the index keys of a record, and so the cost of its write; prefixes of the last words are left out first. */
const MAX_TOKENS = 600;
const MAX_HASHTAGS = 50;
/** Prefixes have 2 to 12 characters: shorter ones select too much, longer ones little less. */
const MIN_PREFIX = 2;
const MAX_PREFIX = 12;

/**
 * The tokens of one word. Neither `=`, `*`, `#` nor `~` occurs in a word; `~` marks parts of names (`name-grams.ts`).
 *
 * - `word` the whole word
 * - `wo*` the beginning of a longer word
 * - `#word` a hashtag, `#wo*` the beginning of a longer one
 * - `=word`, `=wo*` in the heading
 */
export const exactToken = (word: string): string => word;

/** The token of longer words with this beginning; null if it is too short, so that only the whole word matches. */
export function prefixToken(start: string): string | null {
  const known = takeCharacters(start, MAX_PREFIX);
  return known.length < MIN_PREFIX ? null : `${known}*`;
}

/** What the words of a prefix token begin with; null for another token. */
export const beginningOf = (token: string): string | null =>
  token.endsWith('*') && token !== EVERY_RECORD ? token.slice(0, -1) : null;

/** The token of every record of a place that has words. */
export const EVERY_RECORD = '*';

export const headingToken = (token: string): string => `=${token}`;
export const hashtagToken = (token: string): string => `#${token}`;

/** Folds a hashtag like words; empty for one without letters and digits. */
export function normalizeHashtag(hashtag: string): string {
  return normalizeWords(hashtag, MAX_HASHTAGS).join('');
}

/** The tokens of a record, without duplicates; at most {@link MAX_TOKENS}. */
export interface Tokens {
  /** Whole words and hashtags. */
  exact: string[];
  prefixes: string[];
}

export function tokensOf({ heading = '', text = '', tags = [], hashtags = [] }: SearchableText): Tokens {
  const inHeading = normalizeWords(heading, MAX_WORDS);
  const inText = normalizeWords([text, ...tags].join('\n'), MAX_WORDS);
  const asHashtags = hashtags.slice(0, MAX_HASHTAGS).map(normalizeHashtag).filter(Boolean);
  const words = [...new Set([...inHeading, ...inText])].slice(0, MAX_WORDS);
  const exact = [
    ...words.map(exactToken),
    ...new Set(asHashtags.map((word) => hashtagToken(exactToken(word)))),
    ...inHeading.map((word) => headingToken(exactToken(word))),
  ].slice(0, MAX_TOKENS);
  const prefixes = new Set([
    ...asHashtags.flatMap((word) => prefixesOf(word).map(hashtagToken)),
    ...inHeading.flatMap((word) => prefixesOf(word).map(headingToken)),
    ...words.flatMap(prefixesOf),
  ]);
  return { exact, prefixes: [...prefixes].slice(0, MAX_TOKENS - exact.length) };
}

function prefixesOf(word: string): string[] {
  const prefixes = new Set<string>();
  for (let length = MIN_PREFIX; length <= Math.min(word.length - 1, MAX_PREFIX); length++) {
    const token = prefixToken(takeCharacters(word, length));
    if (token) prefixes.add(token);
  }
  return [...prefixes];
}
