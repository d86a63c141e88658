import { type Db, type Document, MongoBulkWriteError } from 'mongodb';
import { CliError } from './command.ts';
import { type Stored, toSend } from './documents.ts';
import type { Progress } from './progress.ts';
import { normalizeIndexes, type Source, type SourceCollection, serializeIndex } from './source.ts';

export interface CopyOptions {
  source: Source;
  db: Db;
  /** Some documents may exist in the target already. */
  isResumed: boolean;
  progress: Progress;
}

/** Bounds of one insert; a single document may be larger. */
const BATCH_DOCUMENTS = 1_000;
const BATCH_BYTES = 4 * 1024 * 1024;
/** Concurrent inserts. */
const MAX_CONCURRENT_INSERTS = 4;

/**
 * Copies all documents and creates all indexes except TTL indexes: expired documents must still exist when source and
 * target are compared.
 */
export async function copyAll({ source, db, isResumed, progress }: CopyOptions): Promise<void> {
  let done = 0;
  const existing = new Set((await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name));
  for (const collection of source.collections) {
    const { name, options } = collection;
    if (!existing.has(name)) await db.createCollection(name, options).catch(explain(`collection ${name}`));
    const pending = new Set<Promise<void>>();
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
      pending.add(insert);
      void insert.finally(() => pending.delete(insert));
      if (pending.size >= MAX_CONCURRENT_INSERTS) await Promise.race(pending);
      if (failure) break;
    }
    await Promise.all(pending);
    if (failure) throw failure;
    await createIndexes(db, collection, (index) => index.expireAfterSeconds === undefined);
  }
}

/** Creates the TTL indexes. */
export async function createTtlIndexes({ source, db }: Pick<CopyOptions, 'source' | 'db'>): Promise<void> {
  for (const collection of source.collections) {
    await createIndexes(db, collection, (index) => index.expireAfterSeconds !== undefined);
  }
}

async function createIndexes(
  db: Db,
  { name, indexes }: SourceCollection,
  isWanted: (index: Document) => boolean,
): Promise<void> {
  const existing = new Set(normalizeIndexes(await db.collection(name).listIndexes().toArray()).map(serializeIndex));
  const missing = indexes.filter((index) => isWanted(index) && !existing.has(serializeIndex(index)));
  if (missing.length === 0) return;
  const command = { createIndexes: name, indexes: missing, writeConcern: { w: 'majority' } };
  await db.command(command).catch(explain(`indexes of ${name}`));
}

const explain =
  (what: string) =>
  (error: Error): never => {
    throw new CliError(`The target rejects the ${what}: ${error.message}`);
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
    // Unordered: a document that exists already does not stop the rest of the batch.
    await db.collection(name).insertMany(documents, { ordered: false, forceServerObjectId: true });
  } catch (error) {
    const onlyDuplicates = isResumed && error instanceof MongoBulkWriteError && errorsOf(error).every(isSameId);
    if (onlyDuplicates) return;
    if (error instanceof MongoBulkWriteError) {
      throw new CliError(`The target rejects a document of ${name}: ${errorsOf(error)[0]?.errmsg ?? error.message}`);
    }
    throw error;
  }
}

interface WriteError {
  code: number;
  errmsg?: string | undefined;
}

const errorsOf = ({ writeErrors }: MongoBulkWriteError): WriteError[] => [writeErrors].flat() as WriteError[];

/** Whether the target has a document with this `_id`; the comparison at the end checks that it is the same. */
const isSameId = ({ code, errmsg = '' }: WriteError): boolean => code === DUPLICATE && errmsg.includes('index: _id_ ');
