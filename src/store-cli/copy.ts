import { type Db, type Document, MongoBulkWriteError } from 'mongodb';
import { Failure } from './command.ts';
import { type Stored, toSend } from './documents.ts';
import type { Progress } from './progress.ts';
import { plainIndexes, type Source, type SourceCollection, textOfIndex } from './source.ts';

export interface CopyOptions {
  source: Source;
  db: Db;
  /** Some of it may be there already. */
  isResumed: boolean;
  progress: Progress;
}

/** What one insert carries at most, besides a single larger document. */
const BATCH_DOCUMENTS = 1_000;
const BATCH_BYTES = 4 * 1024 * 1024;
/** Inserts under way at once. */
const IN_FLIGHT = 4;

/**
 * Copies every document and makes every index but those that expire documents: what is expired must still be there
 * when source and target are compared.
 */
export async function copyAll({ source, db, isResumed, progress }: CopyOptions): Promise<void> {
  let done = 0;
  const existing = new Set((await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name));
  for (const collection of source.collections) {
    const { name, options } = collection;
    if (!existing.has(name)) await db.createCollection(name, options).catch(explain(`collection ${name}`));
    const underway = new Set<Promise<void>>();
    let failure: unknown;
    for await (const batch of batchesOf(source.read(collection))) {
      const insert = insertBatch(db, name, { batch, isResumed }).then(
        () => {
          done += batch.length;
          progress.update(done);
        },
        (error: unknown) => {
          failure ??= error;
        },
      );
      underway.add(insert);
      void insert.finally(() => underway.delete(insert));
      if (underway.size >= IN_FLIGHT) await Promise.race(underway);
      if (failure) break;
    }
    await Promise.all(underway);
    if (failure) throw failure;
    await createIndexes(db, collection, (index) => index.expireAfterSeconds === undefined);
  }
}

/** Makes the indexes that expire documents. */
export async function createExpiry({ source, db }: Pick<CopyOptions, 'source' | 'db'>): Promise<void> {
  for (const collection of source.collections) {
    await createIndexes(db, collection, (index) => index.expireAfterSeconds !== undefined);
  }
}

async function createIndexes(
  db: Db,
  { name, indexes }: SourceCollection,
  isWanted: (index: Document) => boolean,
): Promise<void> {
  const there = new Set(plainIndexes(await db.collection(name).listIndexes().toArray()).map(textOfIndex));
  const missing = indexes.filter((index) => isWanted(index) && !there.has(textOfIndex(index)));
  if (missing.length === 0) return;
  const command = { createIndexes: name, indexes: missing, writeConcern: { w: 'majority' } };
  await db.command(command).catch(explain(`indexes of ${name}`));
}

const explain =
  (what: string) =>
  (error: Error): never => {
    throw new Failure(`The target does not take the ${what}: ${error.message}`);
  };

async function* batchesOf(documents: AsyncIterable<Stored>): AsyncGenerator<Stored[]> {
  let batch: Stored[] = [];
  let size = 0;
  for await (const stored of documents) {
    if (batch.length >= BATCH_DOCUMENTS || (batch.length > 0 && size + stored.bytes.length > BATCH_BYTES)) {
      yield batch;
      batch = [];
      size = 0;
    }
    batch.push(stored);
    size += stored.bytes.length;
  }
  if (batch.length > 0) yield batch;
}

interface Batch {
  batch: Stored[];
  isResumed: boolean;
}

const DUPLICATE = 11000;

async function insertBatch(db: Db, name: string, { batch, isResumed }: Batch): Promise<void> {
  const documents = batch.map(toSend);
  try {
    // Without the server's order, so that what is there already does not hold up the rest.
    await db.collection(name).insertMany(documents, { ordered: false, forceServerObjectId: true });
  } catch (error) {
    const isThere = isResumed && error instanceof MongoBulkWriteError && errorsOf(error).every(isSameId);
    if (isThere) return;
    if (error instanceof MongoBulkWriteError) {
      throw new Failure(
        `The target does not take a document of ${name}: ${errorsOf(error)[0]?.errmsg ?? error.message}`,
      );
    }
    throw error;
  }
}

interface WriteError {
  code: number;
  errmsg?: string | undefined;
}

const errorsOf = ({ writeErrors }: MongoBulkWriteError): WriteError[] => [writeErrors].flat() as WriteError[];

/** Whether the document is there already; that it is the same is seen when all is compared. */
const isSameId = ({ code, errmsg = '' }: WriteError): boolean => code === DUPLICATE && errmsg.includes('index: _id_ ');
