import { OperationError } from '../errors.ts';

/**
 * A place in the log: the resume token of the database's change stream, hexadecimal digits whose order as text is the
 * order of the commits. They begin with the time, after a byte for its type.
 */
export type Cursor = string;

const FORM = /^82[0-9A-F]{16,1022}$/;
/** How far a clock of the database may be ahead of ours. */
const AHEAD_MS = 60_000;

/** @throws {OperationError} INVALID_PARAMETERS for what is no cursor */
export function checkCursor(cursor: string): Cursor {
  if (FORM.test(cursor) && cursor.length % 2 === 0 && timeOf(cursor) < Date.now() + AHEAD_MS) return cursor;
  throw invalidCursor();
}

export function invalidCursor(): OperationError {
  return new OperationError('INVALID_PARAMETERS', { detail: ['after: a cursor of an event'], path: ['after'] });
}

/** What lies between the cursor and now is no longer there. */
export function cursorExpired(): OperationError {
  return new OperationError('CURSOR_EXPIRED', { path: ['after'] });
}

/** The first place of a second of the log. @param seconds since 1970 */
export function placeAt(seconds: number): Cursor {
  return `82${seconds.toString(16).toUpperCase().padStart(8, '0')}00000001`;
}

/** Milliseconds since 1970 at the cursor's commit, in whole seconds. */
export function timeOf(cursor: Cursor): number {
  return Number.parseInt(cursor.slice(2, 10), 16) * 1_000;
}
