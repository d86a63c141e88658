import type { Collection, Document, ObjectId } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import { MAX_PAGE_MS } from '../../store/keyset.ts';
import type { SearchEntryRecord, SearchKind } from '../../store/records/search.ts';
import { beginningOf, EVERY_RECORD } from '../../store/search/tokens.ts';

/** The tokens that a record needs: of each group one. */
export type TokenGroups = ReadonlyArray<readonly string[]>;

/** A position in the list of one token. */
export interface EntryPosition {
  createdAt: Date;
  id: ObjectId;
}

/** The parts of an entry that a search needs. */
export interface FoundEntry {
  _id: ObjectId;
  recordId: string;
  createdAt: Date;
  /** Those of the query's tokens that it has. */
  found: string[];
}

/** The entries of one token. */
export interface EntryList {
  kind: SearchKind;
  /** Null: the whole network. */
  scopeId: string | null;
  token: string;
}

/** Entries of a token that are counted to find the rarest word; more count as equally many. */
export const MAX_COUNTED = 1_000;
/** Entries that the database sorts by time for one page, because they have one of several words. */
const MAX_SORTED = 4_000;
/** Approximate size of a {@link FoundEntry} in the database. */
const ENTRY_BYTES = 100;

/** The field with the tokens by which an entry is in lists of a place or of the network. */
export const tokensField = (scopeId: string | null): 'tokens' | 'scopeTokens' =>
  scopeId === null ? 'tokens' : 'scopeTokens';

/**
 * A filter of the entries of a list, which an index serves. In a place, a prefix is a range of words, which are not in the
 * order of time.
 */
export function filterOf({ networkId }: { networkId: string }, { kind, scopeId, token }: EntryList): Document {
  if (scopeId === null) return { networkId, kind, tokens: token };
  const beginning = beginningOf(token);
  // Tokens consist of letters, marks, digits and characters without a meaning in expressions.
  return { networkId, scopeId, scopeTokens: beginning === null ? token : { $regex: `^${beginning}` } };
}

export interface EntryQuery {
  /** With the positions between which the entries are: after the newer one, before the older one. */
  lists: ReadonlyArray<EntryList & { after: EntryPosition | null; before: EntryPosition | null }>;
  /** The query's, of which `found` reports those that an entry has. */
  tokens: readonly string[];
  /** Of each list. */
  limit: number;
  /** Whether to read from the oldest entry. */
  backward: boolean;
}

/** Reads the entries of several lists in one command, in the order of reading. */
export async function readEntries(
  context: Context,
  { lists, tokens, limit, backward }: EntryQuery,
): Promise<FoundEntry[][]> {
  if (lists.length === 0) return [];
  const viewer = viewerOf(context);
  const { searchEntries } = context.store.collections;
  const pipelines = lists.map((list, index) => [
    { $match: { $and: [filterOf(viewer, list), ...conditionsOf(list)] } },
    { $sort: backward ? { createdAt: 1, _id: 1 } : { createdAt: -1, _id: -1 } },
    { $limit: limit },
    {
      $project: {
        list: { $literal: index },
        recordId: 1,
        createdAt: 1,
        found: foundOf(tokens, list.scopeId),
      },
    },
  ]);
  const found = await aggregateAll<FoundEntry & { list: number }>(searchEntries, pipelines);
  context.reads.charge(found.length * ENTRY_BYTES);
  const results: FoundEntry[][] = lists.map(() => []);
  for (const { list, ...entry } of found) results[list]!.push(entry);
  return results;
}

/** Those of the tokens that an entry has. */
function foundOf(tokens: readonly string[], scopeId: string | null): Document {
  const field = `$${tokensField(scopeId)}`;
  const exact = { $setIntersection: [field, [...tokens]] };
  if (scopeId === null) return exact;
  const prefixes = tokens.flatMap((token) => {
    const beginning = beginningOf(token);
    if (beginning === null) return [];
    const isLonger = { $and: [{ $gt: ['$$word', beginning] }, { $lt: ['$$word', `${beginning}${LAST_CHARACTER}`] }] };
    const words = { $filter: { input: field, as: 'word', cond: isLonger } };
    return [{ $cond: [{ $gt: [{ $size: words }, 0] }, [token], []] }];
  });
  return prefixes.length === 0 ? exact : { $concatArrays: [exact, ...prefixes] };
}

