import type { Collection, Document } from 'mongodb';
import type { Collections, Records } from '../../src/store/collections.ts';
import { entriesOf, type SEARCHED_COLLECTIONS } from '../../src/store/search/entries.ts';

type Searched = (typeof SEARCHED_COLLECTIONS)[number];

/** Inserts records with their entries in the search index, as the operations that create them do. */
export async function insertIndexed<Name extends Searched>(
  collections: Collections,
  name: Name,
  records: ReadonlyArray<Records[Name]>,
): Promise<void> {
  await (collections[name] as unknown as Collection<Document>).insertMany([...records]);
  const entries = entriesOf(name, records);
  if (entries.length > 0) await collections.searchEntries.insertMany(entries);
}
