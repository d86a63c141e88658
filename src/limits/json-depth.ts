import { HTTP_LIMITS } from './limits.ts';

/**
 * Whether JSON text nests deeper than `limit`, told by one pass over its characters before anything parses it: what
 * walks a parsed value (validation, comparison, printing) is recursive and would run out of stack.
 */
export function nestsDeeperThan(text: string, limit: number = HTTP_LIMITS.jsonDepth): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text.charCodeAt(index);
    if (inString) {
      if (char === BACKSLASH) index += 1;
      else if (char === QUOTE) inString = false;
    } else if (char === QUOTE) inString = true;
    else if (char === OPEN_BRACE || char === OPEN_BRACKET) {
      depth += 1;
      if (depth > limit) return true;
    } else if (char === CLOSE_BRACE || char === CLOSE_BRACKET) depth -= 1;
  }
  return false;
}

const [QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [...'"\\{}[]'].map((char) =>
  char.charCodeAt(0),
);
