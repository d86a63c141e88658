import type { RangeOptions } from 'lmdb';
import { DamagedRecordError, verifiedValue } from './checksum.ts';
import { idPrefix, type KeyRange, prefixRange, recordIdOf, recordKey, successor, type Table } from './table.ts';

export interface Row {
  recordId: number;
  bytes: Buffer;
}

export interface Entry {
  /** The index id, the key and the record id. */
  key: Buffer;
  recordId: number;
}

/** Reads the newest data or a pinned snapshot. Iterators hold no snapshot between two steps. */
export interface Reader {
  record(collectionId: number, recordId: number): Buffer | undefined;
  scanRecords(collectionId: number, isReverse?: boolean): Generator<Row>;
  /** The records with ids greater than this one. */
  recordsAfter(collectionId: number, recordId: number): Generator<Row>;
  scanEntries(range: KeyRange, isReverse?: boolean): Generator<Entry>;
  /** The ids of records with exactly this index key, at most two. */
  holdersOf(key: Buffer): number[];
  /**
   * Counts entries.
   *
   * @param limit counts at most this many and returns the range that follows them as `rest`; all by default
   */
  countEntries(range: KeyRange, limit?: number): { count: number; rest: KeyRange | undefined };
  /** @param numbers a half-open range of record ids; all by default */
  countRecords(collectionId: number, numbers?: { from: number; to: number }): number;
  lastRecordId(collectionId: number): number;
}

/** The first steps of a scan are small, because most scans end early. */
const FIRST_STEP = 32;
const LARGEST_STEP = 512;
/** A step ends with the record that reaches this many bytes. */
const STEP_BYTES = 1024 * 1024;

interface ReaderParts {
  records: Table;
  entries: Table;
  options: RangeOptions;
  hasChecksums(): boolean;
}

export function createReader({ records, entries, options, hasChecksums }: ReaderParts): Reader {
  const verified = (key: Buffer, stored: Buffer): Buffer => {
    const bytes = verifiedValue(key, stored, hasChecksums());
    if (!bytes) throw new DamagedRecordError(key.readUInt32BE(0), recordIdOf(key), 'its checksum does not match');
    return bytes;
  };
  return {
    record(collectionId, recordId) {
      const key = recordKey(collectionId, recordId);
      const stored = records.get(key, options);
      return stored && verified(key, stored);
    },
    *scanRecords(collectionId, isReverse = false) {
      const step = (range: RangeOptions) => upToStepBytes(records.getRange({ ...options, ...range }));
      for (const { key, value } of inSteps(prefixRange(idPrefix(collectionId)), isReverse, step, (row) => row.key)) {
        yield { recordId: recordIdOf(key), bytes: verified(key, value) };
      }
    },
    *recordsAfter(collectionId, recordId) {
      const step = (range: RangeOptions) => upToStepBytes(records.getRange({ ...options, ...range }));
      const range = { start: recordKey(collectionId, recordId + 1), end: successor(idPrefix(collectionId)) };
      for (const { key, value } of inSteps(range, false, step, (row) => row.key)) {
        yield { recordId: recordIdOf(key), bytes: verified(key, value) };
      }
    },
    *scanEntries(range, isReverse = false) {
      const step = (within: RangeOptions) => ({
        items: [...entries.getKeys({ ...options, ...within })],
        isCutShort: false,
      });
      for (const key of inSteps(range, isReverse, step, (row) => row)) yield { key, recordId: recordIdOf(key) };
    },
    holdersOf: (key) => [...entries.getKeys({ ...options, ...prefixRange(key), limit: 2 })].map(recordIdOf),
    countEntries(range, limit = Number.POSITIVE_INFINITY) {
      const count = entries.getKeysCount({ ...options, ...range, ...(Number.isFinite(limit) && { limit }) });
      if (count < limit) return { count, rest: undefined };
      const [start] = [...entries.getKeys({ ...options, ...range, offset: limit, limit: 1 })];
      return { count, rest: start && { start: Buffer.from(start), end: range.end } };
    },
    countRecords(collectionId, numbers) {
      const range = numbers
        ? { start: recordKey(collectionId, numbers.from), end: recordKey(collectionId, numbers.to) }
        : prefixRange(idPrefix(collectionId));
      return records.getKeysCount({ ...options, ...range });
    },
    lastRecordId(collectionId) {
      const { start, end } = prefixRange(idPrefix(collectionId));
      const [last] = [...records.getKeys({ ...options, start: end, end: start, reverse: true, limit: 1 })];
      return last ? recordIdOf(last) : 0;
    },
  };
}

interface Step<Item> {
  items: Item[];
  /** Whether the step ended because of its size; more items may follow. */
  isCutShort: boolean;
}

function upToStepBytes<Item extends { value: Buffer }>(rows: Iterable<Item>): Step<Item> {
  const items: Item[] = [];
  let size = 0;
  for (const row of rows) {
    items.push(row);
    size += row.value.length;
    if (size >= STEP_BYTES) return { items, isCutShort: true };
  }
  return { items, isCutShort: false };
}

/**
 * Reads a range in steps, each with its own seek, so that a suspended scan holds no snapshot: LMDB could not reuse the
 * pages of a held one.
 */
function* inSteps<Item>(
  { start, end }: KeyRange,
  isReverse: boolean,
  read: (range: RangeOptions) => Step<Item>,
  keyOf: (item: Item) => Buffer,
): Generator<Item> {
  let from: RangeOptions = isReverse ? { start: end, end: start, inclusiveEnd: true, reverse: true } : { start, end };
  if (isReverse) from.exclusiveStart = true;
  let limit = FIRST_STEP;
  while (true) {
    const { items, isCutShort } = read({ ...from, limit });
    yield* items;
    if (items.length < limit && !isCutShort) return;
    from = { ...from, start: keyOf(items.at(-1)!), exclusiveStart: true };
    limit = Math.min(limit * 2, LARGEST_STEP);
  }
}
