import { CommandError, spendSteps } from '../../lib/index.ts';
import { type Assertion, isAnchored, type RegexNode } from './regex-syntax.ts';

/** What is next to a position: the start or end of the text, or a kind of character. */
const EDGE = 0;
const WORD = 1;
const NEWLINE = 2;
/** A newline at the end of the text. */
const LAST_NEWLINE = 3;
const OTHER = 4;
type Neighbour = typeof EDGE | typeof WORD | typeof NEWLINE | typeof LAST_NEWLINE | typeof OTHER;

/** The maximum number of automaton nodes; PCRE also refuses patterns that are too large. */
const MAX_NODES = 50_000;
/** The maximum number of node visits in one match; a visit takes about 8 ns. */
const MAX_VISITS = 4_000_000;
/** Cached transitions; the cache is cleared when it is full. */
const MAX_TRANSITIONS = 50_000;
const MAX_LOOKAROUNDS = 8;
const UNITS = 0x10000;
/** Cached character classes outside the basic multilingual plane. */
const MAX_ASTRAL = 20_000;
/** The cost of testing a character against an atom, in node visits. */
const ATOM_VISITS = 16;
/** Characters read in one evaluation step, by {@link Automaton} without look-arounds and with them. */
const SKIMMED_CHARS = 24;
const READ_CHARS = 2;
const MATCH = Symbol('match');

type NfaNode =
  | { kind: 'atom'; atom: number; next: number }
  | { kind: 'split'; nexts: number[] }
  | { kind: 'assertion'; assertion: Assertion; next: number }
  | { kind: 'look'; look: number; isNegated: boolean; next: number }
  | { kind: 'match' };

/** A class of characters that every atom of the pattern treats alike. */
interface CharClass {
  id: number;
  neighbour: Neighbour;
  atoms: boolean[];
}

interface State {
  nodes: number[];
  previous: Neighbour;
  /** By character class and look-around results. */
  next: (Transition | undefined)[];
}

interface Transition {
  state: State;
  /** Whether a match ends before the character. */
  isMatch: boolean;
}

/** Tests whether a text contains a match, in time proportional to its length. */
export type LinearTest = (text: string) => boolean;

/**
 * Compiles a pattern into an automaton that reads each character once (Thompson's construction with a lazily built
 * deterministic automaton). Look-arounds are computed first for every position, innermost first.
 *
 * @param flags the flags of the JavaScript pattern from which `node` was parsed
 * @throws CommandError 51091 when the pattern is too large
 */
export function compileLinear(node: RegexNode, flags: string): LinearTest {
  const automaton = new Automaton(node, flags, false);
  return (text) => automaton.run(text, { steps: 0 }, undefined);
}

interface Budget {
  steps: number;
}

interface Position {
  state: State;
  at: number;
}

interface Reading {
  lookarounds: readonly Uint8Array[];
  matchEnds: Uint8Array | undefined;
}

class Automaton {
  readonly #nodes: NfaNode[] = [];
  readonly #atoms: ((char: string) => boolean)[] = [];
  readonly #atomIds = new Map<string, number>();
  readonly #lookarounds: Automaton[] = [];
  readonly #flags: string;
  readonly #isReverse: boolean;
  readonly #isAnchored: boolean;
  readonly #start: number;
  readonly #classes: CharClass[] = [];
  readonly #classBySignature = new Map<string, CharClass>();
  /** Known classes by character code, 0 if unknown; grows with the first text beyond Latin-1. */
  #classByUnit = new Uint16Array(256);
  /** Known classes of characters outside the basic multilingual plane. */
  readonly #classByAstral = new Map<number, number>();
  readonly #edge: CharClass;
  readonly #lastNewline: CharClass;
  #states = new Map<string, State>();
  #transitions = 0;
  /** For each node, the pass in which it was last visited. */
  readonly #seenIn: Int32Array;
  #pass = 0;

