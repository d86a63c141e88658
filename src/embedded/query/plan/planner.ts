import type { Document } from 'bson';
import {
  badValue,
  CommandError,
  type Filter,
  type FilterNode,
  failedToParse,
  isDocument,
  type SortSpec,
  valuesEqual,
} from '../../lib/index.ts';
import type { Collection, Index, KeyRange } from '../../storage/index.ts';
import { boundsFor, type Conditions, conditionsOf, type IndexBounds, rangesOf, type ScanRange } from './bounds.ts';
import { coversAll } from './partial.ts';

export interface IndexScan {
  kind: 'index';
  index: Index;
  ranges: ScanRange[];
  /** The limits on the leading fields. */
  bounds: IndexBounds['fields'];
  isReverse: boolean;
  /** Whether the ranges must be merged by the bytes after their `suffixAt` to produce the sort order. */
  isMerge: boolean;
  /** Whether every document in the scan matches the filter. */
  isExact: boolean;
  /** Whether all fields of a unique index are known, so that each range has at most one document. */
  isUniquePoint: boolean;
}

export type Access =
  | { kind: 'nothing' }
  | { kind: 'collection'; isReverse: boolean }
  | IndexScan
  | { kind: 'union'; scans: IndexScan[] };

/** How a query is executed. */
export interface Plan {
  collection: Collection | undefined;
  filter: Filter;
  access: Access;
  sort: SortSpec | undefined;
  /** Whether the access returns documents in the order of `sort`. */
  isSorted: boolean;
  /** Returns the scan in the order of `sort` that would be used if a range did not have few entries. */
  rejected?: () => IndexScan;
}

export interface Query {
  collection: Collection | undefined;
  filter: Filter;
  sort?: SortSpec | undefined;
  /** An index name, an index key, or `{$natural: 1 | -1}`. */
  hint?: unknown;
  canUse: (collection: Collection, index: Index) => boolean;
  /** Counts entries of an index, at most `limit`. */
  countEntries: (range: KeyRange, limit: number) => number;
}

/** More streams than this are sorted instead of merged. */
const MAX_MERGE = 256;

/** A range with this many entries at most is read and sorted, instead of a scan in sort order that filters them. */
const FEW_ENTRIES = 64;
/** The number of entries is determined for this many ranges of an index at most. */
const MAX_COUNTED_RANGES = 16;

/**
 * Plans a query by rules. Preferred are, in this order: a unique index whose whole key is known, the index with most
 * leading fields known, one that provides the sort order, one with a range. A partial index counts as if one more field
 * were known, because its filter excludes other documents. `$or` uses one index per branch.
 *
 * Instead of an index that provides the sort order, one is used in which a range that the other ignores has few entries:
 * the other scan could pass over any number of documents outside of that range.
 */
export function planQuery({ collection, filter, sort, hint, canUse, countEntries }: Query): Plan {
  const base = { collection, filter, sort: sort && sort.fields.length > 0 ? sort : undefined };
  const plan = (access: Access, isSorted: boolean): Plan => ({ ...base, access, isSorted });
  if (!collection) return plan({ kind: 'nothing' }, true);

  const usable = collection.indexes.filter((index) => !index.build && canUse(collection, index));
  const hinted = hint === undefined ? undefined : findHinted(usable, hint);
  if (hinted && 'natural' in hinted) return plan({ kind: 'collection', isReverse: hinted.natural === -1 }, false);
  const indexes = hinted ? [hinted] : usable;
  const candidates = candidatesFor(indexes, filter.node, base.sort, hinted !== undefined);
  const best = bestOf(candidates);
  const mayPassOver = best?.isSorted && !best.isUniquePoint && !isCovered(filter.node, best.bounds);
  const few = mayPassOver ? fewEntriesOf(candidates, best.bounds, countEntries) : undefined;
  if (few) return { ...plan(scanOf(few, filter.node), false), rejected: () => scanOf(best!, filter.node) };
  if (best) return plan(scanOf(best, filter.node), best.isSorted);
  const union = planUnion(indexes, filter.node);
  return union ? plan(union, false) : plan({ kind: 'collection', isReverse: false }, false);
}

/** An index that could serve a query. Its ranges are encoded only if it is chosen, or if the decision needs them. */
interface Candidate {
  index: Index;
  bounds: IndexBounds;
  order: ScanOrder | undefined;
  ranges: ScanRange[] | undefined;
  isSorted: boolean;
  isUniquePoint: boolean;
  score: number;
}

function candidatesFor(
  indexes: readonly Index[],
  node: FilterNode,
  sort: SortSpec | undefined,
  isHinted = false,
): Candidate[] {
  const conditions = conditionsOf(node);
  const candidates: Candidate[] = [];
  for (const index of indexes) {
    if (!isHinted && !coversAll(index, conditions)) continue;
    const candidate = candidateFor(index, conditions, sort);
    if (isHinted || candidate.score > 0) candidates.push(candidate);
  }
  return candidates;
}

/** The candidate with the highest score; of equal ones, the first. */
function bestOf(candidates: readonly Candidate[]): Candidate | undefined {
  let best: Candidate | undefined;
  for (const candidate of candidates) if (!best || candidate.score > best.score) best = candidate;
  return best;
}

/** A candidate with few entries in a range that the bounds of a sorted scan do not contain. */
function fewEntriesOf(
  candidates: readonly Candidate[],
  { used }: IndexBounds,
  countEntries: Query['countEntries'],
): Candidate | undefined {
  for (const candidate of candidates) {
    const last = candidate.bounds.fields.at(-1);
    if (last?.kind !== 'range' || last.used.every(({ leaf }) => used.has(leaf))) continue;
    const ranges = rangesOf(candidate.index, candidate.bounds, 0);
    if (ranges.length > MAX_COUNTED_RANGES || !hasFewEntries(ranges, countEntries)) continue;
    return { ...candidate, ranges, order: undefined, isSorted: false };
  }
  return undefined;
}

