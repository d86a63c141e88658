import type { Document, Filter, ObjectId } from 'mongodb';
import { positionOf } from './keyset.ts';
import { readKeysetTogether } from './keyset-batcher.ts';
import type { KeysetOrder, KeysetQuery } from './keyset-query.ts';

/** A page of the records that match at least one of the filters. */
export interface UnionPageQuery<Record extends Document> extends Omit<KeysetQuery<Record>, 'filter'> {
  /** Each is served by an index of its own. */
  filters: readonly Filter<Record>[];
}

/**
 * Reads one page of each filter in a single command, merges the pages in their order and drops duplicates. With
 * an `$or` whose branches need different indexes, the database would scan the whole collection.
 */
export async function readUnionPage<Record extends Document>(query: UnionPageQuery<Record>): Promise<Record[]> {
  const { filters, ...rest } = query;
  const lists = await Promise.all(filters.map((filter) => readKeysetTogether({ ...rest, filter })));
  if (lists.length === 1) return lists[0]!;
  const unique = new Map(lists.flat().map((record) => [(record._id as ObjectId).toHexString(), record]));
  const merged = [...unique.values()].sort((a, b) => compare(a, b, query.order));
  return query.backward ? merged.slice(-query.limit) : merged.slice(0, query.limit);
}

/** Compares as the database does: strings by their bytes. */
function compare(a: Document, b: Document, order: KeysetOrder): number {
  const [left, right] = [positionOf(a, order), positionOf(b, order)];
  const byValue =
    typeof left.value === 'string'
      ? Buffer.compare(Buffer.from(left.value), Buffer.from(String(right.value)))
      : Number(left.value) - Number(right.value);
  return (byValue || (left.id < right.id ? -1 : 1)) * order.direction;
}
