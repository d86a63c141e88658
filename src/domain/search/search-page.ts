import { ObjectId } from 'mongodb';
import type { Context } from '../../context.ts';
import type { KeysetOrder, Position } from '../../store/keyset-query.ts';
import { checkCursors, emptyPage, type Page, type PageRequest, slicePage } from '../../store/page.ts';
import type { SearchKind } from '../../store/records/search.ts';
import {
  type EntryList,
  type FoundEntry,
  rarestGroup,
  readEntries,
  sortableLists,
} from '../search-index/read-entries.ts';
import { MATCHES, type Match, type SearchWords } from './search-words.ts';

/** A record with its place in the order of a search. */
export interface SearchHit<Record> {
  _id: ObjectId;
  record: Record;
  /** 0 to 1. */
  score: number;
  /** {@link rankOf} */
  rank: number;
}

export interface SearchQuery<Record> {
  kind: SearchKind;
  /** Where records may be; null: anywhere in the network. */
  scopeIds: readonly string[] | null;
  words: SearchWords | null;
  request: PageRequest;
  /** The record of each id, null for a record that is absent, hidden or excluded by a filter. */
  load(recordIds: readonly string[]): Promise<Array<Record | null>>;
}

const WEIGHTS: { readonly [Name in Match]: number } = { heading: 4, words: 2, prefix: 1 };
const HALF_LIFE_MS = 30 * 86_400_000;
/** Most entries that one page reads. */
const MAX_SCANNED = 2_000;

/** By rank, then by internal id. */
const ORDER: KeysetOrder = { field: 'rank', direction: -1, type: 'number' };

/**
 * A time that orders like the score at any moment: a weight halves in {@link HALF_LIFE_MS}, so that a double weight is
 * worth as much as being that much newer.
 */
function rankOf(createdAt: Date, match: Match): number {
  return createdAt.getTime() + advanceOf(match);
}

const advanceOf = (match: Match): number => Math.log2(WEIGHTS[match]) * HALF_LIFE_MS;

function scoreOf(createdAt: Date, match: Match, now: Date): number {
  const age = Math.max(0, now.getTime() - createdAt.getTime());
  return (WEIGHTS[match] / WEIGHTS.heading) * 2 ** (-age / HALF_LIFE_MS);
}

/**
 * One page of a search, best first. Reads the list of the rarest word for each way to match and merges them; see
 * docs/decisions/0027-word-index.md.
 *
 * @throws {OperationError} BAD_REQUEST for a cursor of another list
 */
export async function searchPage<Record>(
  context: Context,
  query: SearchQuery<Record>,
): Promise<Page<SearchHit<Record>>> {
  const { words, request, scopeIds } = query;
  checkCursors(request, ORDER);
  const { backward } = request;
  let edge = backward ? request.before : request.after;
  if (!words || scopeIds?.length === 0) return emptyPage(ORDER);
  const lists = await listsOf(context, { ...query, words });
  const tokens = [...new Set(Object.values(words).flatMap((groups) => groups?.flat() ?? []))];
  const wanted = request.limit + request.skip + 1;
  const hits: SearchHit<Record>[] = [];
  let scanned = 0;
  let size = wanted;
  let exhausted = lists.length === 0;
  while (hits.length < wanted && !exhausted && scanned < MAX_SCANNED) {
    const share = Math.floor((MAX_SCANNED - scanned) / lists.length);
    const limit = Math.max(1, Math.min(size, share));
    size *= 2;
    const [after, before] = backward ? [request.after, edge] : [edge, request.before];
    const found = await readEntries(context, {
      lists: lists.map((list) => ({ ...list, after: positionIn(list, after), before: positionIn(list, before) })),
      tokens,
      limit,
      backward,
    });
    const ranked = found.flatMap((entries, index) => entries.map((entry) => ranking(entry, lists[index]!.match)));
    const inOrder = (a: Ranked, b: Ranked) => (backward ? compare(b, a) : compare(a, b));
    scanned += ranked.length;
    // Lists with more entries are known up to the last one that was read.
    const ends = found.flatMap((entries, index) =>
      entries.length < limit ? [] : [ranking(entries.at(-1)!, lists[index]!.match)],
    );
    const end = ends.sort(inOrder)[0];
    const complete = ranked.sort(inOrder).filter((entry) => !end || inOrder(entry, end) <= 0);
    exhausted = !end;
    const last = end ?? complete.at(-1);
    if (last) edge = { value: last.rank, id: last.entry._id.toHexString() };
    hits.push(...(await visibleHits(context, query, matching(complete, words))));
  }
  const records = backward ? hits.reverse() : hits;
  return slicePage({ records, order: ORDER, request, exhausted, edge });
}

interface List extends EntryList {
  match: Match;
}

interface Ranked {
  entry: FoundEntry;
  match: Match;
  rank: number;
}

/** The lists to merge: for each way to match and each place, those of the tokens of the rarest group. */
async function listsOf<Record>(
  context: Context,
  { kind, scopeIds, words }: SearchQuery<Record> & { words: SearchWords },
): Promise<List[]> {
  const places = scopeIds ?? [null];
  const lists = await Promise.all(
    MATCHES.map(async (match): Promise<List[]> => {
      const groups = words[match];
      if (!groups || (match === 'heading' && !HAS_HEADING.has(kind))) return [];
      // Counted in the first place only: this saves reads but does not change the result.
      const group = await rarestGroup(context, { groups, kind, scopeId: places[0] ?? null });
      return places.flatMap((scopeId) => group.map((token) => ({ kind, scopeId, token, match })));
    }),
  );
  return sortableLists(context, lists.flat());
}

const HAS_HEADING: ReadonlySet<SearchKind> = new Set(['post', 'community']);

function ranking(entry: FoundEntry, match: Match): Ranked {
  return { entry, match, rank: rankOf(entry.createdAt, match) };
}

function compare(a: Ranked, b: Ranked): number {
  const [left, right] = [a.entry._id.toHexString(), b.entry._id.toHexString()];
  return b.rank - a.rank || (left === right ? 0 : left < right ? 1 : -1);
}

/** The position of a cursor in one list. */
function positionIn({ match }: List, edge: Position | null) {
  return edge && { createdAt: new Date(Number(edge.value) - advanceOf(match)), id: new ObjectId(edge.id) };
}

/**
 * Entries that match as their list requires, once. An entry with a better match is in a list of that match as well, and
 * has its place there.
 */
function matching(entries: readonly Ranked[], words: SearchWords): Ranked[] {
  const seen = new Set<string>();
  return entries.filter(({ entry, match }) => {
    const id = entry._id.toHexString();
    if (seen.has(id) || matchOf(entry, words) !== match) return false;
    seen.add(id);
    return true;
  });
}

function matchOf({ found }: FoundEntry, words: SearchWords): Match | undefined {
  const has = new Set(found);
  return MATCHES.find((match) => words[match]?.every((group) => group.some((token) => has.has(token))));
}

async function visibleHits<Record>(
  context: Context,
  { load }: SearchQuery<Record>,
  entries: readonly Ranked[],
): Promise<SearchHit<Record>[]> {
  if (entries.length === 0) return [];
  const now = context.now();
  const records = await load(entries.map(({ entry }) => entry.recordId));
  return entries.flatMap(({ entry, match, rank }, index) => {
    const record = records[index];
    return record ? [{ _id: entry._id, record, rank, score: scoreOf(entry.createdAt, match, now) }] : [];
  });
}
