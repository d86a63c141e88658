import type { ReactionCounts } from '../../store/records/base.ts';

/**
 * Any text may name a reaction, also what a path in a document may not hold: `.`, `$` and NUL are stored as `%2E`, `%24`
 * and `%00`, and `%` as `%25`.
 */
export function storedName(name: string): string {
  return name.replace(
    /[%.$\0]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

function namedAs(stored: string): string {
  return stored.replace(/%(25|2E|24|00)/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

/** Counts by the names that clients gave. `__proto__` is a name like any other (attacks 26). */
export function reactionCounts(stored: ReactionCounts): ReactionCounts {
  const counts: ReactionCounts = Object.create(null);
  for (const [name, count] of Object.entries(stored)) if (count > 0) counts[namedAs(name)] = count;
  return counts;
}
