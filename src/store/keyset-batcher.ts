import { type Collection, type Document, MongoServerError } from 'mongodb';
import { OperationError } from '../errors.ts';
import { isSliceOver, nextSlice } from '../time-slice.ts';
import { decodeRecord } from './decode.ts';
import { type KeysetQuery, keysetPlan, MAX_PAGE_MS, readKeyset } from './keyset.ts';

/** How many pages one command carries at most. */
const MAX_PAGES = 50;

/** A record of a shared command, and the page in which it belongs; in a list, for only lists come undecoded. */
interface InPage {
  page: number;
  record: [Buffer];
}

interface Waiting {
  query: KeysetQuery<Document>;
  resolve(records: Document[]): void;
  reject(reason: unknown): void;
}

const queues = new WeakMap<Collection<Document>, Waiting[]>();

/**
 * As {@link readKeyset}, but pages of one collection that are asked for in the same turn (the comments of each post of
 * a list) share a command: each keeps its own index range, order and limit. A page that is alone costs what it did.
 *
 * @throws {OperationError} UNAVAILABLE when the database did not find them in time
 */
export function readKeysetTogether<Record extends Document>(query: KeysetQuery<Record>): Promise<Record[]> {
  const collection = query.collection as unknown as Collection<Document>;
  return new Promise((resolve, reject) => {
    const waiting = { query, resolve, reject } as unknown as Waiting;
    const queue = queues.get(collection);
    if (queue) {
      queue.push(waiting);
      return;
    }
    queues.set(collection, [waiting]);
    setImmediate(() => {
      const all = queues.get(collection)!;
      queues.delete(collection);
      for (let from = 0; from < all.length; from += MAX_PAGES) void send(collection, all.slice(from, from + MAX_PAGES));
    });
  });
}

async function send(collection: Collection<Document>, group: Waiting[]): Promise<void> {
  try {
    const pages = group.length === 1 ? [await readKeyset(group[0]!.query)] : await readUnion(collection, group);
    for (const [index, { resolve }] of group.entries()) resolve(pages[index]!);
  } catch (error) {
    const reason = isOutOfTime(error) ? tooSlow() : error;
    for (const { reject } of group) reject(reason);
  }
}

async function readUnion(collection: Collection<Document>, group: Waiting[]): Promise<Document[][]> {
  const [first, ...others] = group.map(({ query }, index) => {
    const { filter, sort } = keysetPlan(query);
    const inPage = { $replaceWith: { page: { $literal: index }, record: ['$$ROOT'] } };
    return [{ $match: filter }, { $sort: sort }, { $limit: query.limit }, inPage];
  });
  const unions = others.map((pipeline) => ({ $unionWith: { coll: collection.collectionName, pipeline } }));
  const pages: Document[][] = group.map(() => []);
  const found = collection.aggregate<InPage>([...first!, ...unions], {
    fieldsAsRaw: { record: true },
    maxTimeMS: MAX_PAGE_MS,
  });
  for (const { page, record } of await found.toArray()) {
    pages[page]!.push(decodeRecord(record[0]));
    if (isSliceOver()) await nextSlice();
  }
  return pages.map((records, index) => (group[index]!.query.backward ? records.reverse() : records));
}

/** The code under which the database ends what takes longer than it was given. */
const MAX_TIME_EXPIRED = 50;

function isOutOfTime(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === MAX_TIME_EXPIRED;
}

function tooSlow(): OperationError {
  return new OperationError('UNAVAILABLE', { message: 'Looking for this took too long: narrow what is asked for.' });
}
