import { BSON, type Document } from 'bson';
import {
  allowedFor,
  assertFewElements,
  assertInTime,
  CommandError,
  DECODE,
  type ElementLimits,
  MAX_ELEMENTS,
  newSlice,
  type Pause,
  pause,
  type SortSpec,
  sortWithPauses,
  takeSpentSteps,
} from '../../lib/index.ts';
import {
  type Collection,
  DamagedRecordError,
  type Entry,
  type Index,
  type KeyRange,
  LARGE_VALUE,
  paddedCopy,
  type Row,
  type UncommittedRecord,
  type Version,
  type View,
} from '../../storage/index.ts';
import { mergeOrdered } from './merge.ts';
import type { IndexScan, Plan } from './planner.ts';

/** The cost of a query so far, and its limits. */
export interface Progress {
  keysExamined: number;
  docsExamined: number;
  /** Milliseconds since the epoch. */
  deadline?: number | undefined;
  /** Set by readers that can pause; tests whether the time slice is over. */
  isOver?: (() => boolean) | undefined;
  /** Called after each pause. @throws CommandError if the result is no longer wanted */
  assertWanted?: (() => void) | undefined;
  /** The work so far in documents; a large document counts as several. */
  weight: number;
  /** The element limit of results; higher if an examined document exceeds the default. */
  allowedElements: number;
  startedAt: number;
}

export type { Pause } from '../../lib/index.ts';

export const newProgress = (deadline?: number): Progress => ({
  keysExamined: 0,
  docsExamined: 0,
  deadline,
  weight: 0,
  allowedElements: MAX_ELEMENTS,
  startedAt: performance.now(),
});

/** The memory limit of a sort without an index, as in MongoDB. */
const MAX_SORT_BYTES = 100 * 1024 * 1024;
const WEIGHT_BYTES = 4096;
const WEIGHT_STEPS = 128;
/**
 * A read pauses only after this much work, in documents of 4 KiB, or time: a read of a page or two usually sees one
 * consistent state.
 */
const UNINTERRUPTED = 300;
const UNINTERRUPTED_MS = 25;

export const decode = (bytes: Uint8Array): Document => BSON.deserialize(bytes, DECODE);

/** Decodes a stored document and raises the element limit of results if the document exceeds it. */
export function decodeCounted(bytes: Uint8Array, progress: Progress): Document {
  const document = decode(bytes);
  // An element has at least two bytes.
  if (bytes.length > 2 * MAX_ELEMENTS) {
    progress.allowedElements = Math.max(progress.allowedElements, allowedFor(document));
  }
  return document;
}

/** @throws CommandError 10334 if the document is too large or has too many elements */
export function encode(document: Document, limits?: ElementLimits): Buffer {
  assertFewElements(document, limits);
  try {
    const bytes = BSON.serialize(document);
    return bytes.length >= LARGE_VALUE ? paddedCopy([bytes]) : Buffer.from(bytes);
  } catch (error) {
    // The serializer's buffer is slightly larger than the largest document.
    if (error instanceof RangeError) throw new CommandError(10334, 'BSONObj size is invalid: larger than 16 MiB');
    throw error;
  }
}

export const versionOf = (row: Row): Version => ({ bytes: row.bytes, document: decode(row.bytes) });

/**
 * Reads the records that match a plan's filter, in the plan's order, with pauses if `progress` allows them. Records are
 * read lazily.
 *
 * @throws CommandError 50 past the deadline, 292 if a sort needs too much memory
 */
export function runPausing(
  plan: Plan,
  view: View,
  progress: Progress,
  limit = Number.POSITIVE_INFINITY,
): Iterable<Row | Pause> {
  const uncommitted = plan.collection && view.uncommittedIn(plan.collection);
  const found = accessRows(plan, view, progress, uncommitted);
  if (!plan.sort) return uncommitted ? chain(found, uncommittedRows(plan, uncommitted, progress)) : found;
  const sorting = { sort: plan.sort, limit, progress };
  if (!plan.isSorted)
    return sortRows(uncommitted ? chain(found, uncommittedRows(plan, uncommitted, progress)) : found, sorting);
  if (!uncommitted) return found;
  const { sort } = plan;
  const own = [...withoutPauses(sortRows(uncommittedRows(plan, uncommitted, progress), sorting))];
  return own.length === 0
    ? found
    : mergeOrdered([found, own], (a, b) => sort.compare(decode(a.bytes), decode(b.bytes)));
}

function* withoutPauses<Item extends object>(rows: Iterable<Item | Pause>): Generator<Item> {
  for (const row of rows) if (row) yield row;
}

/**
 * Counts matching records, from the index alone if possible, with pauses if `progress` allows them. May stop at `most`.
 */
