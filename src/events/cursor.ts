import { OperationError } from '../errors.ts';

/**
 * A position in the event log: the resume token of the database's change stream. Tokens are hexadecimal and sort as
 * text in commit order: a type byte (`82`), the commit time in seconds, then a counter.
 */
export type Cursor = string;

const TOKEN = /^82[0-9A-F]{16,1022}$/;
/** Tolerated difference between the clocks of the database and this process. */
const MAX_CLOCK_SKEW_MS = 60_000;

/** @throws {OperationError} INVALID_PARAMETERS for text that is not a cursor */
export function checkCursor(cursor: string): Cursor {
  if (TOKEN.test(cursor) && cursor.length % 2 === 0 && timeOf(cursor) < Date.now() + MAX_CLOCK_SKEW_MS) return cursor;
  throw invalidCursor();
}

export function invalidCursor(): OperationError {
  return new OperationError('INVALID_PARAMETERS', { detail: ['after: a cursor of an event'], path: ['after'] });
}

/** The log no longer reaches back to the cursor. */
export function cursorExpired(): OperationError {
  return new OperationError('CURSOR_EXPIRED', { path: ['after'] });
}

/** The first position within a second of the log. @param time in that second, in milliseconds since 1970 */
export function cursorAt(time: number): Cursor {
  const second = Math.floor(time / 1_000);
  return `82${second.toString(16).toUpperCase().padStart(8, '0')}00000001`;
}

/** Commit time of the cursor in milliseconds since 1970, at a resolution of one second. */
export function timeOf(cursor: Cursor): number {
  return Number.parseInt(cursor.slice(2, 10), 16) * 1_000;
}
