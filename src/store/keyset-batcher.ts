import { type Collection, type Document, MongoServerError } from 'mongodb';
import { OperationError } from '../errors.ts';
import type { ReadBudget } from '../limits/read-budget.ts';
import { cacheHits, cacheLookups } from '../observe/metrics/definitions.ts';
import { decodeRecords, storedBytes } from './decode.ts';
import { canonicalText } from './fingerprint.ts';
import { eachBatch, keysetPlan, MAX_PAGE_MS, readKeysetUnobserved } from './keyset.ts';
import type { KeysetQuery } from './keyset-query.ts';
import { observeList } from './read-observer.ts';
import { MAX_CACHED_LIST, type RecordCache } from './record-cache/record-cache.ts';
import { selectionOf } from './record-cache/selection.ts';

/** The largest number of pages in one command, and of their records together. */
const MAX_PAGES = 50;
const MAX_RECORDS = 320;

/**
 * A record of a shared command and the index of its page. An array, since the driver returns only arrays as raw BSON.
 */
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
 * Like {@link readKeyset}, but pages of one collection that are requested in the same turn of the event loop (the
 * comments of each post of a list) share a command; each keeps its own index range, order and limit. A single page
 * costs the same as with `readKeyset`.
 *
 * @throws {OperationError} UNAVAILABLE when the database exceeds {@link MAX_PAGE_MS}
 */
export function readKeysetTogether<Record extends Document>(query: KeysetQuery<Record>): Promise<Record[]> {
  return observeList(query, readCached);
}

const recordCaches = new WeakMap<ReadBudget, RecordCache>();

/** @param records the cache for lists that are charged to `budget`; null: they are always read */
export function cacheLists(budget: ReadBudget, records: RecordCache | null): void {
  if (records) recordCaches.set(budget, records);
  else recordCaches.delete(budget);
}

const lookups = cacheLookups.with('lists');
const hits = cacheHits.with('lists');

async function readCached<Record extends Document>(query: KeysetQuery<Record>): Promise<Record[]> {
  const { budget, limit } = query;
  const records = recordCaches.get(budget);
  if (!records || limit > MAX_CACHED_LIST) return readTogether(query);
  const name = textOfList(query);
  if (name === null) return readTogether(query);
  lookups.add();
  let list = records.peekList(name);
  if (list && !records.isFresh()) list = (await records.whenFresh()) ? records.peekList(name) : undefined;
  if (!list || budget.mustWait()) {
    const { collection, filter, order } = query;
    const selection = selectionOf(collection.collectionName, filter, [order.field]);
    list = await records.readList({ name, selection }, () => readTogether(query));
  } else {
    hits.add();
    for (const record of list) budget.charge(storedBytes(record));
  }
  return list as Record[];
}

/** Identifies the list that a query reads, whichever request reads it; null for a filter that no text describes. */
export function textOfList<Record extends Document>({
  budget: _,
  collection: { collectionName },
  ...query
}: KeysetQuery<Record>): string | null {
  try {
    return `list ${collectionName} ${canonicalText(query)}`;
  } catch {
    return null;
  }
}

function readTogether<Record extends Document>(query: KeysetQuery<Record>): Promise<Record[]> {
  // Sharing a command saves a larger page little, and `find` copies its records unparsed.
  if (query.limit > MAX_CACHED_LIST)
    return query.budget.readInOrder(() => readKeysetUnobserved(query)).catch(throwReason);
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
      for (const chain of chainsOf(all)) void sendInTurn(collection, chain);
    });
  });
}

/** Sends one command after the other, so that a request over its budget sends no further ones. */
async function sendInTurn(collection: Collection<Document>, groups: Waiting[][]): Promise<void> {
  for (const group of groups) {
    const within = group.filter(isWithinBudget);
    if (within.length > 0) await send(collection, within);
  }
}

function isWithinBudget({ query, reject }: Waiting): boolean {
  try {
    query.budget.charge(0);
    return true;
  } catch (error) {
    reject(error);
    return false;
  }
}

