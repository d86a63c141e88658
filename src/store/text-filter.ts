import { OperationError } from '../errors.ts';

/** The longest search text, in characters. */
const MAX_TEXT = 900;

/**
 * Returns a condition that matches fields containing the text, ignoring case. The text is escaped completely, so it
 * cannot act as a pattern: it can be neither slow nor malformed.
 *
 * @throws {OperationError} INVALID_PARAMETERS for more than {@link MAX_TEXT} characters
 */
export function containsText(text: string): { $regex: string; $options: 'i' } {
  if (text.length > MAX_TEXT) {
    throw new OperationError('INVALID_PARAMETERS', {
      detail: [`search text: at most ${MAX_TEXT} characters`],
    });
  }
  const escaped = text.replaceAll('\0', '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return { $regex: escaped, $options: 'i' };
}
