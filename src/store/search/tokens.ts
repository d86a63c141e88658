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
const MAX_TOKENS = 1_000;
const MAX_HASHTAGS = 50;
/** Prefixes have 2 to 12 characters: shorter ones select too much, longer ones little less. */
const MIN_PREFIX = 2;
const MAX_PREFIX = 12;

/**
 * The tokens of one word. Neither `^`, `*`, `#` nor `~` occurs in a word; `~` marks parts of names (`name-grams.ts`).
 *
 * - `word` the whole word
 * - `wo*` a prefix, or the whole word
 * - `#word` a hashtag, `#wo*` a prefix of one
 * - `^word`, `^wo*` in the heading
 */
export const exactToken = (word: string): string => word;

/** The token of words with this beginning; null if it is too short, so that only the whole word matches. */
export function prefixToken(start: string): string | null {
  const known = takeCharacters(start, MAX_PREFIX);
  return known.length < MIN_PREFIX ? null : `${known}*`;
}

export const headingToken = (token: string): string => `^${token}`;
export const hashtagToken = (token: string): string => `#${token}`;

/** Folds a hashtag like words; empty for one without letters and digits. */
export function normalizeHashtag(hashtag: string): string {
  return normalizeWords(hashtag, MAX_HASHTAGS).join('');
}

/** The tokens of a record, without duplicates. */
export function tokensOf({ heading = '', text = '', tags = [], hashtags = [] }: SearchableText): string[] {
  const inHeading = normalizeWords(heading, MAX_WORDS);
  const inText = normalizeWords([text, ...tags].join('\n'), MAX_WORDS);
  const asHashtags = hashtags.slice(0, MAX_HASHTAGS).map(normalizeHashtag).filter(Boolean);
  const words = [...new Set([...inHeading, ...inText])].slice(0, MAX_WORDS);
  const tokens = new Set<string>([
    ...words.map(exactToken),
    ...inHeading.map((word) => headingToken(exactToken(word))),
    ...asHashtags.map((word) => hashtagToken(exactToken(word))),
  ]);
  const addPrefixes = (list: readonly string[], mark: (token: string) => string) => {
    for (const word of list) {
      for (const prefix of prefixesOf(word)) {
        if (tokens.size >= MAX_TOKENS) return;
        tokens.add(mark(prefix));
      }
    }
  };
  addPrefixes(asHashtags, hashtagToken);
  addPrefixes(inHeading, headingToken);
  addPrefixes(words, exactToken);
  return [...tokens].slice(0, MAX_TOKENS);
}

function prefixesOf(word: string): string[] {
  const prefixes = new Set<string>();
  for (let length = MIN_PREFIX; length <= Math.min(word.length, MAX_PREFIX); length++) {
    const token = prefixToken(takeCharacters(word, length));
    if (token) prefixes.add(token);
  }
  return [...prefixes];
}
