import type { Document, ObjectId } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import { MAX_PAGE_MS } from '../../store/keyset.ts';
import type { SearchKind } from '../../store/records/search.ts';
import type { TokenGroups } from './search-words.ts';

/** A position in the list of one token: entries after it are older. */
export interface EntryPosition {
  createdAt: Date;
  id: ObjectId;
}

/** An entry as far as a search needs it. */
export interface FoundEntry {
  _id: ObjectId;
  recordId: string;
  createdAt: Date;
  /** Those of the query's tokens that it has. */
  found: string[];
}

/** The entries of one token, newest first. */
export interface EntryList {
  kind: SearchKind;
  /** Null: the whole network. */
  scopeId: string | null;
  token: string;
}

/** Entries of a token that are counted to find the rarest word; more count as equally many. */
const MAX_COUNTED = 1_000;
/** Approximate size of a {@link FoundEntry} in the database. */
const ENTRY_BYTES = 100;

function filterOf({ networkId }: { networkId: string }, { kind, scopeId, token }: EntryList): Document {
  return scopeId === null
    ? { networkId, isNetworkWide: true, kind, tokens: token }
    : { networkId, scopeId, tokens: token };
}

/**
 * Reads the entries of several lists after a position each, in one command.
 *
 * @param tokens the query's, of which `found` reports those an entry has
 */
export async function readEntries(
  context: Context,
  {
    lists,
    tokens,
    limit,
  }: { lists: ReadonlyArray<EntryList & { after: EntryPosition | null }>; tokens: readonly string[]; limit: number },
): Promise<FoundEntry[][]> {
  if (lists.length === 0) return [];
  const viewer = viewerOf(context);
  const { searchEntries } = context.store.collections;
  const [first, ...others] = lists.map((list, index) => [
    { $match: { ...filterOf(viewer, list), ...conditionAfter(list.after) } },
    { $sort: { createdAt: -1, _id: -1 } },
    { $limit: limit },
    {
      $project: {
        list: { $literal: index },
        recordId: 1,
        createdAt: 1,
        found: { $setIntersection: ['$tokens', [...tokens]] },
      },
    },
  ]);
  const unions = others.map((pipeline) => ({ $unionWith: { coll: searchEntries.collectionName, pipeline } }));
  const found = await inTime(
    searchEntries
      .aggregate<FoundEntry & { list: number }>([...first!, ...unions], { maxTimeMS: MAX_PAGE_MS })
      .toArray(),
  );
  context.reads.charge(found.length * ENTRY_BYTES);
  const results: FoundEntry[][] = lists.map(() => []);
  for (const { list, ...entry } of found) results[list]!.push(entry);
  return results;
}

/** The group whose tokens have the fewest entries; the others only filter its list. */
export async function rarestGroup(
  context: Context,
  { groups, kind, scopeId }: { groups: TokenGroups; kind: SearchKind; scopeId: string | null },
): Promise<readonly string[]> {
  const [only, ...more] = groups;
  if (more.length === 0) return only!;
  const counts = await Promise.all(groups.map((group) => countEntries(context, { group, kind, scopeId })));
  return groups[counts.indexOf(Math.min(...counts))]!;
}

async function countEntries(
  context: Context,
  { group, kind, scopeId }: { group: readonly string[]; kind: SearchKind; scopeId: string | null },
): Promise<number> {
  const viewer = viewerOf(context);
  const { searchEntries } = context.store.collections;
  const counts = group.map((token) =>
    searchEntries.countDocuments(filterOf(viewer, { kind, scopeId, token }), {
      limit: MAX_COUNTED,
      maxTimeMS: MAX_PAGE_MS,
    }),
  );
  return (await inTime(Promise.all(counts))).reduce((sum, count) => sum + count, 0);
}

function conditionAfter(after: EntryPosition | null): Document {
  if (!after) return {};
  const { createdAt, id } = after;
  return { createdAt: { $lte: createdAt }, $or: [{ createdAt: { $lt: createdAt } }, { _id: { $lt: id } }] };
}

/** MaxTimeMSExpired. */
const MAX_TIME_EXPIRED = 50;

async function inTime<Result>(reading: Promise<Result>): Promise<Result> {
  try {
    return await reading;
  } catch (error) {
    if ((error as { code?: unknown }).code !== MAX_TIME_EXPIRED) throw error;
    throw new OperationError('UNAVAILABLE', { message: 'The search took too long: use rarer words.' });
  }
}
