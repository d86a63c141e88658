import { BSON, type Collection, type Document, type Filter } from 'mongodb';
import { isSliceOver, nextSlice } from '../lib/time-slice.ts';
import type { CollectionName, Collections } from '../store/collections.ts';
import { eachBatch } from '../store/keyset.ts';
import { EXPORTED, type ExportedRecords } from './exported-collections.ts';

export interface Person {
  networkId: string;
  userId: string;
}

/** Records and bytes of a page: what an export has in memory of a collection. The last batch of a page can exceed the bytes. */
const PAGE_RECORDS = 500;
const PAGE_BYTES = 1_048_576;
const BATCH = 50;
/** Some queries scan a collection: those of the few rooms and pins. */
const MAX_PAGE_MS = 60_000;

/** Names of the collections of which an export contains records, in the order of the archive. */
export const EXPORTED_NAMES = (Object.keys(EXPORTED) as CollectionName[]).filter((name) => 'select' in EXPORTED[name]);

/**
 * The records of a collection that concern a person, as they are in the export. They are read in pages by position, without
 * a cursor between pages: the reader of an export may be so slow that a cursor expires.
 */
export async function* readExported(
  collections: Collections,
  name: CollectionName,
  person: Person,
): AsyncGenerator<object, void, void> {
  const exported = EXPORTED[name] as ExportedRecords<Document>;
  for await (const record of recordsOf(collections, name, person)) yield exported.select(record, person.userId);
}

/** As {@link readExported}, with all fields. */
export async function* recordsOf(
  collections: Collections,
  name: CollectionName,
  { networkId, userId }: Person,
): AsyncGenerator<Document, void, void> {
  const exported = EXPORTED[name] as ExportedRecords<Document>;
  const { filters, order, through } = exported;
  const collection = collections[name] as unknown as Collection<Document>;
  for (const filter of filters(userId)) {
    const own = { networkId, ...filter };
    if (!through) {
      yield* readInOrder(collection, own, order);
      continue;
    }
    const { memberships, place } = through;
    const places = collections[memberships] as unknown as Collection<Document>;
    for await (const page of pagesOf(places, { networkId, userId }, '_id')) {
      const ids = page.map((membership) => membership[place] as string);
      yield* readInOrder(collection, { ...own, [place]: { $in: ids } }, order);
    }
  }
}

async function* readInOrder(
  collection: Collection<Document>,
  filter: Filter<Document>,
  order: 'createdAt' | '_id',
): AsyncGenerator<Document, void, void> {
  for await (const page of pagesOf(collection, filter, order)) yield* page;
}

async function* pagesOf(
  collection: Collection<Document>,
  filter: Filter<Document>,
  order: 'createdAt' | '_id',
): AsyncGenerator<Document[], void, void> {
  let after: Document = {};
  for (;;) {
    const found: Buffer[] = [];
    let bytes = 0;
    const cursor = collection
      .find({ ...filter, ...after }, { raw: true, maxTimeMS: MAX_PAGE_MS })
      .sort(order === '_id' ? { _id: 1 } : { createdAt: 1, _id: 1 })
      .limit(PAGE_RECORDS)
      .batchSize(BATCH);
    await eachBatch<Buffer>(cursor, async (batch) => {
      found.push(...batch);
      for (const { length } of batch) bytes += length;
      return bytes < PAGE_BYTES;
    });
    if (found.length === 0) return;
    const page: Document[] = [];
    for (const raw of found) {
      page.push(BSON.deserialize(raw));
      if (isSliceOver()) await nextSlice();
    }
    yield page;
    if (found.length < PAGE_RECORDS && bytes < PAGE_BYTES) return;
    const { _id, createdAt } = page.at(-1)!;
    const later = { _id: { $gt: _id } };
    after =
      order === '_id' ? later : { createdAt: { $gte: createdAt }, $or: [{ createdAt: { $gt: createdAt } }, later] };
  }
}
