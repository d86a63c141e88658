import type { ClientSession, Db, Document, MongoClient } from 'mongodb';
import { MongoServerError } from 'mongodb';
import { IMPORT_STATE } from '../store/unfinished-import.ts';
import { Failure } from './command.ts';
import type { Stored } from './documents.ts';
import { byName, plainIndexes, type Source, type SourceCollection } from './source.ts';

export interface MongoSourceOptions {
  client: MongoClient;
  db: Db;
  name: string;
  /** Read all as it is at one moment, where the server can. */
  isOneMoment: boolean;
}

/** What a server answers that keeps no moments: no replica set, or one that is too old. */
const CANNOT = new Set([72, 123, 246, 263, 5_788_900]);
const TOO_OLD = 239;
/** Documents an answer; without it answers grow to 16 MiB, several of which wait for the collector. */
const BATCH = 1_000;

/** Reads a database of a MongoDB server, at one moment where the server offers that. */
export async function openMongoSource({ client, db, name, isOneMoment }: MongoSourceOptions): Promise<Source> {
  const collections: SourceCollection[] = [];
  for (const { name, type, options } of (await db.listCollections().toArray()) as Document[]) {
    if (name.startsWith('system.') || name === IMPORT_STATE) continue;
    if (type !== 'collection') throw new Failure(`'${name}' is a ${type}; only plain collections can be exported.`);
    const collection = db.collection(name);
    const indexes = plainIndexes(await collection.listIndexes().toArray());
    collections.push({ name, documents: await collection.estimatedDocumentCount(), indexes, options });
  }
  byName(collections);
  if (collections.length === 0) throw new Failure(`${name} holds no database '${db.databaseName}'.`);
  const session = isOneMoment ? await openMoment(client, db, collections[0]!.name) : undefined;
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

/** A session whose reads all see the moment of the first one; undefined where the server has no such thing. */
async function openMoment(client: MongoClient, db: Db, some: string): Promise<ClientSession | undefined> {
  const session = client.startSession({ snapshot: true });
  try {
    await db.collection(some).findOne({}, { session, projection: { _id: 1 }, sort: { _id: 1 } });
    return session;
  } catch (error) {
    await session.endSession();
    if (error instanceof MongoServerError && !CANNOT.has(Number(error.code))) throw error;
    return undefined;
  }
}

/** All documents of a collection, undecoded, in the order of `_id`. */
export async function* readInOrder(db: Db, name: string, session?: ClientSession): AsyncGenerator<Stored> {
  const cursor = db
    .collection(name)
    .find({}, { raw: true, batchSize: BATCH, ...(session && { session }) })
    .sort({ _id: 1 });
  try {
    for await (const bytes of cursor) yield { bytes: bytes as unknown as Buffer };
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== TOO_OLD) throw error;
    throw new Failure(
      'The server keeps moments for a shorter time than this takes: raise its minSnapshotHistoryWindowInSeconds, or stop all writers and use --no-snapshot.',
    );
  } finally {
    await cursor.close();
  }
}
