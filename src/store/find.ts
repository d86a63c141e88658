import type { Db, Document } from 'mongodb';
import type { CollectionName, Records } from './collections.ts';
import { decodeRecords } from './decode.ts';

/**
 * All records of a collection that match, or those fields of them that `projection` names. They are shared and frozen:
 * copy before changing.
 */
export type Find = <Name extends CollectionName>(
  name: Name,
  filter: Document,
  projection?: Document,
) => Promise<Records[Name][]>;

/** Everything in the first answer; the server itself ends a batch at 16 MB. */
const ALL = 1_000_000;

/** Reads records in one command that leaves their decoding to {@link decodeRecords}. */
export function createFind(db: Db): Find {
  return async (name, filter, projection) => {
    const found = await findRaw(db, { find: name, filter, ...(projection && { projection }) }).catch(
      (error: unknown) => {
        if (isWaitedOut(error)) throw error;
        return null;
      },
    );
    if (found) return (await decodeRecords(found)) as never;
    // A cursor of its own follows batches, and repeats a read that the network broke.
    const cursor = db.collection(name).find(filter, { raw: true, ...(projection && { projection }) });
    return (await decodeRecords((await cursor.toArray()) as unknown as Buffer[])) as never;
  };
}

/** Whether all the time there was has gone by, so that asking once more would only take as long again. */
function isWaitedOut(error: unknown): boolean {
  return error instanceof Error && WAITED_OUT.has(error.name);
}

const WAITED_OUT = new Set(['MongoServerSelectionError', 'MongoWaitQueueTimeoutError', 'MongoNetworkTimeoutError']);

/** The matching documents as they came; null when they did not fit into one answer. */
async function findRaw(db: Db, command: Document): Promise<Buffer[] | null> {
  const { readConcern, readPreference } = db;
  const answer = await db.command(
    { ...command, batchSize: ALL, ...(readConcern && { readConcern: readConcern.toJSON() }) },
    { ...(readPreference && { readPreference }), fieldsAsRaw: { firstBatch: true } },
  );
  const { id, firstBatch } = answer.cursor as { id: unknown; firstBatch: Buffer[] };
  return Number(id) === 0 ? firstBatch : null;
}
