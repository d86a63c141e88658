import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { startEmbeddedStore } from '../../src/embedded/index.ts';

interface Target {
  uri: string;
  databaseName: string;
}

/** Copies the records of a data folder to a MongoDB server, without the indexes, which a start creates. */
export async function moveWrittenData(folder: string, { uri, databaseName }: Target): Promise<void> {
  const store = await startEmbeddedStore({ folder: join(folder, 'store') });
  const [source, target] = await Promise.all([
    MongoClient.connect(store.uri, { promoteValues: false }),
    MongoClient.connect(uri),
  ]);
  for (const { name } of await source.db('colloquy').listCollections().toArray()) {
    const records = await source.db('colloquy').collection(name).find().toArray();
    if (records.length > 0) await target.db(databaseName).collection(name).insertMany(records);
  }
  await Promise.all([source.close(), target.close()]);
  await store.close();
}
