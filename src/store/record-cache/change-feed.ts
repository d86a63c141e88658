import { type ClientSession, type Db, type Document, Long, type MongoClient, ObjectId, type Timestamp } from 'mongodb';
import { decodeBson } from '../decode-bson.ts';
import { GROUP_FIELDS, groupOf, topLevel } from './selection.ts';

/** A change of one record. */
export interface RecordChange {
  collection: string;
  /** Internal id of the record, 24 hex digits; null if it is not an ObjectId. */
  id: string | null;
  /** `any`: deleted, or replaced. */
  kind: 'insert' | 'update' | 'any';
  /** The top-level fields that an update changed. */
  fields: readonly string[];
  /** Which records it was inserted among, see `GROUP_FIELDS`; null if that is not known. */
  group: string | null;
}

export interface ChangeBatch {
  changes: RecordChange[];
  /** Whether a collection was dropped or renamed, so that any record may have changed. */
  isReset: boolean;
  /** All changes up to this cluster time are in this batch or in earlier ones. See {@link clusterTimeOf}. */
  position: bigint;
}

/** All changes of a database, in commit order. */
export interface ChangeFeed {
  /** The feed reports all changes after this cluster time; every read that is sent now includes the earlier ones. */
  readonly start: bigint;
  /**
   * Returns the next changes, or none if there are none within {@link WAIT_MS}. Must not be called concurrently.
   * Rejects when the feed has ended.
   */
  next(): Promise<ChangeBatch>;
  close(): void;
}

/**
 * Opens a feed that starts now.
 * @returns null if the cluster times of different replies are not comparable, as on a sharded cluster
 */
export type OpenChangeFeed = (client: MongoClient, db: Db) => Promise<ChangeFeed | null>;

/** How long the server waits for a change before it returns an empty batch. */
const WAIT_MS = 1;

/** Not whole documents, which the store would then encode and each process receive. */
const PIPELINE = [
  {
    $project: {
      operationType: 1,
      ns: 1,
      documentKey: 1,
      updateDescription: 1,
      ...Object.fromEntries(Object.values(GROUP_FIELDS).map((field) => [`fullDocument.${field}`, 1])),
    },
  },
];

/** Seconds and increment of a timestamp as one number that sorts by time. */
export function clusterTimeOf({ t, i }: Timestamp): bigint {
  return (BigInt(t) << 32n) | BigInt(i);
}

/**
 * Opens a change stream with commands instead of the driver's `watch`, which does not show where a batch ends: only
 * after the last change of a time is that time complete.
 */
export const openChangeFeed: OpenChangeFeed = async (client, db) => {
  const session = client.startSession({ causalConsistency: false });
  try {
    const { setName } = await db.command({ hello: 1 }, { session });
    if (!setName) {
      await session.endSession();
      return null;
    }
    const { operationTime } = await db.command(
      // Every reply has the time: this read uses an index and finds nothing.
      { find: 'networks', filter: { networkId: '' }, limit: 1, readConcern: { level: 'majority' } },
      { session },
    );
    const opened = await db.command(
      {
        aggregate: 1,
        pipeline: [{ $changeStream: { startAtOperationTime: operationTime } }, ...PIPELINE],
        cursor: { batchSize: 0 },
        // Waits until majority reads include this time, so that no later read can be older than the feed's start.
        readConcern: { level: 'majority', afterClusterTime: operationTime },
      },
      { session },
    );
    return createFeed({ db, session, start: clusterTimeOf(operationTime), cursor: opened.cursor as Document });
  } catch (error) {
    session.endSession().catch(() => undefined);
    throw error;
  }
};

interface Parts {
  db: Db;
  session: ClientSession;
  start: bigint;
  cursor: Document;
}

function createFeed({ db, session, start, cursor }: Parts): ChangeFeed {
  const id = Long.fromString(String(cursor.id));
  const collection = String(cursor.ns).slice(db.databaseName.length + 1);
  let isClosed = false;
  return {
    start,
    async next() {
      const reply = await db.command(
        { getMore: id, collection, maxTimeMS: WAIT_MS },
        { session, fieldsAsRaw: { nextBatch: true } },
      );
      const { nextBatch, postBatchResumeToken, id: left } = reply.cursor as Document;
      if (String(left) === '0') throw new Error('the change stream was invalidated');
      return batchOf(nextBatch as Buffer[], postBatchResumeToken);
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      const killed = db.command({ killCursors: collection, cursors: [id] }, { session });
      killed.catch(() => undefined).finally(() => session.endSession().catch(() => undefined));
    },
  };
}

/**
 * A batch of fewer bytes counts as complete. If it was cut at the size limit of a reply, 16 MB, the next event would be an update of
 * more than 15 MB; no gateway accepts such a request, and only gateways write to the database while they run.
 */
const MAX_COMPLETE_BYTES = 1_048_576;

const KINDS: { readonly [operation: string]: RecordChange['kind'] } = {
  insert: 'insert',
  update: 'update',
  replace: 'any',
  delete: 'any',
};

function batchOf(batch: readonly Buffer[], token: unknown): ChangeBatch {
  const events = batch.map(decodeBson);
  const changes: RecordChange[] = [];
  let isReset = false;
  for (const { operationType, ns, documentKey, updateDescription, fullDocument } of events) {
    const kind = KINDS[operationType];
    if (!kind) {
      isReset = true;
      continue;
    }
    const { _id } = documentKey;
    changes.push({
      collection: ns.coll,
      id: _id instanceof ObjectId ? _id.toHexString() : null,
      kind,
      fields: kind === 'update' ? changedFields(updateDescription) : [],
      group: kind === 'insert' ? groupOf(ns.coll, fullDocument) : null,
    });
  }
  // Further changes of the last transaction may follow a batch that was cut.
  const isComplete = batch.reduce((bytes, { length }) => bytes + length, 0) < MAX_COMPLETE_BYTES;
  const position = isComplete ? timeOfToken(token) : timeOfToken(events.at(-1)!._id) - 1n;
  return { changes, isReset, position };
}

function changedFields({ updatedFields, removedFields, truncatedArrays }: Document): string[] {
  const truncated = (truncatedArrays ?? []).map(({ field }: Document) => field);
  return [...Object.keys(updatedFields), ...removedFields, ...truncated].map(topLevel);
}

/** Tokens begin with a type byte and the cluster time: four bytes of seconds and four of the increment. */
const TOKEN = /^82[0-9A-F]{16}/i;

function timeOfToken(token: unknown): bigint {
  const data = (token as { _data?: unknown } | undefined)?._data;
  if (typeof data !== 'string' || !TOKEN.test(data)) throw new Error('a resume token without a cluster time');
  return BigInt(`0x${data.slice(2, 18)}`);
}
