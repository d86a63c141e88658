/** Texts as one text that no other texts give: ids hold any character, so nothing may stand between them alone. */
export function compositeKey(...parts: readonly string[]): string {
  let key = '';
  for (const part of parts) key += `${part.length}:${part}`;
  return key;
}
