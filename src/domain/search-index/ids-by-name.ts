import type { Context } from '../../context.ts';
import type { SearchKind } from '../../store/records/search.ts';
import { gramsWithin } from '../../store/search/name-grams.ts';
import { rarestGroup, readEntries } from './read-entries.ts';

/** Most records to which a list by name is limited before it is read. */
const MAX_IDS = 2_000;
/** Parts of the text of which the rarest is determined. */
const MAX_COUNTED_GRAMS = 5;

/**
 * Public ids of the records whose names contain a text, ignoring case; a superset, so that the list must compare the
 * names, too.
 *
 * @param scopeId null for kinds of records that are found in the whole network
 * @returns null if there are more than {@link MAX_IDS}: then a list in its own order finds matching records soon
 */
export async function idsByName(
  context: Context,
  { kind, text, scopeId = null }: { kind: SearchKind; text: string; scopeId?: string | null },
): Promise<string[] | null> {
  const grams = gramsWithin(text);
  if (grams.length === 0) return null;
  const groups = evenly(grams, MAX_COUNTED_GRAMS).map((gram) => [gram]);
  const [token] = await rarestGroup(context, { groups, kind, scopeId });
  const [entries = []] = await readEntries(context, {
    lists: [{ kind, scopeId, token: token!, after: null, before: null }],
    tokens: grams,
    limit: MAX_IDS + 1,
    backward: false,
  });
  if (entries.length > MAX_IDS) return null;
  return entries.filter(({ found }) => found.length === grams.length).map(({ recordId }) => recordId);
}

/** At most `count` values, including the first and the last. */
function evenly(values: readonly string[], count: number): string[] {
  if (values.length <= count) return [...values];
  return Array.from({ length: count }, (_, index) => values[Math.round((index * (values.length - 1)) / (count - 1))]!);
}
