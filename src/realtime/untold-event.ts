import { OperationError } from '../errors.ts';
import type { Cursor } from '../events/cursor.ts';

/** An event that cannot be written, by a fault of ours: whoever listens hears of it, and may go on after its cursor. */
export class UntoldEvent extends OperationError {
  readonly cursor: Cursor;

  constructor(cursor: Cursor, cause: unknown) {
    super('INTERNAL', {
      message: 'An event could not be told. What comes after it comes after its cursor.',
      detail: cause instanceof OperationError ? cause.detail : [],
    });
    this.name = 'UntoldEvent';
    this.cursor = cursor;
    this.cause = cause;
  }
}
