/** The longest part of a name that is a token, in characters. Shorter ones are tokens as well, for short queries. */
const MAX_GRAM = 3;

const gramToken = (gram: string): string => `~${gram}`;

/**
 * Folds the case of each character on its own, so that the parts of a folded text are the folded parts of the text.
 * Characters that a regular expression with the option `i` considers equal become equal.
 */
function foldCase(text: string): string[] {
  return [...text].flatMap((character) => [...character.toLowerCase().toUpperCase().toLowerCase()]);
}

/** The tokens of a name: its parts of 1 to 3 characters. Names that contain a text have all of {@link gramsWithin} it. */
export function gramsOfName(name: string): string[] {
  const characters = foldCase(name);
  return [1, 2, MAX_GRAM].flatMap((size) => gramsOf(characters, size));
}

/**
 * The longest parts of a text that are tokens of the names that contain it, ignoring case; without the null characters,
 * which `containsText` ignores.
 */
export function gramsWithin(text: string): string[] {
  const characters = foldCase(text.replaceAll('\0', ''));
  return gramsOf(characters, Math.min(MAX_GRAM, characters.length));
}

function gramsOf(characters: readonly string[], size: number): string[] {
  const grams = new Set<string>();
  for (let start = 0; size > 0 && start + size <= characters.length; start++) {
    grams.add(gramToken(characters.slice(start, start + size).join('')));
  }
  return [...grams];
}
