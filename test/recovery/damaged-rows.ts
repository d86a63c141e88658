import { MongoClient } from 'mongodb';
import { startEmbeddedStore } from '../../src/embedded/index.ts';

export interface Row {
  _id: string;
  name: string;
  n: number;
  group: number;
  text: string;
}

export const ROWS = 400;

/** Some rows are large enough for overflow pages. */
export const rowOf = (n: number): Row => ({
  _id: `row${n}`,
  name: `the name of row ${n}`,
  n,
  group: n % 17,
  text: 'some text '.repeat(n % 40 === 0 ? 700 : 20),
});

/** Fills a new store with all rows, in several commits, and closes it. */
export async function fillStore(folder: string): Promise<void> {
  const store = await startEmbeddedStore({ folder });
  const client = await MongoClient.connect(store.uri);
  const rows = client.db('fuzz').collection<Row>('rows');
  await rows.createIndexes([
    { key: { name: 1 }, name: 'name', unique: true },
    { key: { group: 1, n: -1 }, name: 'group' },
  ]);
  for (let from = 0; from < ROWS; from += 100) {
    await rows.insertMany(Array.from({ length: 100 }, (_, i) => rowOf(from + i)));
  }
  await client.close();
  await store.close();
}
