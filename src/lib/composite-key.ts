import { flatText } from './flat-text.ts';

/** Combines several texts into one key. Each part is prefixed with its length, since ids may contain any separator. */
export function compositeKey(...parts: readonly string[]): string {
  let key = '';
  for (const part of parts) key += `${part.length}:${part}`;
  return flatText(key);
}
