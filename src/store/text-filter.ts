/**
 * A condition that holds where the text occurs anywhere, in upper or lower case. What the client wrote is escaped
 * sign by sign: it is never a pattern, so it can neither run long nor be malformed.
 */
export function containsText(text: string): { $regex: string; $options: 'i' } {
  const escaped = text.replaceAll('\0', '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return { $regex: escaped, $options: 'i' };
}
