import {
  type Direction,
  encodeKey,
  type FilterLeaf,
  type FilterNode,
  isNotANumber,
  isNumber,
  regexParts,
  type TypeName,
  typeOf,
} from '../../lib/index.ts';
import {
  type Index,
  idPrefix,
  type KeyRange,
  prefixRange,
  storedKey,
  successor,
  truncateBound,
} from '../../storage/index.ts';

/** A condition of the filter that can limit an index scan, and whether the limits are equivalent to it. */
export interface Condition {
  leaf: FilterLeaf;
  isExact: boolean;
}

/** The limits that the conditions set on one field of an index. */
interface FieldBounds {
  kind: 'points' | 'range';
  /** For points: the values. */
  values: readonly unknown[];
  /** For a range: its ends in the encoding of the field. */
  range?: { start: Buffer; end: Buffer };
  used: Condition[];
}

export interface ScanRange extends KeyRange {
  /** The offset of the suffix field in the keys of this range: see {@link rangesOf}. */
  suffixAt: number;
}

export interface IndexBounds {
  /** One entry per limited leading field; no field after a range can be limited. */
  fields: FieldBounds[];
  used: Set<FilterLeaf>;
  /** Whether the bounds are equivalent to every condition that was used. */
  isExact: boolean;
}

/** More points than this are read as fewer, wider ranges; the filter is then checked on each document. */
const MAX_RANGES = 10_000;

/** The required conditions on paths that an index could cover, by path. */
export type Conditions = ReadonlyMap<string, readonly Condition[]>;

export function conditionsOf(node: FilterNode): Conditions {
  const conditions = new Map<string, Condition[]>();
  addConditions(node, { prefix: '', isWhole: true, conditions });
  return conditions;
}

interface Collecting {
  /** The path of the array whose elements the node matches. */
  prefix: string;
  isWhole: boolean;
  conditions: Map<string, Condition[]>;
}

function addConditions(node: FilterNode, collecting: Collecting): void {
  const { prefix, isWhole, conditions } = collecting;
  switch (node.kind) {
    case 'and':
      for (const child of node.children) addConditions(child, collecting);
      return;
    case 'leaf': {
      const path = prefix && node.path ? `${prefix}.${node.path}` : prefix || node.path;
      const condition = { leaf: path === node.path ? node : { ...node, path }, isExact: isWhole };
      const known = conditions.get(path);
      if (known) known.push(condition);
      else conditions.set(path, [condition]);
      return;
    }
    case 'elemMatch': {
      const path = prefix ? `${prefix}.${node.path}` : node.path;
      addConditions(node.child, { prefix: path, isWhole: false, conditions });
      return;
    }
  }
}

/** Derives index bounds from conditions: points on as many leading fields as possible, then at most one range. */
export function boundsFor(index: Index, conditions: Conditions): IndexBounds {
  const fields: FieldBounds[] = [];
  const multikeyRoots = rootsOf(index.multikey);
  const limitedRoots = new Set<string>();
  let rangeCount = 1;
  for (const [i, path] of index.paths.entries()) {
    const own = conditions.get(path);
    if (!own) break;
    // Two paths into one array may match different elements, so only the first one limits the scan.
    const root = multikeyRoots.size > 0 ? rootOf(path) : path;
    const isMultikey = multikeyRoots.has(root);
    if (isMultikey && limitedRoots.has(root)) break;
    const bounds = fieldBounds(own, index.directions[i]!, isMultikey);
    if (!bounds) break;
    rangeCount *= Math.max(1, bounds.values.length);
    if (rangeCount > MAX_RANGES) break;
    if (isMultikey) limitedRoots.add(root);
    fields.push(bounds);
    if (bounds.kind === 'range') break;
  }
  const used = fields.flatMap((field) => field.used);
  const isExact = !index.hasLongKeys && used.every((condition) => condition.isExact);
  return { fields, used: new Set(used.map(({ leaf }) => leaf)), isExact };
}

const NO_ROOTS: ReadonlySet<string> = new Set();
const rootOf = (path: string): string => path.split('.', 1)[0]!;
const rootsOf = (paths: ReadonlySet<string>): ReadonlySet<string> =>
  paths.size === 0 ? NO_ROOTS : new Set(Array.from(paths, rootOf));

function fieldBounds(own: readonly Condition[], direction: Direction, isMultikey: boolean): FieldBounds | undefined {
  const point = own.find(({ leaf }) => leaf.op === 'eq' && isPoint(leaf.value));
  if (point) return points([point.leaf.value], point);
  const list = own.find(({ leaf }) => leaf.op === 'in' && (leaf.value as unknown[]).every(isPoint));
  if (list) return points(list.leaf.value as unknown[], list);
  return rangeBounds(own, direction, isMultikey);
}

/** Null keys also represent missing fields and empty arrays, so the document must be checked. */
function points(values: readonly unknown[], { leaf, isExact }: Condition): FieldBounds {
  const isPlain = values.every((value) => value !== null);
  return { kind: 'points', values, used: [{ leaf, isExact: isExact && isPlain }] };
}

/** Types for which a key decides equality. Not arrays: an array matches as a whole or by an element. */
const isPoint = (value: unknown): boolean => {
  const type = typeOf(value);
  return type !== 'array' && type !== 'regex' && type !== 'missing';
};

/** Types whose smaller and greater values form one contiguous range of the index. */
const RANGE_TYPES: ReadonlySet<TypeName> = new Set(['string', 'objectId', 'date', 'bool', 'timestamp']);

