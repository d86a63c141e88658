import { OperationError } from '../../errors.ts';
import type { Cursor } from '../../events/cursor.ts';

/** Replaces an event that exceeds a limit or cannot be rendered. Subscribers may resume after its cursor. */
export class UndeliverableEvent extends OperationError {
  readonly cursor: Cursor;

  constructor(cursor: Cursor, cause: unknown) {
    const excess = isTooLarge(cause) ? cause.message : null;
    super(excess ? 'TOO_LARGE' : 'INTERNAL', {
      message: excess ?? 'The event could not be delivered. Resume after its cursor to skip it.',
      detail: cause instanceof OperationError ? cause.detail : [],
    });
    this.name = 'UndeliverableEvent';
    this.cursor = cursor;
    this.cause = cause;
  }
}

/** Whether the event exceeds a limit, which is expected and not logged as an error. */
export function isTooLarge(cause: unknown): cause is OperationError {
  return cause instanceof OperationError && cause.errorName === 'TOO_LARGE';
}