export function* countWithPauses(
  plan: Plan,
  view: View,
  progress: Progress,
  most = Number.POSITIVE_INFINITY,
): Generator<Pause, number> {
  if (isWholeCollection(plan, view)) return yield* countAll(plan.collection!.id, view, progress);
  const ranges = countableRanges(plan, view);
  if (ranges) return yield* countEntries(ranges, view, progress);
  let count = 0;
  for (const row of runPausing({ ...plan, sort: undefined }, view, progress)) {
    if (!row) yield undefined;
    else if (++count >= most) break;
  }
  return count;
}

/** Runs pausable work in time slices. */
export async function runWithPauses<Result>(work: Generator<Pause, Result>, progress: Progress): Promise<Result> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await yieldToEventLoop(progress);
  }
}

/** Yields the event loop and starts another time slice. */
export async function yieldToEventLoop(progress: Progress): Promise<void> {
  await pause();
  progress.isOver = newSlice();
  progress.assertWanted?.();
  assertInTime(progress.deadline);
}

/** The index ranges in which each entry stands for one matching record; undefined if records must be read. */
function countableRanges({ access, collection }: Plan, view: View): readonly KeyRange[] | undefined {
  if (!collection) return [];
  if (view.uncommittedIn(collection)) return undefined;
  if (access.kind !== 'index' || !access.isExact || access.index.multikey.size > 0) return undefined;
  return access.ranges;
}

function* countEntries(ranges: readonly KeyRange[], { reader }: View, progress: Progress): Generator<Pause, number> {
  let total = 0;
  for (const range of ranges) {
    let rest: KeyRange | undefined = range;
    while (rest) {
      const counted = reader.countEntries(rest, COUNTED_AT_ONCE);
      total += counted.count;
      progress.keysExamined += counted.count;
      rest = counted.rest;
      if (isTimeUp(progress, counted.count * COUNT_WEIGHT)) yield undefined;
    }
  }
  return total;
}

function isWholeCollection({ access, collection, filter }: Plan, view: View): boolean {
  const isAll = filter.node.kind === 'and' && filter.node.children.length === 0;
  return isAll && access.kind === 'collection' && collection !== undefined && !view.uncommittedIn(collection);
}

/** Entries or record ids that are counted natively between two pauses; takes about 3 ms. */
const COUNTED_AT_ONCE = 100_000;
/** The cost of counting a record, relative to reading it. */
const COUNT_WEIGHT = 0.02;

function* countAll(collectionId: number, { reader }: View, progress: Progress): Generator<Pause, number> {
  const last = reader.lastRecordId(collectionId);
  let count = 0;
  for (let from = 0; from <= last; from += COUNTED_AT_ONCE) {
    const found = reader.countRecords(collectionId, { from, to: from + COUNTED_AT_ONCE });
    count += found;
    if (isTimeUp(progress, found * COUNT_WEIGHT)) yield undefined;
  }
  return count;
}

type Uncommitted = ReadonlyMap<number, UncommittedRecord> | undefined;

function* accessRows(plan: Plan, view: View, progress: Progress, uncommitted: Uncommitted): Generator<Row | Pause> {
  const { collection, access, filter } = plan;
  if (!collection || access.kind === 'nothing') return;
  const version = view.version();
  // A suspended scan must not mistake the removal of a dropped collection for its end.
  const assertNotDropped = (index?: Index): void => {
    if ((collection.isDropped || index?.isDropped) && view.version() !== version) throw droppedError(collection, index);
  };
  if (access.kind === 'collection') {
    for (const row of view.reader.scanRecords(collection.id, access.isReverse)) {
      if (examine(progress, row.bytes)) yield undefined;
      assertNotDropped();
      if (!uncommitted?.has(row.recordId) && filter.matchesBytes(row.bytes)) yield row;
    }
    assertNotDropped();
    return;
  }
  const scans = access.kind === 'union' ? access.scans : [access];
  const mayRepeat = scans.length > 1 || scans.some(({ index }) => index.multikey.size > 0);
  const seen = mayRepeat ? new Set<number>() : undefined;
  for (const scan of scans) {
    for (const { recordId } of scanEntries(scan, view)) {
      progress.keysExamined++;
      if (isTimeUp(progress, 1)) yield undefined;
      assertNotDropped(scan.index);
      if (seen?.has(recordId) || uncommitted?.has(recordId)) continue;
      seen?.add(recordId);
      const bytes = view.reader.record(collection.id, recordId);
      if (!bytes) {
        if (view.version() !== version) continue;
        throw new DamagedRecordError(collection.id, recordId, `index ${scan.index.name} names it, but it is missing`);
      }
      if (examine(progress, bytes)) yield undefined;
      // After a suspension the entry may be older than the record.
      const isProven = scan.isExact && view.version() === version;
      if (isProven || filter.matchesBytes(bytes)) yield { recordId, bytes };
    }
    assertNotDropped(scan.index);
  }
}

