import { type AbstractCursor, type Document, type Filter, ObjectId } from 'mongodb';
import { decodeRecords } from './decode.ts';
import type { KeysetOrder, KeysetQuery, Position } from './keyset-query.ts';
import { observeList } from './read-observer.ts';

/**
 * Time limit of the database for one page. A filter that no index serves, such as deleted records only, scans every record
 * of the list when nothing matches.
 */
export const MAX_PAGE_MS = 5_000;

/**
 * Reads one page by position, never by skip: its cost does not grow with the depth of the page, and records inserted or
 * deleted on other pages neither repeat nor hide records of this one.
 *
 * A residual condition beside a plain range on the sort field resolves ties, so that one index serves both.
 */
export function readKeyset<Record extends Document>(query: KeysetQuery<Record>): Promise<Record[]> {
  return observeList(query, readKeysetUnobserved);
}

/** As {@link readKeyset}, for a caller that has reported the read to the observer of the request. */
export async function readKeysetUnobserved<Record extends Document>(query: KeysetQuery<Record>): Promise<Record[]> {
  const { filter, sort } = keysetPlan(query);
  const found = query.collection
    .find(filter as Filter<Record>, { raw: true, maxTimeMS: MAX_PAGE_MS })
    .sort(sort)
    .limit(query.limit);
  const records: Document[] = [];
  await eachBatch<Buffer>(found, async (batch) => {
    records.push(...(await decodeRecords(batch, query.budget)));
    return true;
  });
  return (query.backward ? records.reverse() : records) as Record[];
}

/** Reads a cursor batch by batch and closes it as soon as `work` throws or returns false. */
export async function eachBatch<Item>(
  cursor: AbstractCursor<unknown>,
  work: (batch: Item[]) => Promise<boolean>,
): Promise<void> {
  try {
    while (await cursor.hasNext()) {
      const isWanted = await work(cursor.readBufferedDocuments() as Item[]);
      if (!isWanted) return;
    }
  } finally {
    await cursor.close();
  }
}

/** The filter and sort of a page. With `backward` the sort, and so the order of the found records, is reversed. */
export function keysetPlan<Record extends Document>(
  query: KeysetQuery<Record>,
): { filter: Document; sort: KeysetSort } {
  const { field } = query.order;
  const direction = query.backward ? reverse(query.order.direction) : query.order.direction;
  const conditions: Document[] = [query.filter];
  if (query.after) conditions.push(conditionAfter(field, query.order.direction, query.after));
  if (query.before) conditions.push(conditionAfter(field, reverse(query.order.direction), query.before));
  return {
    filter: conditions.length === 1 ? conditions[0]! : { $and: conditions },
    sort: field === '_id' ? { _id: direction } : { [field]: direction, _id: direction },
  };
}

type KeysetSort = { [field: string]: 1 | -1 };

/** The position of a record in the given order. */
export function positionOf(record: Document, order: KeysetOrder): Position {
  return { value: record[order.field] as Position['value'], id: (record._id as ObjectId).toHexString() };
}

function conditionAfter(field: string, direction: 1 | -1, position: Position): Document {
  const strict = direction === 1 ? '$gt' : '$lt';
  const inclusive = direction === 1 ? '$gte' : '$lte';
  if (field === '_id') return { _id: { [strict]: new ObjectId(position.id) } };
  return {
    [field]: { [inclusive]: position.value },
    $or: [{ [field]: { [strict]: position.value } }, { _id: { [strict]: new ObjectId(position.id) } }],
  };
}

function reverse(direction: 1 | -1): 1 | -1 {
  return direction === 1 ? -1 : 1;
}
