import { CommandError, type Pause, type SortSpec, sortWithPauses } from '../../lib/index.ts';
import {
  type Collection,
  DamagedRecordError,
  type Entry,
  type Index,
  type Row,
  type UncommittedRecord,
  type View,
} from '../../storage/index.ts';
import { mergeOrdered } from './merge.ts';
import type { IndexScan, Plan } from './planner.ts';
import { countExamined, isTimeUp, type Progress } from './progress.ts';

/** The memory limit of a sort without an index, as in MongoDB. */
const MAX_SORT_BYTES = 100 * 1024 * 1024;
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
    : mergeOrdered([found, own], (a, b) => sort.compareKeys(sort.keyOfBytes(a.bytes), sort.keyOfBytes(b.bytes)));
}

function* withoutPauses<Item extends object>(rows: Iterable<Item | Pause>): Generator<Item> {
  for (const row of rows) if (row) yield row;
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
      if (countExamined(progress, row.bytes)) yield undefined;
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
      if (countExamined(progress, bytes)) yield undefined;
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
    isDropped ? `collection dropped. UUID ${uuid.toString()}` : `query plan killed :: index '${index?.name}' dropped`,
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
    kept.push({ row, key: sort.keyOfBytes(row.bytes) });
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
