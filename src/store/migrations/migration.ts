import type { ClientSession, Db, Document, Filter, ObjectId, UpdateFilter } from 'mongodb';

/** One change of stored data between two releases. */
export interface Migration {
  /** The version of the data after it; each is one more than the one before. */
  version: number;
  /** For people: what it does, in a few words. */
  name: string;
  /**
   * Does one bounded batch, in a transaction that also notes its progress; a crash repeats at most the batch that had
   * not committed. Must be safe to repeat.
   *
   * @returns where the next batch begins; undefined when nothing is left
   */
  run(step: MigrationStep): Promise<Document | undefined>;
  /** What cannot be done in a transaction, such as dropping an index that is no longer used; runs first, maybe again. */
  before?(db: Db): Promise<void>;
}

export interface MigrationStep {
  db: Db;
  session: ClientSession;
  /** What the batch before returned; undefined for the first. */
  from: Document | undefined;
}

/** Many small transactions hold up others less than a few large ones. */
const BATCH = 500;

export interface BatchOptions<Stored extends Document> {
  collection: string;
  /** The records that still need the change. @default all */
  filter?: Filter<Stored>;
  /** Records in a batch. @default 500 */
  size?: number;
}

/** The records of a migration's batch, in the order of their `_id`, and where the next begins. */
export async function readBatch<Stored extends Document & { _id: ObjectId }>(
  { db, session, from }: MigrationStep,
  { collection, filter = {}, size = BATCH }: BatchOptions<Stored>,
): Promise<{ records: Stored[]; next: Document | undefined }> {
  const rest = from ? { $and: [{ _id: { $gt: from.after } }, filter] } : filter;
  const found = db.collection<Stored>(collection).find(rest as Filter<Stored>, { session });
  const records = (await found.sort({ _id: 1 }).hint('_id_').limit(size).toArray()) as Stored[];
  return { records, next: records.length < size ? undefined : { after: records.at(-1)!._id } };
}

/** A migration's `run` that walks one collection and changes each record, or leaves it where `update` gives none. */
export function eachRecord<Stored extends Document & { _id: ObjectId }>(
  options: BatchOptions<Stored>,
  update: (record: Stored) => UpdateFilter<Stored> | undefined,
): Migration['run'] {
  return async (step) => {
    const { records, next } = await readBatch(step, options);
    const operations = records.flatMap((record) => {
      const change = update(record);
      return change ? [{ updateOne: { filter: { _id: record._id } as Filter<Stored>, update: change } }] : [];
    });
    const { db, session } = step;
    if (operations.length > 0) await db.collection<Stored>(options.collection).bulkWrite(operations, { session });
    return next;
  };
}
