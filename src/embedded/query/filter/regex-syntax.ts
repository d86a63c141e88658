import { CommandError, notSupported } from '../../lib/index.ts';

/** Where a zero-width assertion holds, by what lies to the left and to the right. */
export type Assertion = 'start' | 'end' | 'lineStart' | 'lineEnd' | 'textEnd' | 'boundary' | 'notBoundary';

export type RegexNode =
  | { kind: 'atom'; source: string }
  | { kind: 'sequence' | 'alternatives'; children: RegexNode[] }
  | { kind: 'repeat'; child: RegexNode; min: number; max: number }
  | { kind: 'assertion'; assertion: Assertion }
  | { kind: 'look'; child: RegexNode; isBehind: boolean; isNegated: boolean };

/** What PCRE's line anchors are in JavaScript. `$` also matches before a newline that ends the text. */
export const ANCHORS = {
  textEnd: '(?=\\n?$)',
  lineStart: '(?:^|(?<=\\n)(?!$))',
  lineEnd: '(?=\\n|$)',
} as const;

/** As deep as PCRE lets groups nest. */
const MAX_DEPTH = 250;
const GROUP = /\((?:\?(?:[:=!]|<[=!]|<[A-Za-z_]\w*>))?/y;
const QUANTIFIER = /(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/y;
const ATOM = /\\(?:u\{[0-9A-Fa-f]+\}|x[0-9A-Fa-f]{2}|[pP]\{\w+\}|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|[\s\S]/uy;
const ASSERTIONS: Readonly<Record<string, Assertion>> = {
  '^': 'start',
  $: 'end',
  '\\b': 'boundary',
  '\\B': 'notBoundary',
};

/**
 * Parses a valid JavaScript pattern, as the translation from PCRE yields it.
 *
 * @throws CommandError 2 for a back reference, which has no linear-time equivalent
 */
export function parseRegex(source: string): RegexNode {
  let at = 0;
  let depth = 0;

  function take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (match) at = pattern.lastIndex;
    return match;
  }

  function alternatives(): RegexNode {
    const children = [sequence()];
    while (source[at] === '|') {
      at++;
      children.push(sequence());
    }
    return children.length === 1 ? children[0]! : { kind: 'alternatives', children };
  }

  function sequence(): RegexNode {
    const children: RegexNode[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') children.push(quantified(piece()));
    return children.length === 1 ? children[0]! : { kind: 'sequence', children };
  }

  function quantified(child: RegexNode): RegexNode {
    const match = take(QUANTIFIER);
    if (!match) return child;
    const [text, least, comma, most] = match;
    if (least === undefined) {
      return {
        kind: 'repeat',
        child,
        min: text[0] === '+' ? 1 : 0,
        max: text[0] === '?' ? 1 : Number.POSITIVE_INFINITY,
      };
    }
    const min = Number(least);
    const max = most ? Number(most) : comma ? Number.POSITIVE_INFINITY : min;
    return { kind: 'repeat', child, min, max };
  }

  function piece(): RegexNode {
    for (const [assertion, text] of Object.entries(ANCHORS)) {
      if (!source.startsWith(text, at)) continue;
      at += text.length;
      return { kind: 'assertion', assertion: assertion as Assertion };
    }
    const opening = take(GROUP)?.[0];
    if (opening) {
      if (++depth > MAX_DEPTH) {
        throw new CommandError(51091, 'Regular expression is invalid: parentheses are too deeply nested');
      }
      const child = alternatives();
      depth--;
      at++;
      if (!/[=!]$/.test(opening)) return child;
      return { kind: 'look', child, isBehind: opening.includes('<'), isNegated: opening.endsWith('!') };
    }
    const atom = take(ATOM)![0];
    if (/^\\(?:[1-9]|k)/.test(atom)) throw notSupported('a back reference in a regular expression', 2);
    const assertion = ASSERTIONS[atom];
    return assertion ? { kind: 'assertion', assertion } : { kind: 'atom', source: atom };
  }

  return alternatives();
}

/** A bound of what a backtracking engine can try on a text of n characters: `factor * n ** degree` ways of so many atoms. */
interface Effort {
  factor: number;
  degree: number;
  length: number;
}

const NONE: Effort = { factor: 1, degree: 0, length: 0 };

function effortOf(node: RegexNode): Effort {
  switch (node.kind) {
    case 'atom':
      return { ...NONE, length: 1 };
    case 'assertion':
      return NONE;
    case 'sequence':
      return node.children
        .map(effortOf)
        .reduce(
          (a, b) => ({ factor: a.factor * b.factor, degree: a.degree + b.degree, length: a.length + b.length }),
          NONE,
        );
    case 'alternatives':
      return node.children.map(effortOf).reduce((a, b) => ({
        factor: a.factor + b.factor,
        degree: Math.max(a.degree, b.degree),
        length: Math.max(a.length, b.length),
      }));
    case 'look':
      return effortOf(node.child);
    case 'repeat': {
      const { min, max, child } = node;
      const isEndless = max === Number.POSITIVE_INFINITY;
      if (child.kind === 'atom') {
        return isEndless
          ? { factor: 1, degree: 1, length: min + 1 }
          : { factor: max - min + 1, degree: 0, length: max };
      }
      if (isEndless) return { ...NONE, factor: Number.POSITIVE_INFINITY };
      const { factor, degree, length } = effortOf(child);
      return { factor: factor ** max * (max - min + 1), degree: degree * max, length: length * max };
    }
  }
}

export const isAnchored = (node: RegexNode): boolean =>
  node.kind === 'sequence' && node.children[0]?.kind === 'assertion' && node.children[0].assertion === 'start';

/** Steps on one text; where there is one way to match V8 gives up at most places after the first character. */
const MAX_STEPS = 500_000;
const MAX_PLAIN_STEPS = 50_000_000;

/** The longest text on which V8, which backtracks and cannot be interrupted, is sure to take some milliseconds at most. */
export function safeLength(node: RegexNode): number {
  const { factor, degree, length } = effortOf(node);
  const power = degree + (isAnchored(node) ? 0 : 1);
  const steps = degree === 0 && factor === 1 && power > 0 ? MAX_PLAIN_STEPS : MAX_STEPS;
  const budget = steps / (factor * Math.max(1, length));
  if (Number.isNaN(budget) || budget < 1) return 0;
  return power === 0 ? Number.POSITIVE_INFINITY : Math.floor(budget ** (1 / power));
}
