import { badValue, CommandError, notSupported, spendSteps } from '../../lib/index.ts';
import { compileLinear, type LinearTest } from './linear-regex.ts';
import { ANCHORS, parseRegex, safeLength } from './regex-syntax.ts';

/** MongoDB's limit for the length of a pattern. */
const MAX_PATTERN = 32_764;

const CLASSES: Readonly<Record<string, string>> = {
  alpha: 'A-Za-z',
  digit: '0-9',
  alnum: 'A-Za-z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: '\\t-\\r ',
  punct: '!-\\/:-@\\[-`\\{-~',
  xdigit: '0-9A-Fa-f',
  word: '\\w',
  blank: ' \\t',
  cntrl: '\\0-\\x1f\\x7f',
  print: ' -~',
  graph: '!-~',
};

export interface Regex {
  /** Whether the text contains a match. */
  test(text: string): boolean;
}

/** Characters that V8 reads in one evaluation step. */
const PLAIN_CHARS = 64;
const MAX_CACHED = 16;
/** The patterns compiled last, by options and pattern: a filter is parsed and matched by separate calls. */
const cache = new Map<string, Regex>();

/** Compiles a PCRE pattern with MongoDB's options. Matching takes time proportional to the length of the text. */
export function compileRegex(pattern: string, options: string): Regex {
  const key = `${options}/${pattern}`;
  const regex = cache.get(key) ?? newRegex(pattern, options);
  cache.delete(key);
  cache.set(key, regex);
  if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value!);
  return regex;
}

function newRegex(pattern: string, options: string): Regex {
  const expression = toRegExp(pattern, options);
  const node = parseRegex(expression.source);
  const longest = safeLength(node);
  let linear: LinearTest | undefined;
  return {
    test(text) {
      spendSteps(text.length / PLAIN_CHARS);
      if (text.length <= longest) return expression.test(text);
      linear ??= compileLinear(node, expression.flags);
      return linear(text);
    },
  };
}

/**
 * Translates a PCRE pattern with MongoDB's options (i, m, s, x, u) into an equivalent JavaScript pattern. Features that
 * JavaScript lacks (atomic groups, recursion, possessive quantifiers, inner inline options) are refused by name; a
 * malformed pattern is error 51091.
 */
function toRegExp(pattern: string, options: string): RegExp {
  for (const option of options) {
    if (!'imsxu'.includes(option)) throw new CommandError(51108, `invalid flag in regex options: ${option}`);
  }
  if (pattern.length > MAX_PATTERN) {
    throw new CommandError(
      51091,
      'Regular expression is invalid: pattern string is longer than the limit set by the application',
    );
  }
  if (pattern.includes('\0')) throw badValue('Regular expression cannot contain an embedded null byte');
  const inline = /^\(\?([imsx]+)\)/.exec(pattern);
  const flags = new Set([...options, ...(inline?.[1] ?? '')]);
  const source = new Translator(pattern.slice(inline?.[0].length ?? 0), flags).translate();
  try {
    return new RegExp(source, flags.has('i') ? 'iu' : 'u');
  } catch {
    throw new CommandError(51091, `Regular expression is invalid: ${pattern}`);
  }
}

class Translator {
  #at = 0;
  readonly #pattern: string;
  readonly #flags: ReadonlySet<string>;

  constructor(pattern: string, flags: ReadonlySet<string>) {
    this.#pattern = pattern;
    this.#flags = flags;
  }

  translate(): string {
    let out = '';
    while (this.#at < this.#pattern.length) out += this.#piece();
    return out;
  }

  #piece(): string {
    const rest = this.#pattern.slice(this.#at);
    const char = rest[0]!;
    if (this.#flags.has('x')) {
      const skipped = /^(?:\s|#[^\n]*)+/.exec(rest);
      if (skipped) return this.#take(skipped[0].length, '');
    }
    switch (char) {
      case '\\':
        return this.#escape(false);
      case '[':
        return this.#class();
      case '(':
        return this.#group(rest);
      case '.':
        return this.#take(1, this.#flags.has('s') ? '[\\s\\S]' : '[^\\n]');
      case '^':
        return this.#take(1, this.#flags.has('m') ? ANCHORS.lineStart : '^');
      case '$':
        return this.#take(1, this.#flags.has('m') ? ANCHORS.lineEnd : ANCHORS.textEnd);
      case '*':
      case '+':
      case '?':
      case '{':
        return this.#quantifier(rest);
      case ']':
      case '}':
        return this.#take(1, `\\${char}`);
      default:
        return this.#take(1, char);
    }
  }

  #quantifier(rest: string): string {
    const match = /^(?:[*+?]|\{\d+(?:,\d*)?\})(\+|\?)?/.exec(rest);
    if (!match) return this.#take(1, '\\{');
    if (match[1] === '+') throw notSupported('possessive quantifiers in a regular expression', 2);
    return this.#take(match[0].length, match[0]);
  }

