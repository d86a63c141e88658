import { isSliceOver, nextSlice } from '../../lib/time-slice.ts';
import { wordSegments } from '../../lib/word-segments.ts';
import type { ContentRulesRecord } from '../../store/records/user.ts';

type Rules = Pick<ContentRulesRecord, 'blockedWords' | 'allowedLinkDomains'>;

/** The rules of a network, prepared for many texts. */
export interface TextRules {
  /** The first blocked word or phrase of a text, as the list spells it; null for none. Long texts are read in slices. */
  blockedWordIn(text: string): Promise<string | null>;
  /** All of them, in the order of the text and without duplicates. */
  blockedWordsIn(text: string): Promise<string[]>;
  /** The host of the first link in a text that is not allowed; null for none. */
  refusedHostIn(text: string): string | null;
  /** All of them, in the order of the text and without duplicates. */
  refusedHostsIn(text: string): string[];
  /** Whether links to a host are allowed. */
  allowsHost(host: string): boolean;
}

interface Phrase {
  /** As the list spells it. */
  entry: string;
  words: string[];
}

/**
 * The words of a text (Unicode TR 29), in lower case and without accents and invisible characters, so that "Café" and
 * "CA\u00adFE" are the same word. Words are compared as a whole: a blocked "ass" does not match "class".
 */
export const wordsOf = (text: string): Generator<string> =>
  wordSegments(
    text
      .normalize('NFKD')
      .replace(/[\p{M}\p{Cf}]/gu, '')
      .toLowerCase(),
  );

/** A scheme, as in `https://`. Bounded, so that a long text is searched in linear time. */
const SCHEME = '[a-z][a-z0-9+.-]{0,20}:\\/\\/';
/** A host with a path, as in `example.com/page`; a host alone may be a file name or a missing space. */
const HOST_AND_PATH = '(?<![\\p{L}\\p{N}.@-])(?:[\\p{L}\\p{N}-]{1,63}\\.){1,8}\\p{L}{2,24}(?::\\d{1,5})?\\/';
const LINK = new RegExp(`(?:${SCHEME}|www\\.|${HOST_AND_PATH})[^\\s<>"']*`, 'giu');
const BEGINS_WITH_SCHEME = new RegExp(`^${SCHEME}`, 'i');

/** The hosts of links in a text: of addresses with a scheme, `www.` or a path. Unreadable ones are returned whole. */
function hostsOf(text: string): string[] {
  return [...text.matchAll(LINK)].map(([link]) => hostOf(withoutPunctuation(link)));
}

const PUNCTUATION = '.,;:!?)]}…»”’。，、！？）」』】》';

/** A link without the punctuation of the sentence after it. */
function withoutPunctuation(link: string): string {
  let end = link.length;
  while (end > 0 && PUNCTUATION.includes(link[end - 1]!)) end -= 1;
  return link.slice(0, end);
}

/** The host of a link with or without scheme; an unreadable link is returned whole. */
export function hostOf(link: string): string {
  const url = BEGINS_WITH_SCHEME.test(link) ? link : `http://${link}`;
  return (URL.canParse(url) && new URL(url).hostname) || link;
}

const WORDS_BETWEEN_CHECKS = 256;

/** Prepares rules. The cost of a text does not depend on the number of blocked words. */
export function prepareRules({ blockedWords, allowedLinkDomains }: Rules): TextRules {
  const phrasesByFirst = new Map<string, Phrase[]>();
  for (const entry of blockedWords) {
    const words = [...wordsOf(entry)];
    const [first] = words;
    if (first === undefined) continue;
    phrasesByFirst.set(first, [...(phrasesByFirst.get(first) ?? []), { entry, words }]);
  }
  const allowed = allowedLinkDomains && new Set(allowedLinkDomains.map((domain) => domain.toLowerCase()));
  const allowsHost = (host: string) => !allowed || isWithin(host, allowed);
  const refusedHostsIn = (text: string) =>
    allowed ? [...new Set(hostsOf(text).filter((host) => !allowsHost(host)))] : [];

  async function blockedWordsIn(text: string, max = Number.POSITIVE_INFINITY): Promise<string[]> {
    if (phrasesByFirst.size === 0) return [];
    const words: string[] = [];
    for (const word of wordsOf(text)) {
      words.push(word);
      if (words.length % WORDS_BETWEEN_CHECKS === 0 && isSliceOver()) await nextSlice();
    }
    const found = new Set<string>();
    for (const [index, word] of words.entries()) {
      for (const { entry, words: expected } of phrasesByFirst.get(word) ?? []) {
        if (found.size < max && expected.every((one, offset) => words[index + offset] === one)) found.add(entry);
      }
      if (found.size >= max) break;
    }
    return [...found];
  }

  return {
    blockedWordIn: async (text) => (await blockedWordsIn(text, 1))[0] ?? null,
    blockedWordsIn: (text) => blockedWordsIn(text),
    refusedHostIn: (text) => (allowed ? (hostsOf(text).find((host) => !allowsHost(host)) ?? null) : null),
    refusedHostsIn,
    allowsHost,
  };
}

/** Whether a host is one of the domains or below one of them. */
function isWithin(host: string, domains: ReadonlySet<string>): boolean {
  // A fully qualified name may end with a dot.
  const parts = host.replace(/\.$/, '').split('.');
  return parts.some((_, index) => domains.has(parts.slice(index).join('.')));
}
