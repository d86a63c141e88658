import { CommandError, notSupported } from '../../lib/index.ts';

/** A zero-width assertion, decided by the left and right neighbours of a position. */
export type Assertion = 'start' | 'end' | 'lineStart' | 'lineEnd' | 'textEnd' | 'boundary' | 'notBoundary';

export type RegexNode =
  | { kind: 'atom'; source: string }
  | { kind: 'sequence' | 'alternatives'; children: RegexNode[] }
  | { kind: 'repeat'; child: RegexNode; min: number; max: number }
  | { kind: 'assertion'; assertion: Assertion }
  | { kind: 'look'; child: RegexNode; isBehind: boolean; isNegated: boolean };

/** JavaScript equivalents of PCRE's anchors. `$` also matches before a newline at the end of the text. */
export const ANCHORS = {
  textEnd: '(?=\\n?$)',
  lineStart: '(?:^|(?<=\\n)(?!$))',
  lineEnd: '(?=\\n|$)',
} as const;

/** PCRE's limit on nested groups. */
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
 * Parses a valid JavaScript pattern, translated from PCRE.
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

/**
 * An upper bound for a backtracking engine on a text of n characters: `factor * n ** degree` attempts of `length`
 * atoms.
 */
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

/** The maximum cost of one text. Unambiguous patterns fail after the first character at most positions. */
const MAX_STEPS = 500_000;
const MAX_PLAIN_STEPS = 50_000_000;

/** The longest text that V8, which backtracks and cannot be interrupted, certainly matches within some milliseconds. */
export function safeLength(node: RegexNode): number {
  const { factor, degree, length } = effortOf(node);
  const power = degree + (isAnchored(node) ? 0 : 1);
  const steps = degree === 0 && factor === 1 && power > 0 ? MAX_PLAIN_STEPS : MAX_STEPS;
  const budget = steps / (factor * Math.max(1, length));
  if (Number.isNaN(budget) || budget < 1) return 0;
  return power === 0 ? Number.POSITIVE_INFINITY : Math.floor(budget ** (1 / power));
}
