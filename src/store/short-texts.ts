/** Longer texts are seldom equal to others. */
export const MAX_SHORT_BYTES = 40;
/** A power of two. A text replaces the one in its place. */
const PLACES = 4_096;

const texts: string[] = new Array(PLACES).fill('');

/**
 * Reads a text of at most {@link MAX_SHORT_BYTES} bytes, and returns the same string for equal texts that are read often, such as
 * names and ids: it need not be allocated again, and takes its memory once.
 *
 * @returns null if not all characters are ASCII
 */
export function readShortText(bytes: Buffer, start: number, end: number): string | null {
  let hash = end - start;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at]!;
    if (byte > 0x7f) return null;
    hash = (Math.imul(hash, 31) + byte) | 0;
  }
  const place = (hash ^ (hash >>> 15)) & (PLACES - 1);
  const known = texts[place]!;
  if (isText(known, bytes, start, end)) return known;
  const text = bytes.toString('latin1', start, end);
  texts[place] = text;
  return text;
}

function isText(text: string, bytes: Buffer, start: number, end: number): boolean {
  const { length } = text;
  if (length !== end - start) return false;
  for (let index = 0; index < length; index += 1) if (text.charCodeAt(index) !== bytes[start + index]) return false;
  return true;
}