  #group(rest: string): string {
    const comment = /^\(\?#[^)]*\)/.exec(rest);
    if (comment) return this.#take(comment[0].length, '');
    const opening = /^\(\?(?:[:=!]|<[=!]|P?<[A-Za-z_]\w*>)/.exec(rest);
    if (opening) return this.#take(opening[0].length, opening[0].replace('(?P<', '(?<'));
    if (/^\((?:\?|\*)/.test(rest)) throw notSupported(`${rest.slice(0, 3)} in a regular expression`, 2);
    return this.#take(1, '(');
  }

  #class(): string {
    let out = '[';
    this.#at++;
    if (this.#pattern[this.#at] === '^') out += this.#take(1, '^');
    let isFirst = true;
    for (;;) {
      const char = this.#pattern[this.#at];
      if (char === undefined)
        throw new CommandError(51091, 'Regular expression is invalid: missing terminating ] for character class');
      const posix = /^\[:(\^?)(\w+):\]/.exec(this.#pattern.slice(this.#at));
      if (char === ']' && !isFirst) return out + this.#take(1, ']');
      if (posix) {
        const set = CLASSES[posix[2]!];
        if (posix[1] || !set) throw notSupported(`${posix[0]} in a regular expression`, 2);
        out += this.#take(posix[0].length, set);
      } else if (char === '\\') out += this.#escape(true);
      else if ('[]/(){}|&~'.includes(char))
        out += this.#take(1, `\\${char === '&' || char === '~' ? hex(char) : char}`);
      else out += this.#take(1, char);
      isFirst = false;
    }
  }

  #escape(inClass: boolean): string {
    const rest = this.#pattern.slice(this.#at);
    const quoted = /^\\Q([\s\S]*?)(?:\\E|$)/.exec(rest);
    if (quoted)
      return this.#take(quoted[0].length, quoted[1]!.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replace(/\\-/g, '\\x2d'));
    const known = /^\\(?:x\{([0-9A-Fa-f]+)\}|x([0-9A-Fa-f]{2})|[pP]\{(\w+)\}|k<\w+>|([0-7]{3})|0|[1-9])/.exec(rest);
    if (known) {
      const code = known[1] ?? known[2];
      if (known[4]) return this.#take(4, `\\u{${Number.parseInt(known[4], 8).toString(16)}}`);
      return this.#take(known[0].length, code ? `\\u{${code}}` : known[0]);
    }
    const char = rest[1];
    if (char === undefined) throw new CommandError(51091, 'Regular expression is invalid: \\ at end of pattern');
    const translated = translateEscape(char, inClass);
    if (translated === undefined) throw notSupported(`\\${char} in a regular expression`, 2);
    return this.#take(2, translated);
  }

  #take(count: number, text: string): string {
    this.#at += count;
    return text;
  }
}

const hex = (char: string): string => `x${char.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** PCRE's character classes are ASCII by default; JavaScript's \s is not. */
function translateEscape(char: string, inClass: boolean): string | undefined {
  if ('dDwWnrtfv'.includes(char))
    return char === 'v' ? (inClass ? '\\n-\\r\\x85\\u2028\\u2029' : '[\\n-\\r\\x85\\u2028\\u2029]') : `\\${char}`;
  // A hyphen after the range is a literal, as after \s.
  if (char === 's') return inClass ? ' \\t-\\r' : '[\\t-\\r ]';
  if (char === 'S') return inClass ? '\\0-\\x08\\x0e-\\x1f!-\\u{10ffff}' : '[^\\t-\\r ]';
  if (char === 'e') return '\\x1b';
  if (char === 'a') return '\\x07';
  if (char === 'E') return '';
  if (char === 'h') return inClass ? '\\t \\xa0' : '[\\t \\xa0]';
  if (!inClass && (char === 'b' || char === 'B')) return `\\${char}`;
  if (inClass && char === 'b') return '\\x08';
  if (char === 'A') return '^';
  if (char === 'z') return '$';
  if (char === 'Z') return ANCHORS.textEnd;
  if (/[A-Za-z0-9]/.test(char)) return undefined;
  return /[\^$\\.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char.charCodeAt(0) < 128 ? `\\${hex(char)}` : char;
}
