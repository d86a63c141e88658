import type { Db, Document } from 'mongodb';
import type { CollectionName, Records } from './collections.ts';
import { decodeRecords } from './decode.ts';

/**
 * Returns all matching records of a collection, or the first `limit` of them, with the fields that `projection` names.
 * Records are shared and frozen: copy before changing.
 */
export type Find = <Name extends CollectionName>(
  name: Name,
  filter: Document,
  projection?: Document,
  limit?: number,
) => Promise<Records[Name][]>;

/** A batch size that requests all records in the first reply; the server ends a batch at 16 MB. */
const ALL = 1_000_000;

/** Creates a function that reads records as raw BSON in one command and decodes them with {@link decodeRecords}. */
export function createFind(db: Db): Find {
  return async (name, filter, projection, limit) => {
    const options = { ...(projection && { projection }), ...(limit !== undefined && { limit }) };
    const found = await findRaw(db, { find: name, filter, ...options }).catch((error: unknown) => {
      if (isTimeout(error)) throw error;
      return null;
    });
    if (found) return (await decodeRecords(found)) as never;
    // The driver's cursor fetches further batches, and retries a read after a network error.
    const cursor = db.collection(name).find(filter, { raw: true, ...options });
    return (await decodeRecords((await cursor.toArray()) as unknown as Buffer[])) as never;
  };
}

/** Whether the driver has used up its whole timeout, so that a retry would only take as long again. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && TIMEOUTS.has(error.name);
}

const TIMEOUTS = new Set(['MongoServerSelectionError', 'MongoWaitQueueTimeoutError', 'MongoNetworkTimeoutError']);

/** The matching documents as raw BSON; null if they did not fit in one reply. */
async function findRaw(db: Db, command: Document): Promise<Buffer[] | null> {
  const { readConcern, readPreference } = db;
  const answer = await db.command(
    { ...command, batchSize: ALL, ...(readConcern && { readConcern: readConcern.toJSON() }) },
    { ...(readPreference && { readPreference }), fieldsAsRaw: { firstBatch: true } },
  );
  const { id, firstBatch } = answer.cursor as { id: unknown; firstBatch: Buffer[] };
  return Number(id) === 0 ? firstBatch : null;
}