function hasFewEntries(ranges: readonly ScanRange[], countEntries: Query['countEntries']): boolean {
  let count = 0;
  for (const range of ranges) {
    count += countEntries(range, FEW_ENTRIES + 1 - count);
    if (count > FEW_ENTRIES) return false;
  }
  return true;
}

function candidateFor(index: Index, conditions: Conditions, sort: SortSpec | undefined): Candidate {
  const bounds = boundsFor(index, conditions);
  const order = sort && orderOf(index, bounds, sort);
  const ranges = order?.isMerge ? rangesOf(index, bounds, order.suffixField) : undefined;
  const isSorted = order !== undefined && (!ranges || ranges.length <= MAX_MERGE);
  let pointCount = 0;
  for (const field of bounds.fields) if (field.kind === 'points') pointCount++;
  const isUniquePoint = index.isUnique && pointCount === index.paths.length;
  const hasRange = pointCount < bounds.fields.length;
  const score =
    (isUniquePoint ? 1000 : 0) + pointCount * 10 + (index.partial ? 11 : 0) + (isSorted ? 5 : 0) + (hasRange ? 2 : 0);
  return { index, bounds, order, ranges, isSorted, isUniquePoint, score };
}

function scanOf(
  { index, bounds, order, isSorted, isUniquePoint, ...candidate }: Candidate,
  node: FilterNode,
): IndexScan {
  const ranges = candidate.ranges ?? rangesOf(index, bounds, order?.suffixField ?? 0);
  return {
    kind: 'index',
    index,
    ranges,
    bounds: bounds.fields,
    isReverse: isSorted && order?.isReverse === true,
    isMerge: isSorted && order?.isMerge === true && ranges.length > 1,
    isExact: bounds.isExact && isCovered(node, bounds),
    isUniquePoint,
  };
}

/** Whether the bounds are equivalent to the filter. */
function isCovered(node: FilterNode, bounds: IndexBounds): boolean {
  if (node.kind === 'and') return node.children.every((child) => isCovered(child, bounds));
  return node.kind === 'leaf' && bounds.used.has(node);
}

interface ScanOrder {
  isReverse: boolean;
  isMerge: boolean;
  suffixField: number;
}

/**
 * Whether a scan within the bounds provides the order of a sort: the sort fields must be consecutive in the index, all
 * in the index's direction or all reversed. Fields with one known value may be in between, and fields with several
 * known values before them, whose ranges are then merged.
 */
function orderOf(index: Index, { fields }: IndexBounds, sort: SortSpec): ScanOrder | undefined {
  if (index.hasLongKeys) return undefined;
  const pointsAt = (i: number): number => (fields[i]?.kind === 'points' ? fields[i].values.length : 0);
  const isFixed = (path: string): boolean => {
    const i = index.paths.indexOf(path);
    return i >= 0 && pointsAt(i) === 1 && !index.multikey.has(path);
  };
  let at = 0;
  let suffixField = -1;
  let isMerge = false;
  let isReverse: boolean | undefined;
  for (const [path, direction] of sort.fields) {
    while (at < index.paths.length && index.paths[at] !== path && pointsAt(at) > 0) {
      if (pointsAt(at) > 1) {
        if (suffixField >= 0) return undefined;
        isMerge = true;
      }
      at++;
    }
    if (index.paths[at] !== path) {
      if (isFixed(path)) continue;
      return undefined;
    }
    if (index.multikey.has(path)) return undefined;
    const isAgainst = index.directions[at] !== direction;
    if (isFixed(path)) {
      at++;
      continue;
    }
    if (isReverse !== undefined && isReverse !== isAgainst) return undefined;
    isReverse = isAgainst;
    if (suffixField < 0) suffixField = at;
    at++;
  }
  return { isReverse: isReverse ?? false, isMerge, suffixField: Math.max(suffixField, 0) };
}

/** Plans a filter that is or contains an `$or`, if every branch can use an index. */
function planUnion(indexes: readonly Index[], node: FilterNode): Access | undefined {
  const or = node.kind === 'and' ? node.children.find((child) => child.kind === 'or') : node;
  if (or?.kind !== 'or') return undefined;
  const scans: IndexScan[] = [];
  for (const branch of or.children) {
    const candidate = bestOf(candidatesFor(indexes, branch, undefined));
    if (!candidate) return undefined;
    scans.push({ ...scanOf(candidate, branch), isExact: false });
  }
  return { kind: 'union', scans };
}

function findHinted(indexes: readonly Index[], hint: unknown): Index | { natural: 1 | -1 } {
  if (typeof hint !== 'string' && !isDocument(hint)) throw failedToParse('Hint must be a string or an object');
  if (isDocument(hint) && '$natural' in hint) return { natural: Number(hint.$natural) < 0 ? -1 : 1 };
  const [index, other] = indexes.filter((candidate) =>
    typeof hint === 'string' ? candidate.name === hint : isDocument(hint) && isSameKey(candidate.key, hint),
  );
  if (!index) {
    throw badValue('error processing query: hint provided does not correspond to an existing index');
  }
  if (other)
    throw new CommandError(27, `Hint matched multiple indexes, must hint by index name: ${index.name}, ${other.name}`);
  return index;
}

export const isSameKey = (a: Document, b: Document): boolean =>
  Object.keys(a).length === Object.keys(b).length && valuesEqual(a, b);
