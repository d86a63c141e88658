import { OperationError } from '../errors.ts';

/** The longest text that a list is searched for. */
const MAX_TEXT = 900;

/**
 * A condition that holds where the text occurs anywhere, in upper or lower case. What the client wrote is escaped
 * sign by sign: it is never a pattern, so it can neither run long nor be malformed.
 *
 * @throws {OperationError} INVALID_PARAMETERS for more than {@link MAX_TEXT} characters
 */
export function containsText(text: string): { $regex: string; $options: 'i' } {
  if (text.length > MAX_TEXT) {
    throw new OperationError('INVALID_PARAMETERS', {
      detail: [`A text to search for: at most ${MAX_TEXT} characters`],
    });
  }
  const escaped = text.replaceAll('\0', '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return { $regex: escaped, $options: 'i' };
}