/** MongoDB's error for a reader whose collection or index was dropped. */
const droppedError = ({ isDropped, uuid }: Collection, index: Index | undefined): CommandError =>
  new CommandError(
    175,
    isDropped
      ? `collection dropped. UUID ${uuid.toString()}`
      : `query plan droppedError :: index '${index?.name}' dropped`,
  );

function scanEntries({ ranges, isReverse, isMerge, isUniquePoint }: IndexScan, view: View): Iterable<Entry> {
  if (isUniquePoint && !isMerge && !isReverse) return pointEntries(ranges, view);
  if (ranges.length === 1) return view.reader.scanEntries(ranges[0]!, isReverse);
  if (!isMerge) return scanInOrder(isReverse ? [...ranges].reverse() : ranges, isReverse, view);
  const streams = ranges.map((range) => suffixes(view.reader.scanEntries(range, isReverse), range.suffixAt));
  const sign = isReverse ? -1 : 1;
  return withoutPauses(mergeOrdered(streams, (a, b) => sign * Buffer.compare(a.suffix, b.suffix)));
}

/** Looks up complete unique keys one by one, without a scan. */
function* pointEntries(ranges: IndexScan['ranges'], { reader }: View): Generator<Entry> {
  for (const { start } of ranges) for (const recordId of reader.holdersOf(start)) yield { key: start, recordId };
}

function* scanInOrder(ranges: IndexScan['ranges'], isReverse: boolean, view: View): Generator<Entry> {
  for (const range of ranges) yield* view.reader.scanEntries(range, isReverse);
}

function* suffixes(entries: Iterable<Entry>, suffixAt: number): Generator<Entry & { suffix: Buffer }> {
  for (const { key, recordId } of entries) yield { key, recordId, suffix: key.subarray(suffixAt) };
}

function* uncommittedRows(
  { filter }: Plan,
  uncommitted: NonNullable<Uncommitted>,
  progress: Progress,
): Generator<Row | Pause> {
  for (const [recordId, { after }] of uncommitted) {
    if (isTimeUp(progress, 1)) yield undefined;
    if (after && filter.matches(after.document)) yield { recordId, bytes: after.bytes };
  }
}

function* chain<Item>(first: Iterable<Item>, second: Iterable<Item>): Generator<Item> {
  yield* first;
  yield* second;
}

interface Sorting {
  sort: SortSpec;
  limit: number;
  progress: Progress;
}

/** Sorts in memory; with a limit, it keeps at most twice as many records. */
function* sortRows(rows: Iterable<Row | Pause>, { sort, limit, progress }: Sorting): Generator<Row | Pause> {
  let kept: { row: Row; key: unknown[] }[] = [];
  let size = 0;
  const order = () =>
    sortWithPauses(kept, {
      compare: (a, b) => sort.compareKeys(a.key, b.key),
      sizeOf: ({ row }) => row.bytes.length,
      isTimeUp: (weight = 1) => isTimeUp(progress, weight),
    });
  for (const row of rows) {
    if (!row) {
      yield undefined;
      continue;
    }
    // Two arrays in a sort key are an error, which is reported before errors of later documents.
    kept.push({ row, key: sort.keyOf(decode(row.bytes)) });
    size += row.bytes.length;
    if (kept.length >= 2 * limit + 64) {
      kept = (yield* order()).slice(0, limit);
      size = kept.reduce((sum, item) => sum + item.row.bytes.length, 0);
    }
    if (size > MAX_SORT_BYTES) {
      throw new CommandError(
        292,
        `Sort exceeded memory limit of ${MAX_SORT_BYTES} bytes, but did not opt in to external sorting.`,
      );
    }
  }
  for (const { row } of yield* order()) {
    if (isTimeUp(progress, 1)) yield undefined;
    yield row;
  }
}

/** Counts an examined document; returns whether to pause. @throws CommandError 50 past the deadline */
function examine(progress: Progress, bytes: Uint8Array): boolean {
  progress.docsExamined++;
  return isTimeUp(progress, 1 + bytes.length / WEIGHT_BYTES);
}

/** Counts work in documents; returns whether to pause. @throws CommandError 50 past the deadline */
export function isTimeUp(progress: Progress, weight: number): boolean {
  progress.weight += weight + takeSpentSteps() / WEIGHT_STEPS;
  if (progress.isOver?.() !== true) return false;
  assertInTime(progress.deadline);
  return progress.weight > UNINTERRUPTED || performance.now() - progress.startedAt > UNINTERRUPTED_MS;
}
