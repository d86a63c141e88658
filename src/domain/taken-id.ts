import { OperationError } from '../errors.ts';

/** Said of ids that clients cannot choose, and of the ids of records that the viewer does not see. */
export const NOT_AVAILABLE = 'is not available';

/**
 * The refusal of a chosen id that is taken. The id of a hidden record is refused like one that cannot be chosen; that it is taken
 * cannot be hidden, since ids are unique.
 */
export function idTakenError(field: string, { isSeen }: { isSeen: boolean }): OperationError {
  const path = [field];
  if (isSeen) return new OperationError('DUPLICATE', { path });
  return new OperationError('INVALID_PARAMETERS', { detail: [`${field}: ${NOT_AVAILABLE}`], path });
}