  constructor(node: RegexNode, flags: string, isReverse: boolean) {
    this.#flags = flags;
    this.#isReverse = isReverse;
    this.#isAnchored = !isReverse && isAnchored(node);
    this.#start = this.#build(node, this.#add({ kind: 'match' }));
    this.#seenIn = new Int32Array(this.#nodes.length);
    this.#edge = this.#newClass(
      'edge',
      EDGE,
      this.#atoms.map(() => false),
    );
    this.#lastNewline = this.#newClass(
      'last',
      LAST_NEWLINE,
      this.#atoms.map((matches) => matches('\n')),
    );
  }

  #add(node: NfaNode): number {
    if (this.#nodes.length >= MAX_NODES) {
      throw new CommandError(51091, 'Regular expression is invalid: regular expression is too large');
    }
    return this.#nodes.push(node) - 1;
  }

  /** Adds nodes that match `node` and continue at `next`; in reverse order for a look-ahead. */
  #build(node: RegexNode, next: number): number {
    switch (node.kind) {
      case 'atom':
        return this.#add({ kind: 'atom', atom: this.#atomOf(node.source), next });
      case 'assertion':
        return this.#add({ kind: 'assertion', assertion: node.assertion, next });
      case 'sequence': {
        const children = this.#isReverse ? node.children : node.children.toReversed();
        return children.reduce((after, child) => this.#build(child, after), next);
      }
      case 'alternatives':
        return this.#add({ kind: 'split', nexts: node.children.map((child) => this.#build(child, next)) });
      case 'look': {
        if (this.#lookarounds.length >= MAX_LOOKAROUNDS) {
          throw new CommandError(51091, 'Regular expression is invalid: too many look-arounds');
        }
        const look = this.#lookarounds.push(new Automaton(node.child, this.#flags, !node.isBehind)) - 1;
        return this.#add({ kind: 'look', look, isNegated: node.isNegated, next });
      }
      case 'repeat':
        return this.#repeat(node, next);
    }
  }

  #repeat({ child, min, max }: Extract<RegexNode, { kind: 'repeat' }>, next: number): number {
    let entry = next;
    if (max === Number.POSITIVE_INFINITY) {
      const split: NfaNode = { kind: 'split', nexts: [next] };
      entry = this.#add(split);
      split.nexts.push(this.#build(child, entry));
    } else {
      for (let i = min; i < max; i++) entry = this.#add({ kind: 'split', nexts: [next, this.#build(child, entry)] });
    }
    for (let i = 0; i < min; i++) entry = this.#build(child, entry);
    return entry;
  }

  #atomOf(source: string): number {
    let id = this.#atomIds.get(source);
    if (id === undefined) {
      const isLetter = source.length === 1 && !this.#flags.includes('i');
      const pattern = isLetter ? undefined : new RegExp(`^${source}$`, this.#flags);
      id = this.#atoms.push(pattern ? (char) => pattern.test(char) : (char) => char === source) - 1;
      this.#atomIds.set(source, id);
    }
    return id;
  }

  #newClass(name: string, neighbour: Neighbour, atoms: boolean[]): CharClass {
    const found = { id: this.#classes.length, neighbour, atoms };
    this.#classes.push(found);
    this.#classBySignature.set(name, found);
    return found;
  }

  #classOf(codePoint: number, budget: Budget): CharClass {
    const known = codePoint < UNITS ? this.#classByUnit[codePoint] : this.#classByAstral.get(codePoint);
    if (known) return this.#classes[known]!;
    countVisits(budget, this.#atoms.length * ATOM_VISITS);
    const char = String.fromCodePoint(codePoint);
    const neighbour = char === '\n' ? NEWLINE : /\w/.test(char) ? WORD : OTHER;
    const atoms = this.#atoms.map((matches) => matches(char));
    const signature = `${neighbour}${atoms.map(Number).join('')}`;
    const found = this.#classBySignature.get(signature) ?? this.#newClass(signature, neighbour, atoms);
    if (codePoint >= UNITS) {
      if (this.#classByAstral.size >= MAX_ASTRAL) this.#classByAstral.clear();
      this.#classByAstral.set(codePoint, found.id);
      return found;
    }
    if (codePoint >= this.#classByUnit.length) {
      const all = new Uint16Array(UNITS);
      all.set(this.#classByUnit);
      this.#classByUnit = all;
    }
    this.#classByUnit[codePoint] = found.id;
    return found;
  }

  /** Whether there is a match; with `matchEnds`, also records every position at which a match ends. */
  run(text: string, budget: Budget, matchEnds: Uint8Array | undefined): boolean {
    const lookarounds = this.#lookarounds.map((look) => {
      const found = new Uint8Array(text.length + 1);
      look.run(text, budget, found);
      return found;
    });
    const isPlain = lookarounds.length === 0 && !matchEnds && !this.#isReverse;
    spendSteps(text.length / (isPlain ? SKIMMED_CHARS : READ_CHARS));
    const begin = { state: this.#stateOf([this.#start], EDGE), at: this.#isReverse ? text.length : 0 };
    const position = isPlain ? this.#skim(text, budget, begin.state) : begin;
    return (
      position !== undefined &&
      (position === MATCH || this.#read(text, budget, { ...position, lookarounds, matchEnds }))
    );
  }

  /** Reads the text up to its end, without look-arounds: the hot loop. */
  #skim(text: string, budget: Budget, begin: State): Position | typeof MATCH | undefined {
    const last = text.length - 2;
    let classes = this.#classByUnit;
    let state = begin;
    let at = 0;
    while (at < last) {
      const unit = text.charCodeAt(at);
      let id = classes[unit];
      if (!id) {
        id = this.#classOf(text.codePointAt(at)!, budget).id;
        classes = this.#classByUnit;
      }
      const transition = state.next[id] ?? this.#transition(state, this.#classes[id]!, id, budget);
      if (transition.isMatch) return MATCH;
      state = transition.state;
      if (state.nodes.length === 0 && this.#isAnchored) return undefined;
      at += isHigh(unit) && isPair(text, at) ? 2 : 1;
    }
    return { state, at };
  }

  #read(text: string, budget: Budget, { lookarounds, matchEnds, ...begin }: Position & Reading): boolean {
    const { length } = text;
    const isReverse = this.#isReverse;
    let { state, at } = begin;
    for (;;) {
      const isAtEdge = isReverse ? at === 0 : at === length;
      const char = isAtEdge ? this.#edge : isReverse ? this.#before(text, at, budget) : this.#after(text, at, budget);
      const symbol = lookarounds.length === 0 ? char.id : (char.id << MAX_LOOKAROUNDS) | bitsAt(lookarounds, at);
      const transition = state.next[symbol] ?? this.#transition(state, char, symbol, budget);
      if (transition.isMatch) {
        if (!matchEnds) return true;
        matchEnds[at] = 1;
      }
      state = transition.state;
      if (isAtEdge || (state.nodes.length === 0 && this.#isAnchored)) return false;
      // A character outside the basic multilingual plane has two code units.
      if (isReverse) at -= isPair(text, at - 2) ? 2 : 1;
      else at += isPair(text, at) ? 2 : 1;
    }
  }

  #after(text: string, at: number, budget: Budget): CharClass {
    if (at === text.length - 1 && text.charCodeAt(at) === 10) return this.#lastNewline;
    return this.#classOf(text.codePointAt(at)!, budget);
  }

  #before(text: string, at: number, budget: Budget): CharClass {
    if (at === text.length && text.charCodeAt(at - 1) === 10) return this.#lastNewline;
    return this.#classOf(isPair(text, at - 2) ? text.codePointAt(at - 2)! : text.charCodeAt(at - 1), budget);
  }

  #stateOf(nodes: number[], previous: Neighbour): State {
    const key = `${previous}:${nodes.sort((a, b) => a - b).join()}`;
    let state = this.#states.get(key);
    if (!state) {
      state = { nodes, previous, next: [] };
      this.#states.set(key, state);
    }
    return state;
  }

  #transition(state: State, char: CharClass, symbol: number, budget: Budget): Transition {
    const isReverse = this.#isReverse;
    const [left, right] = isReverse ? [char.neighbour, state.previous] : [state.previous, char.neighbour];
    const pass = ++this.#pass;
    const stack = [...state.nodes];
    let steps = 0;
    const next = new Set<number>();
    let isMatch = false;
    while (stack.length > 0) {
      const id = stack.pop()!;
      if (this.#seenIn[id] === pass) continue;
      this.#seenIn[id] = pass;
      steps++;
      const node = this.#nodes[id]!;
      if (node.kind === 'match') isMatch = true;
      else if (node.kind === 'split') for (const other of node.nexts) stack.push(other);
      else if (node.kind === 'atom') {
        if (char.atoms[node.atom]) next.add(node.next);
      } else if (node.kind === 'assertion') {
        if (isSatisfied(node.assertion, left, right)) stack.push(node.next);
      } else if (((symbol >> node.look) & 1) === (node.isNegated ? 0 : 1)) stack.push(node.next);
    }
    countVisits(budget, steps);
    if (!this.#isAnchored) next.add(this.#start);
    this.#transitions += 1 + (next.size >> 4);
    if (this.#transitions > MAX_TRANSITIONS) {
      // States in use must not refer to evicted ones.
      for (const known of this.#states.values()) known.next = [];
      this.#states = new Map();
      this.#transitions = 0;
    }
    const transition = { state: this.#stateOf([...next], char.neighbour), isMatch };
    state.next[symbol] = transition;
    return transition;
  }
}

function countVisits(budget: Budget, steps: number): void {
  budget.steps += steps;
  if (budget.steps > MAX_VISITS) {
    throw new CommandError(51156, 'Error occurred while executing a regular expression: match limit exceeded');
  }
}

function bitsAt(lookarounds: readonly Uint8Array[], at: number): number {
  let bits = 0;
  for (let i = 0; i < lookarounds.length; i++) if (lookarounds[i]![at]) bits |= 1 << i;
  return bits;
}

const isHigh = (unit: number): boolean => (unit & 0xfc00) === 0xd800;
const isLow = (unit: number): boolean => (unit & 0xfc00) === 0xdc00;

/** Whether the two code units at `at` are a surrogate pair. */
const isPair = (text: string, at: number): boolean =>
  at >= 0 && isHigh(text.charCodeAt(at)) && isLow(text.charCodeAt(at + 1));

function isSatisfied(assertion: Assertion, left: Neighbour, right: Neighbour): boolean {
  switch (assertion) {
    case 'start':
      return left === EDGE;
    case 'end':
      return right === EDGE;
    case 'textEnd':
      return right === EDGE || right === LAST_NEWLINE;
    case 'lineStart':
      return left === EDGE || (left === NEWLINE && right !== EDGE);
    case 'lineEnd':
      return right === EDGE || right === NEWLINE || right === LAST_NEWLINE;
    case 'boundary':
      return (left === WORD) !== (right === WORD);
    case 'notBoundary':
      return (left === WORD) === (right === WORD);
  }
}
