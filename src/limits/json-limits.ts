import { HTTP_LIMITS, type LimitName } from './limits.ts';

/**
 * Returns the first limit that JSON text exceeds, in one pass over its characters before it is parsed: parsing creates
 * every value, and functions on parsed values (validation, comparison, printing) are recursive.
 */
export function exceededByJson(text: string): LimitName | null {
  let depth = 0;
  let values = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text.charCodeAt(index);
    if (inString) {
      if (char === BACKSLASH) index += 1;
      else if (char === QUOTE) inString = false;
    } else if (char === QUOTE) inString = true;
    else if (char === COMMA) values += 1;
    else if (char === OPEN_BRACE || char === OPEN_BRACKET) {
      values += 1;
      depth += 1;
      if (depth > HTTP_LIMITS.jsonDepth) return 'jsonDepth';
    } else if (char === CLOSE_BRACE || char === CLOSE_BRACKET) depth -= 1;
    if (values > HTTP_LIMITS.jsonValues) return 'jsonValues';
  }
  return null;
}

const [QUOTE, BACKSLASH, COMMA, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [...'"\\,{}[]'].map((char) =>
  char.charCodeAt(0),
);