function rangeBounds(own: readonly Condition[], direction: Direction, isMultikey: boolean): FieldBounds | undefined {
  const used: Condition[] = [];
  let range: { start: Buffer; end: Buffer } | undefined;
  for (const condition of own) {
    const next = rangeOf(condition.leaf, direction);
    if (!next) continue;
    // In an array, different elements may satisfy the two ends, so only one of them limits the scan.
    if (range && isMultikey) continue;
    const isExact = condition.isExact && condition.leaf.op !== 'regex' && condition.leaf.op !== 'exists';
    used.push({ leaf: condition.leaf, isExact });
    range = range ? intersect(range, next) : next;
  }
  return range && { kind: 'range', values: [], range, used };
}

function rangeOf({ op, value }: FilterLeaf, direction: Direction): { start: Buffer; end: Buffer } | undefined {
  if (op === 'regex') return regexRange(value, direction);
  if (op === 'exists') return value ? { start: Buffer.alloc(0), end: Buffer.from([0xff]) } : undefined;
  if (op !== 'gt' && op !== 'gte' && op !== 'lt' && op !== 'lte') return undefined;
  if (!isNumber(value) && !RANGE_TYPES.has(typeOf(value))) return undefined;
  if (isNotANumber(value)) return undefined;
  const exact = prefixRange(encodeKey([value], [direction]));
  const bracket = bracketOf(value, direction);
  const isUpward = (op === 'gt' || op === 'gte') === (direction === 1);
  const isInclusive = op === 'gte' || op === 'lte';
  return isUpward
    ? { start: isInclusive ? exact.start : exact.end, end: bracket.end }
    : { start: bracket.start, end: isInclusive ? exact.end : exact.start };
}

/** The range of all values of the type of `value`; for numbers without NaN, which compares with nothing. */
function bracketOf(value: unknown, direction: Direction): { start: Buffer; end: Buffer } {
  const whole = prefixRange(encodeKey([value], [direction]).subarray(0, 1));
  if (!isNumber(value)) return whole;
  const lowest = prefixRange(encodeKey([Number.NEGATIVE_INFINITY], [direction]));
  return direction === 1 ? { start: lowest.start, end: whole.end } : { start: whole.start, end: lowest.end };
}

const LITERAL_PREFIX = /^\^([\p{L}\p{M}\p{N} _\-:/@#=]+)/u;

/** `^abc` limits the scan to strings with that prefix; other patterns set no limit. */
function regexRange(value: unknown, direction: Direction): { start: Buffer; end: Buffer } | undefined {
  const { pattern, options } = regexParts(value);
  const match = LITERAL_PREFIX.exec(pattern);
  if (!match || /[ix]/.test(options) || pattern.includes('|')) return undefined;
  // A quantifier after the last letter may make that letter optional.
  const isRepeated = /^[*?+{]/.test(pattern.slice(match[0].length));
  const literal = isRepeated ? [...match[1]!].slice(0, -1).join('') : match[1]!;
  if (literal === '' || options.includes('m')) return undefined;
  const text = encodeKey([literal], [direction]);
  return prefixRange(text.subarray(0, text.length - 1));
}

function intersect(a: { start: Buffer; end: Buffer }, b: { start: Buffer; end: Buffer }) {
  return {
    start: Buffer.compare(a.start, b.start) >= 0 ? a.start : b.start,
    end: Buffer.compare(a.end, b.end) <= 0 ? a.end : b.end,
  };
}

/** The key ranges to scan in index order, each with the offset of the field `suffixField` in its keys. */
export function rangesOf(index: Index, { fields }: IndexBounds, suffixField: number): ScanRange[] {
  // The leading fields with one value are encoded together. A merge begins with a field of several values.
  const severalAt = fields.findIndex(({ kind, values }) => kind === 'range' || values.length !== 1);
  const single = severalAt < 0 ? fields : fields.slice(0, severalAt);
  const shared = encodeKey(
    single.map(({ values }) => values[0]),
    index.directions,
  );
  let prefixes = [{ bytes: shared, suffixAt: 4 + shared.length }];
  for (let i = single.length; i < fields.length; i++) {
    const field = fields[i]!;
    if (field.kind === 'range') break;
    const direction = index.directions[i]!;
    const encoded = uniqueSorted(field.values.map((value) => encodeKey([value], [direction])));
    prefixes = prefixes.flatMap(({ bytes, suffixAt }) =>
      encoded.map((value) => {
        const longer = Buffer.concat([bytes, value]);
        return { bytes: longer, suffixAt: i < suffixField ? 4 + longer.length : suffixAt };
      }),
    );
  }
  const last = fields.at(-1);
  return prefixes.flatMap(({ bytes, suffixAt }) => {
    const range = last?.range
      ? { start: Buffer.concat([bytes, last.range.start]), end: Buffer.concat([bytes, last.range.end]) }
      : undefined;
    const scan = range ? rangeScan(index, range) : pointScan(index, bytes, fields.length === index.paths.length);
    return Buffer.compare(scan.start, scan.end) < 0 ? [{ ...scan, suffixAt }] : [];
  });
}

function pointScan(index: Index, bytes: Buffer, isWholeKey: boolean): KeyRange {
  return prefixRange(isWholeKey ? storedKey(index.id, bytes) : withId(index, truncateBound(index, bytes)));
}

function rangeScan(index: Index, { start, end }: KeyRange): KeyRange {
  const cutEnd = truncateBound(index, end);
  return {
    start: withId(index, truncateBound(index, start)),
    end: cutEnd === end ? withId(index, end) : successor(withId(index, cutEnd)),
  };
}

const withId = (index: Index, bytes: Buffer): Buffer => Buffer.concat([idPrefix(index.id), bytes]);

function uniqueSorted(values: Buffer[]): Buffer[] {
  if (values.length < 2) return values;
  const sorted = values.sort(Buffer.compare);
  return sorted.filter((value, i) => i === 0 || !value.equals(sorted[i - 1]!));
}
