import { OperationError } from '../../errors.ts';
import type { Cursor } from '../../events/cursor.ts';

/** An event that exceeds a limit or cannot be written: its subscribers get the error and may continue after its cursor. */
export class UndeliverableEvent extends OperationError {
  readonly cursor: Cursor;

  constructor(cursor: Cursor, cause: unknown) {
    const excess = isTooLarge(cause) ? cause.message : null;
    super(excess ? 'TOO_LARGE' : 'INTERNAL', {
      message: excess ?? 'An event could not be told. What comes after it comes after its cursor.',
      detail: cause instanceof OperationError ? cause.detail : [],
    });
    this.name = 'UntoldEvent';
    this.cursor = cursor;
    this.cause = cause;
  }
}

/** Whether an event exceeds a limit, which is no fault of the process. */
export function isTooLarge(cause: unknown): cause is OperationError {
  return cause instanceof OperationError && cause.errorName === 'TOO_LARGE';
}
