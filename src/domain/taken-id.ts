import { OperationError } from '../errors.ts';

/** The message for ids that clients cannot choose, and for ids of records that the viewer does not see. */
export const NOT_AVAILABLE = 'is not available';

/**
 * The error for an id that is taken. The id of a hidden record is rejected like a reserved one; that it is taken cannot
 * be hidden, because ids are unique.
 */
export function idTakenError(field: string, { isSeen }: { isSeen: boolean }): OperationError {
  const path = [field];
  if (isSeen) return new OperationError('DUPLICATE', { path });
  return new OperationError('INVALID_PARAMETERS', { detail: [`${field}: ${NOT_AVAILABLE}`], path });
}
