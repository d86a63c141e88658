import type { Document } from 'mongodb';
import { OperationError } from '../../src/errors.ts';
import { positionOf } from '../../src/store/keyset.ts';
import type { Position } from '../../src/store/keyset-query.ts';
import { checkPageBounds, type Page, type PageRequest } from '../../src/store/page.ts';

export interface ConnectionArgs {
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  /** Only for lists that REST routes query. */
  skip?: number | null | undefined;
}

/**
 * Reads Relay's arguments: `first`/`after` forward, `last`/`before` backward, 10 records by default, at most 100.
 * @throws {OperationError} INVALID_PARAMETERS for an invalid page size, BAD_REQUEST for an invalid cursor
 */
export function pageRequest(args: ConnectionArgs): PageRequest {
  if (args.first != null && args.last != null) {
    throw new OperationError('INVALID_PARAMETERS', { detail: ['first and last cannot be combined.'] });
  }
  const backward = args.last != null || (args.first == null && args.before != null);
  const request: PageRequest = {
    limit: args.first ?? args.last ?? 10,
    backward,
    after: args.after == null ? null : decodeCursor(args.after),
    before: args.before == null ? null : decodeCursor(args.before),
    skip: args.skip ?? 0,
  };
  checkPageBounds(request);
  return request;
}

/** A connection with the number of records on all pages. */
export interface Counted {
  /** Null if it is not known. */
  totalCount?: number | null;
}

/**
 * Converts a page to a Relay connection.
 *
 * @param counted the counter that is kept of the records of the list, for types with `totalCount`
 */
export function toConnection<Record extends Document>(page: Page<Record>, counted: Counted = {}) {
  const edges = page.records.map((node) => ({
    node,
    get cursor() {
      return encodeCursor(positionOf(node, page.order));
    },
  }));
  const farthest = page.backward ? 'startCursor' : 'endCursor';
  const pageInfo = {
    hasNextPage: page.hasNextPage,
    hasPreviousPage: page.hasPreviousPage,
    startCursor: edges[0]?.cursor ?? null,
    endCursor: edges.at(-1)?.cursor ?? null,
  };
  // If hidden records shortened the page, the next one starts where reading stopped, not after the last visible record.
  if (page.stoppedAt) pageInfo[farthest] = encodeCursor(page.stoppedAt);
  return {
    ...counted,
    edges,
    pageInfo,
    /** The cursor that is the position of a record which the viewer does not see. */
    hiddenCursor: page.stoppedAt ? farthest : null,
  };
}

/**
 * A cursor, opaque to clients: the type of the sort value, the internal id and the value. `bindCursors` adds a digest of
 * the list, and encrypts the position of a hidden record.
 */
function encodeCursor({ value, id }: Position): string {
  const tagged =
    value instanceof Date ? `d${id}${value.getTime()}` : `${typeof value === 'number' ? 'n' : 's'}${id}${value}`;
  return Buffer.from(tagged, 'utf8').toString('base64url');
}

const MAX_CURSOR = 900;

function decodeCursor(cursor: string): Position {
  if (cursor.length > MAX_CURSOR) throw badCursor();
  const [, type, id, text] =
    /^([dns])([0-9a-f]{24})(.*)$/s.exec(Buffer.from(cursor, 'base64url').toString('utf8')) ?? [];
  if (id === undefined || text === undefined) throw badCursor();
  if (type === 's') return { value: text, id };
  const value = /^-?\d{1,17}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (type === 'n' && Number.isFinite(value)) return { value, id };
  if (type === 'd' && Math.abs(value) <= 8.64e15) return { value: new Date(value), id };
  throw badCursor();
}

function badCursor(): OperationError {
  return new OperationError('BAD_REQUEST', {
    message: 'This is not a cursor of this list.',
    path: ['after', 'before'],
  });
}
