import { OperationError } from '../../errors.ts';
import { normalizeWords } from '../../store/search/normalize-words.ts';
import { exactToken, hashtagToken, headingToken, normalizeHashtag, prefixToken } from '../../store/search/tokens.ts';
import type { TokenGroups } from '../search-index/read-entries.ts';
import { filterValues } from '../unique-ids.ts';

/** The longest query, in characters. */
export const MAX_QUERY = 200;
/** Words of a query that are matched; further ones are ignored. */
const MAX_QUERY_WORDS = 8;

/** How the words of a query occur in a record, best first. */
export const MATCHES = ['heading', 'words', 'prefix'] as const;
export type Match = (typeof MATCHES)[number];

/** A query as tokens, by how well a record matches. A match without groups is impossible. */
export type SearchWords = { readonly [Name in Match]: TokenGroups | null };

/**
 * Converts a query. Records have all its words; the last one may be the beginning of a word. A
 * word after `#` is a hashtag.
 *
 * @param hashtags of which a record has at least one
 * @returns null for a query without words and hashtags
 * @throws {OperationError} INVALID_PARAMETERS for more than {@link MAX_QUERY} characters or too many hashtags
 */
export function searchWords(query: string, hashtags: readonly string[] = []): SearchWords | null {
  if (query.length > MAX_QUERY) {
    throw new OperationError('INVALID_PARAMETERS', {
      detail: [`query: at most ${MAX_QUERY} characters`],
      path: ['query'],
    });
  }
  const required = hashtagGroups(hashtags);
  const { words, tags, last, isLastTag } = wordsOf(query);
  const prefix = last === null ? null : prefixToken(last);
  if (required === null || (words.length === 0 && tags.length === 0 && last === null && required.length === 0)) {
    return null;
  }
  const fixed = [...required, ...tags.map((tag) => [hashtagToken(exactToken(tag))])];
  const exact = words.map((word) => [exactToken(word)]);
  const inHeading = words.map((word) => [headingToken(exactToken(word))]);
  if (last === null) return { heading: null, words: fixed, prefix: null };
  if (isLastTag) {
    return {
      heading: null,
      words: [...fixed, ...exact, [hashtagToken(exactToken(last))]],
      prefix: prefix === null ? null : [...fixed, ...exact, [hashtagToken(prefix)]],
    };
  }
  return {
    heading: [...fixed, ...inHeading, [exactToken(last), ...(prefix === null ? [] : [prefix])].map(headingToken)],
    words: [...fixed, ...exact, [exactToken(last)]],
    prefix: prefix === null ? null : [...fixed, ...exact, [prefix]],
  };
}

/** Null when hashtags are required and none of them can exist. */
function hashtagGroups(hashtags: readonly string[]): TokenGroups | null {
  if (hashtags.length === 0) return [];
  const normalized = filterValues('hashtags', hashtags).map(normalizeHashtag).filter(Boolean);
  return normalized.length === 0 ? null : [[...new Set(normalized)].map((tag) => hashtagToken(exactToken(tag)))];
}

interface QueryWords {
  words: string[];
  tags: string[];
  /** The word at the end, which may be a prefix. */
  last: string | null;
  isLastTag: boolean;
}

function wordsOf(query: string): QueryWords {
  const tags = [...query.matchAll(/[#\uFF03]([\p{L}\p{M}\p{N}_]+)/gu)]
    .map(([, tag]) => normalizeHashtag(tag!))
    .filter(Boolean);
  const words = normalizeWords(query.replace(/[#\uFF03][\p{L}\p{M}\p{N}_]+/gu, ' '), MAX_QUERY_WORDS);
  const isLastTag = /[#\uFF03][\p{L}\p{M}\p{N}_]+$/u.test(query);
  const last = (isLastTag ? tags.pop() : words.pop()) ?? null;
  const fewTags = [...new Set(tags)].slice(0, MAX_QUERY_WORDS);
  return { words, tags: fewTags, last, isLastTag };
}
