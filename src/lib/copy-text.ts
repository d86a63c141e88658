/** V8 copies shorter parts itself. */
const SHORTEST_PART = 13;

/**
 * A copy of a text, for what is kept in memory: V8 keeps a part of a text as a reference to the whole, such as the body of a
 * request, a document or a page.
 */
export function copyText(text: string): string {
  if (text.length < SHORTEST_PART) return text;
  const encoding = text.isWellFormed() ? 'utf8' : 'utf16le';
  return Buffer.from(text, encoding).toString(encoding);
}
