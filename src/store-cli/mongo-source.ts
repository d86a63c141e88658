import type { ClientSession, Db, Document, MongoClient } from 'mongodb';
import { MongoServerError } from 'mongodb';
import { IMPORT_STATE } from '../store/unfinished-import.ts';
import { CliError } from './command.ts';
import type { Stored } from './documents.ts';
import { byName, normalizeIndexes, type Source, type SourceCollection } from './source.ts';

export interface MongoSourceOptions {
  client: MongoClient;
  db: Db;
  name: string;
  /** Read from a snapshot if the server supports it. */
  isOneMoment: boolean;
}

/** Error codes of servers without snapshot reads: not a replica set, or an old version. */
const SNAPSHOTS_UNSUPPORTED = new Set([72, 123, 246, 263, 5_788_900]);
const SNAPSHOT_TOO_OLD = 239;
/** Documents per batch. By default batches grow to 16 MiB, and several of them wait for garbage collection. */
const BATCH_DOCUMENTS = 1_000;

/** Reads a database of a MongoDB server, from a snapshot if the server supports it. */
export async function openMongoSource({ client, db, name, isOneMoment }: MongoSourceOptions): Promise<Source> {
  const collections: SourceCollection[] = [];
  for (const { name, type, options } of (await db.listCollections().toArray()) as Document[]) {
    if (name.startsWith('system.') || name === IMPORT_STATE) continue;
    if (type !== 'collection') throw new CliError(`'${name}' is a ${type}; only plain collections can be exported.`);
    const collection = db.collection(name);
    const indexes = normalizeIndexes(await collection.listIndexes().toArray());
    collections.push({ name, documents: await collection.estimatedDocumentCount(), indexes, options });
  }
  byName(collections);
  if (collections.length === 0) throw new CliError(`${name} contains no database '${db.databaseName}'.`);
  const session = isOneMoment ? await startSnapshotSession(client, db, collections[0]!.name) : undefined;
  return {
    name,
    database: db.databaseName,
    identity: name,
    collections,
    read: (collection) => readInOrder(db, collection.name, session),
    isOneMoment: () => session !== undefined,
    close: async () => session?.endSession(),
  };
}

/** A session whose reads all use the snapshot of the first one; undefined if the server does not support snapshots. */
async function startSnapshotSession(
  client: MongoClient,
  db: Db,
  collection: string,
): Promise<ClientSession | undefined> {
  const session = client.startSession({ snapshot: true });
  try {
    await db.collection(collection).findOne({}, { session, projection: { _id: 1 }, sort: { _id: 1 } });
    return session;
  } catch (error) {
    await session.endSession();
    if (error instanceof MongoServerError && !SNAPSHOTS_UNSUPPORTED.has(Number(error.code))) throw error;
    return undefined;
  }
}

/** All documents of a collection, undecoded, in the order of `_id`. */
export async function* readInOrder(db: Db, name: string, session?: ClientSession): AsyncGenerator<Stored> {
  const cursor = db
    .collection(name)
    .find({}, { raw: true, batchSize: BATCH_DOCUMENTS, ...(session && { session }) })
    .sort({ _id: 1 });
  try {
    for await (const bytes of cursor) yield { bytes: bytes as unknown as Buffer };
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== SNAPSHOT_TOO_OLD) throw error;
    throw new CliError(
      'The export takes longer than the server keeps a snapshot: raise its minSnapshotHistoryWindowInSeconds, or stop all writers and use --no-snapshot.',
    );
  } finally {
    await cursor.close();
  }
}
