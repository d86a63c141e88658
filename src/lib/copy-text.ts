/**
 * A copy of a well-formed text, for parts of longer texts that are kept: V8 stores a part as a reference to the whole text,
 * which then stays in memory.
 */
export function copyText(text: string): string {
  return Buffer.from(text).toString();
}
