import type { ObjectId } from 'mongodb';
import { INDEXES } from '../collections.ts';
import type { SearchEntryRecord } from '../records/search.ts';
import { entriesOf, SEARCHED_COLLECTIONS, writeOfEntry } from '../search/entries.ts';
import { type Migration, readBatch } from './migration.ts';

/** Records per batch: each writes up to 1,000 index keys. */
const SIZE = 200;

/** Indexes the words of the records that were stored before search existed. */
export const searchEntries: Migration = {
  version: 10,
  name: 'search index of users, communities, channels, posts and messages',
  // The writes need the index of the record ids.
  async before(db) {
    await db.collection('searchEntries').createIndexes(INDEXES.searchEntries);
  },
  async run({ db, session, from }) {
    const source = Number(from?.source ?? 0);
    const collection = SEARCHED_COLLECTIONS[source]!;
    const { records, next } = await readBatch<{ _id: ObjectId }>(
      { db, session, from: from?.after ? { after: from.after } : undefined },
      { collection, size: SIZE },
    );
    const writes = entriesOf(collection, records).map((entry) => writeOfEntry({ key: entry, entry }));
    if (writes.length > 0) {
      await db.collection<SearchEntryRecord>('searchEntries').bulkWrite(writes, { session, ordered: false });
    }
    if (next) return { source, after: next.after };
    return source + 1 < SEARCHED_COLLECTIONS.length ? { source: source + 1 } : undefined;
  },
};