/**
 * Divides pages into chains of groups. A group is one command; the groups of a chain are sent in turn, chains
 * concurrently. A request whose pages need several commands has a chain of its own, so that no other request waits for
 * it. The pages of all other requests share commands, each command being a chain.
 */
function chainsOf(all: readonly Waiting[]): Waiting[][][] {
  const byRequest = new Map<ReadBudget, Waiting[]>();
  for (const waiting of all) {
    const { budget } = waiting.query;
    const own = byRequest.get(budget);
    if (own) own.push(waiting);
    else byRequest.set(budget, [waiting]);
  }
  const chains: Waiting[][][] = [];
  const small: Waiting[][] = [];
  for (const own of byRequest.values()) {
    if (fitsOneCommand(own)) small.push(own);
    else chains.push(packCommands(own.map((waiting) => [waiting])));
  }
  for (const group of packCommands(small)) chains.push([group]);
  return chains;
}

/** Packs lists of pages into few commands, keeping their order and each list in one command. */
function packCommands(lists: readonly Waiting[][]): Waiting[][] {
  const groups: Waiting[][] = [];
  let records = 0;
  for (const list of lists) {
    const group = groups.at(-1);
    const more = recordsOf(list);
    if (group && records + more <= MAX_RECORDS && group.length + list.length <= MAX_PAGES) {
      group.push(...list);
      records += more;
    } else {
      groups.push([...list]);
      records = more;
    }
  }
  return groups;
}

function fitsOneCommand(pages: readonly Waiting[]): boolean {
  return pages.length <= MAX_PAGES && recordsOf(pages) <= MAX_RECORDS;
}

function recordsOf(pages: readonly Waiting[]): number {
  return pages.reduce((records, { query }) => records + query.limit, 0);
}

async function send(collection: Collection<Document>, group: Waiting[]): Promise<void> {
  try {
    if (group.length === 1) group[0]!.resolve(await readKeysetUnobserved(group[0]!.query));
    else await readUnion(collection, group);
  } catch (error) {
    for (const { reject } of group) reject(reasonOf(error));
  }
}

async function readUnion(collection: Collection<Document>, group: Waiting[]): Promise<void> {
  const [first, ...others] = group.map(({ query }, index) => {
    const { filter, sort } = keysetPlan(query);
    const inPage = { $replaceWith: { page: { $literal: index }, record: ['$$ROOT'] } };
    return [{ $match: filter }, { $sort: sort }, { $limit: query.limit }, inPage];
  });
  const unions = others.map((pipeline) => ({ $unionWith: { coll: collection.collectionName, pipeline } }));
  const pages: Array<Document[] | null> = group.map(() => []);
  const found = collection.aggregate<InPage>([...first!, ...unions], {
    fieldsAsRaw: { record: true },
    maxTimeMS: MAX_PAGE_MS,
  });
  await eachBatch<InPage>(found, async (batch) => {
    for (const { page, record } of batch) {
      const { query, reject } = group[page]!;
      try {
        pages[page]?.push(...(await decodeRecords(record, query.budget)));
      } catch (error) {
        // Only this page fails: the others may belong to other requests, with budgets of their own.
        reject(error);
        pages[page] = null;
      }
    }
    return pages.some((records) => records !== null);
  });
  for (const [index, { query, resolve }] of group.entries()) {
    const records = pages[index];
    if (records) resolve(query.backward ? records.reverse() : records);
  }
}

/** MaxTimeMSExpired. */
const MAX_TIME_EXPIRED = 50;

function isOutOfTime(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === MAX_TIME_EXPIRED;
}

function reasonOf(error: unknown): unknown {
  return isOutOfTime(error) ? tooSlow() : error;
}

function throwReason(error: unknown): never {
  throw reasonOf(error);
}

function tooSlow(): OperationError {
  return new OperationError('UNAVAILABLE', { message: 'The search took too long: use a narrower filter.' });
}
