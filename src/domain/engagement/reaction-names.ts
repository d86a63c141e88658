import type { ReactionCounts } from '../../store/records/base.ts';

/**
 * The field name under which a reaction's count is stored. Reaction names can contain any character; those that are
 * invalid in a field path are escaped: `.`, `$` and NUL as `%2E`, `%24` and `%00`, and `%` as `%25`.
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

/** Counts by reaction name. Safe for the name `__proto__`. */
export function reactionCounts(stored: ReactionCounts): ReactionCounts {
  const counts: ReactionCounts = Object.create(null);
  for (const [name, count] of Object.entries(stored)) if (count > 0) counts[namedAs(name)] = count;
  return counts;
}
