import type { ClientSession, Db, Document, Filter, ObjectId, UpdateFilter } from 'mongodb';

/** One change of stored data between two releases. */
export interface Migration {
  /** The data version after the migration; one more than that of the migration before. */
  version: number;
  /** The resulting state in a few words, for the log. */
  name: string;
  /**
   * The lowest data version whose releases can use the data while this migration runs and after it: gateways of such a
   * release keep serving beside the new ones. @default version: gateways of earlier releases must be stopped first
   */
  compatibleFrom?: number;
  /**
   * Runs one bounded batch in a transaction that also stores its progress; after a crash, at most the uncommitted batch
   * runs again. Must be idempotent.
   *
   * @returns where the next batch begins; undefined when nothing is left
   */
  run(step: MigrationStep): Promise<Document | undefined>;
  /**
   * Work that a transaction cannot do, such as dropping an unused index. Runs before the batches; must be idempotent.
   */
  before?(db: Db): Promise<void>;
}

export interface MigrationStep {
  db: Db;
  session: ClientSession;
  /** The value that the previous batch returned; undefined for the first. */
  from: Document | undefined;
}

/** Many small transactions delay other writers less than a few large ones. */
const BATCH = 500;

export interface BatchOptions<Stored extends Document> {
  collection: string;
  /** The records that still need the change. @default all */
  filter?: Filter<Stored>;
  /** Records in a batch. @default 500 */
  size?: number;
}

/**
 * Reads the records of a migration's batch in the order of `_id`, and returns them with the start of the next batch.
 */
export async function readBatch<Stored extends Document & { _id: ObjectId }>(
  { db, session, from }: MigrationStep,
  { collection, filter = {}, size = BATCH }: BatchOptions<Stored>,
): Promise<{ records: Stored[]; next: Document | undefined }> {
  const rest = from ? { $and: [{ _id: { $gt: from.after } }, filter] } : filter;
  const found = db.collection<Stored>(collection).find(rest as Filter<Stored>, { session });
  const records = (await found.sort({ _id: 1 }).hint('_id_').limit(size).toArray()) as Stored[];
  return { records, next: records.length < size ? undefined : { after: records.at(-1)!._id } };
}

/** Creates a `run` that applies `update` to each record of one collection; undefined leaves a record unchanged. */
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
