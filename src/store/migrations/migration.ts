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
   * @param step.from what the batch before returned; undefined for the first
   * @returns where the next batch begins; undefined when nothing is left
   */
  run(step: MigrationStep): Promise<Document | undefined>;
  /** What cannot be done in a transaction, such as dropping an index that is no longer used; runs first, maybe again. */
  before?(db: Db): Promise<void>;
}

export interface MigrationStep {
  db: Db;
  session: ClientSession;
  from: Document | undefined;
}

export interface EachRecord<Stored extends Document> {
  collection: string;
  /** The records that still need the change. @default all */
  filter?: Filter<Stored>;
  /** @default 500 */
  batch?: number;
  /** The update of a record, or undefined to leave it. */
  update(record: Stored): UpdateFilter<Stored> | Document[] | undefined;
}

/** A migration's `run` that walks one collection by `_id` and updates record by record. */
export function eachRecord<Stored extends Document & { _id: ObjectId }>({
  collection: name,
  filter = {},
  batch = 500,
  update,
}: EachRecord<Stored>): Migration['run'] {
  return async ({ db, session, from }) => {
    const collection = db.collection<Stored>(name);
    const rest = from ? { $and: [{ _id: { $gt: from.after } }, filter] } : filter;
    const records = (await collection
      .find(rest as Filter<Stored>, { session })
      .sort({ _id: 1 })
      .hint('_id_')
      .limit(batch)
      .toArray()) as Stored[];
    const operations = records.flatMap((record) => {
      const change = update(record);
      return change
        ? [{ updateOne: { filter: { _id: record._id } as Filter<Stored>, update: change as UpdateFilter<Stored> } }]
        : [];
    });
    if (operations.length > 0) await collection.bulkWrite(operations, { session });
    return records.length < batch ? undefined : { after: records.at(-1)!._id };
  };
}
