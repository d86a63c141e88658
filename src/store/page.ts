import type { Collection, Document, Filter } from 'mongodb';
import { OperationError } from '../errors.ts';
import type { MaybePromise } from '../lib/maybe-promise.ts';
import type { ReadBudget } from '../limits/read-budget.ts';
import { storedBytes } from './decode.ts';
import { positionOf } from './keyset.ts';
import type { KeysetOrder, Position } from './keyset-query.ts';
import { readUnionPage } from './union-page.ts';

/** A slice of a list: forward from a position, or backward to one. `skip` serves offsets that legacy clients send. */
export interface PageRequest {
  limit: number;
  backward: boolean;
  after: Position | null;
  before: Position | null;
  skip: number;
}

export interface Page<Record> {
  records: Record[];
  order: KeysetOrder;
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  /** Whether the page was read from the end of the list, as for `last`. */
  backward: boolean;
  /** Position of the last scanned record, if that record is hidden from the viewer and therefore not in `records`. */
  stoppedAt?: Position | undefined;
}

export interface PageQuery<Record extends Document> {
  collection: Collection<Record>;
  /** An array selects records that match at least one filter; each filter has an index of its own. */
  filter: Filter<Record> | readonly Filter<Record>[];
  order: KeysetOrder;
  request: PageRequest;
  /** Returns the records visible to the viewer, in the same order. @default all */
  visible?: (records: Record[]) => MaybePromise<Record[]>;
  /** The read budget of the request. */
  budget: ReadBudget;
}

export const FIRST_PAGE: PageRequest = { limit: 10, backward: false, after: null, before: null, skip: 0 };

/** The page of a list without any record visible to the viewer. */
export function emptyPage<Record>(order: KeysetOrder): Page<Record> {
  return { records: [], order, hasNextPage: false, hasPreviousPage: false, backward: false };
}

/** The most records, and bytes of records, that one page scans in search of visible ones. */
const MAX_SCANNED = 2_000;
const MAX_SCANNED_BYTES = 4_194_304;
/** The scan of a page doubles with each step up to this many records, or twice the page. More take a second command. */
const LARGEST_STEP = 100;
/** The largest legacy `skip`. */
export const MAX_SKIP = 1_000;

/**
 * Reads one page of the records visible to the viewer. Hidden records are skipped and replaced by later ones. When the
 * scan limit is reached first, the page is short and still has a next one.
 */
export async function readPage<Record extends Document>(query: PageQuery<Record>): Promise<Page<Record>> {
  const { order, request } = query;
  checkCursors(request, order);
  const wanted = request.limit + request.skip + 1;
  const filters = (Array.isArray(query.filter) ? query.filter : [query.filter]) as Filter<Record>[];
  const records: Record[] = [];
  let edge: Position | null = request.backward ? request.before : request.after;
  let scanned = 0;
  let scannedBytes = 0;
  let exhausted = false;
  while (records.length < wanted && !exhausted && scanned < MAX_SCANNED && scannedBytes < MAX_SCANNED_BYTES) {
    const step = Math.max(wanted * 2, Math.min(scanned, LARGEST_STEP));
    const limit = query.visible && scanned > 0 ? Math.min(step, MAX_SCANNED - scanned) : wanted;
    const chunk = await readUnionPage({
      collection: query.collection,
      filters,
      order,
      backward: request.backward,
      after: request.backward ? request.after : edge,
      before: request.backward ? edge : request.before,
      limit,
      budget: query.budget,
    });
    scanned += chunk.length;
    for (const record of chunk) scannedBytes += storedBytes(record);
    exhausted = chunk.length < limit;
    const last = request.backward ? chunk[0] : chunk.at(-1);
    if (last) edge = positionOf(last, order);
    const seen = query.visible && chunk.length > 0 ? await query.visible(chunk) : chunk;
    if (request.backward) records.unshift(...seen);
    else records.push(...seen);
  }
  return slicePage({ records, order, request, exhausted, edge });
}

interface FoundRecords<Record> {
  records: Record[];
  order: KeysetOrder;
  request: PageRequest;
  /** Whether the list has no further records in the direction of reading. */
  exhausted: boolean;
  /** Where reading stopped. */
  edge: Position | null;
}

/** Cuts the page out of the records found for it. */
export function slicePage<Record>({ records, order, request, exhausted, edge }: FoundRecords<Record>): Page<Record> {
  const { limit, skip, backward } = request;
  const more = records.length > limit + skip || !exhausted;
  const kept = backward
    ? records.slice(Math.max(0, records.length - skip - limit), records.length - skip)
    : records.slice(skip, skip + limit);
  const stoppedAt = more && records.length <= limit + skip && edge ? edge : undefined;
  return {
    records: kept,
    order,
    backward,
    hasNextPage: backward ? request.before !== null || skip > 0 : more,
    hasPreviousPage: backward ? more : request.after !== null || skip > 0,
    stoppedAt,
  };
}

/** Rejects a page that is larger or deeper than any list allows. */
export function checkPageBounds(request: PageRequest): void {
  if (!Number.isInteger(request.limit) || request.limit < 1 || request.limit > 100) {
    throw new OperationError('INVALID_PARAMETERS', { detail: ['A page has 1 to 100 records.'] });
  }
  if (!Number.isInteger(request.skip) || request.skip < 0 || request.skip > MAX_SKIP) {
    throw new OperationError('INVALID_PARAMETERS', { detail: [`skip: 0 to ${MAX_SKIP}`] });
  }
}

/** Rejects a cursor of another list, whose sort value would be misread. */
export function checkCursors(request: PageRequest, order: KeysetOrder): void {
  for (const position of [request.after, request.before]) {
    const type = position?.value instanceof Date ? 'date' : typeof position?.value;
    if (position && type !== order.type) {
      throw new OperationError('BAD_REQUEST', {
        message: 'This is not a cursor of this list.',
        path: ['after', 'before'],
      });
    }
  }
}