/** Sorts after each character of a word. */
const LAST_CHARACTER = '\u{10ffff}';

/**
 * Replaces lists of prefixes in places where too many entries have them to be sorted: by all entries of the place, where
 * those are frequent.
 */
export async function sortableLists<List extends EntryList>(context: Context, lists: readonly List[]): Promise<List[]> {
  const ranges = lists.filter(({ scopeId, token }) => scopeId !== null && beginningOf(token) !== null);
  const most = Math.floor(MAX_SORTED / ranges.length);
  const viewer = viewerOf(context);
  const pipelines = ranges.map((list, index) => [
    { $match: filterOf(viewer, list) },
    { $limit: most + 1 },
    { $group: { _id: { $literal: index }, count: { $sum: 1 } } },
  ]);
  const { searchEntries } = context.store.collections;
  const counts = await aggregateAll<{ _id: number; count: number }>(searchEntries, pipelines);
  context.reads.charge(counts.reduce((sum, { count }) => sum + count, 0) * ENTRY_BYTES);
  const long = new Set(counts.filter(({ count }) => count > most).map(({ _id }) => ranges[_id]));
  return lists.map((list) => (long.has(list) ? { ...list, token: EVERY_RECORD } : list));
}

/** The group with the fewest entries; the other groups only filter its list. */
export async function rarestGroup(
  context: Context,
  { groups, kind, scopeId }: { groups: TokenGroups; kind: SearchKind; scopeId: string | null },
): Promise<readonly string[]> {
  if (groups.length === 1) return groups[0]!;
  const viewer = viewerOf(context);
  const { searchEntries } = context.store.collections;
  const pipelines = groups.flatMap((group, index) =>
    group.map((token) => [
      { $match: filterOf(viewer, { kind, scopeId, token }) },
      { $limit: MAX_COUNTED },
      { $group: { _id: { $literal: index }, count: { $sum: 1 } } },
    ]),
  );
  const found = await aggregateAll<{ _id: number; count: number }>(searchEntries, pipelines);
  const counts = groups.map((_, index) =>
    found.reduce((sum, { _id, count }) => (_id === index ? sum + count : sum), 0),
  );
  return groups[counts.indexOf(Math.min(...counts))]!;
}

function conditionsOf({ after, before }: EntryQuery['lists'][number]): Document[] {
  return [...(after ? [conditionOf('$lt', after)] : []), ...(before ? [conditionOf('$gt', before)] : [])];
}

function conditionOf(operator: '$lt' | '$gt', { createdAt, id }: EntryPosition): Document {
  return {
    createdAt: { [`${operator}e`]: createdAt },
    $or: [{ createdAt: { [operator]: createdAt } }, { _id: { [operator]: id } }],
  };
}

/** MaxTimeMSExpired. */
const MAX_TIME_EXPIRED = 50;

/**
 * The results of several pipelines, in one command.
 * @throws {OperationError} UNAVAILABLE after {@link MAX_PAGE_MS}
 */
export async function aggregateAll<Result extends Document>(
  entries: Collection<SearchEntryRecord>,
  [first, ...others]: readonly Document[][],
): Promise<Result[]> {
  if (!first) return [];
  const unions = others.map((pipeline) => ({ $unionWith: { coll: entries.collectionName, pipeline } }));
  try {
    return await entries.aggregate<Result>([...first, ...unions], { maxTimeMS: MAX_PAGE_MS }).toArray();
  } catch (error) {
    if ((error as { code?: unknown }).code !== MAX_TIME_EXPIRED) throw error;
    throw new OperationError('UNAVAILABLE', { message: 'The search took too long: use rarer words.' });
  }
}
