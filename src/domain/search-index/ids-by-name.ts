import type { Collection } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import { type Batcher, createBatcher } from '../../store/batcher.ts';
import type { SearchEntryRecord, SearchKind } from '../../store/records/search.ts';
import { gramsWithin } from '../../store/search/name-grams.ts';
import { aggregateAll, filterOf, MAX_COUNTED, tokensField } from './read-entries.ts';

export interface NameQuery {
  kind: SearchKind;
  text: string;
  /** Absent for kinds of records that are found in the whole network. */
  scopeId?: string;
}

/** Maximum records to which a list by name is limited before it is read. */
const MAX_IDS = 2_000;
/** Parts of the text of which the rarest is determined. */
const MAX_COUNTED_GRAMS = 5;
/** Names of one command. */
const MAX_NAMES = 20;
/** Approximate size of an id in the answer of the database. */
const ID_BYTES = 40;

/**
 * Public ids of the records whose names may contain a text, ignoring case: all that contain it, and some others, so the
 * list must compare the names, too.
 *
 * @returns null if there are more than {@link MAX_IDS}: then a list in its own order finds matching records soon
 */
export async function idsByName(context: Context, query: NameQuery): Promise<readonly string[] | null> {
  const { networkId } = viewerOf(context);
  const ids = await batcherOf(context.store.collections.searchEntries).load(networkId, query);
  context.reads.charge((ids?.length ?? 0) * ID_BYTES);
  return ids;
}

/** Members of a channel or community up to which a list compares each name. */
const MAX_COMPARED_MEMBERS = 1_000;

/**
 * User ids to which a list of members by name is limited before it is read: as {@link idsByName}.
 * @returns null without a text, and for few members
 */
export async function memberIdsByName(
  context: Context,
  { text, memberCount }: { text: string | null | undefined; memberCount: number },
): Promise<readonly string[] | null> {
  return text && memberCount > MAX_COMPARED_MEMBERS ? idsByName(context, { kind: 'user', text }) : null;
}

type Entries = Collection<SearchEntryRecord>;

const batchers = new WeakMap<Entries, Batcher<NameQuery, readonly string[]>>();

/** Lists of one request, and of concurrent ones, share commands. */
function batcherOf(entries: Entries): Batcher<NameQuery, readonly string[]> {
  const known = batchers.get(entries);
  if (known) return known;
  const batcher = createBatcher<NameQuery, readonly string[]>({
    collection: 'searchEntries',
    keyOf: ({ kind, scopeId = '', text }) => JSON.stringify([kind, scopeId, text]),
    async fetch(networkId, queries) {
      const found = new Map<string, readonly string[]>();
      for (let from = 0; from < queries.length; from += MAX_NAMES) {
        const some = queries.slice(from, from + MAX_NAMES);
        const ids = await idsOf(entries, networkId, some);
        for (const [index, query] of some.entries()) if (ids[index]) found.set(batcher.keyOf(query), ids[index]);
      }
      return found;
    },
  });
  batchers.set(entries, batcher);
  return batcher;
}

async function idsOf(
  entries: Entries,
  networkId: string,
  queries: readonly NameQuery[],
): Promise<Array<string[] | null>> {
  const named = queries.map((query) => ({ ...query, grams: gramsWithin(query.text) }));
  const rarest = await rarestGrams(entries, networkId, named);
  const pipelines = named.flatMap((query, index) => {
    const token = rarest[index];
    if (!token) return [];
    const hasAll = { $setIsSubset: [query.grams, `$${tokensField(query.scopeId ?? null)}`] };
    const recordId = { $cond: [hasAll, '$recordId', null] };
    return [
      [
        { $match: filterOf({ networkId }, listOf(query, token)) },
        { $limit: MAX_IDS + 1 },
        { $group: { _id: { $literal: index }, ids: { $push: recordId } } },
      ],
    ];
  });
  const answers = await aggregateAll<{ _id: number; ids: Array<string | null> }>(entries, pipelines);
  const idsByIndex = new Map(answers.map(({ _id, ids }) => [_id, ids]));
  return named.map((_, index) => {
    if (!rarest[index]) return null;
    const ids = idsByIndex.get(index) ?? [];
    return ids.length > MAX_IDS ? null : ids.filter((id) => id !== null);
  });
}

/** For each query, the part of its text that the fewest names have; undefined for a text without parts. */
async function rarestGrams(
  entries: Entries,
  networkId: string,
  queries: ReadonlyArray<NameQuery & { grams: string[] }>,
): Promise<Array<string | undefined>> {
  const candidates = queries.map(({ grams }) => evenlySpaced(grams, MAX_COUNTED_GRAMS));
  const pipelines = queries.flatMap((query, index) =>
    candidates[index]!.length < 2
      ? []
      : candidates[index]!.map((token, place) => [
          { $match: filterOf({ networkId }, listOf(query, token)) },
          { $limit: MAX_COUNTED },
          { $group: { _id: { $literal: index * MAX_COUNTED_GRAMS + place }, count: { $sum: 1 } } },
        ]),
  );
  const answers = await aggregateAll<{ _id: number; count: number }>(entries, pipelines);
  const counts = new Map(answers.map(({ _id, count }) => [_id, count]));
  return candidates.map((tokens, index) => {
    const own = tokens.map((_, place) => counts.get(index * MAX_COUNTED_GRAMS + place) ?? 0);
    return tokens[own.indexOf(Math.min(...own))];
  });
}

const listOf = ({ kind, scopeId = null }: { kind: SearchKind; scopeId?: string | null }, token: string) => ({
  kind,
  scopeId,
  token,
});

/** At most `count` values, including the first and the last. */
function evenlySpaced(values: readonly string[], count: number): string[] {
  if (values.length <= count) return [...values];
  return Array.from({ length: count }, (_, index) => values[Math.round((index * (values.length - 1)) / (count - 1))]!);
}
