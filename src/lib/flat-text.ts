/**
 * The same text in one piece, for keys that are kept: V8 keeps a concatenated text as a tree of its parts, which takes
 * several times the memory, until one of its characters is read.
 */
export function flatText(text: string): string {
  text.charCodeAt(0);
  return text;
}
