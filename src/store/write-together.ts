import {
  type ClientSession,
  type Collection,
  type Document,
  type Filter,
  type MongoClient,
  MongoServerError,
  type OptionalUnlessRequiredId,
  type UpdateFilter,
} from 'mongodb';

/** An update of at most one record. */
interface Update<Record> {
  filter: Filter<Record>;
  update: UpdateFilter<Record>;
  upsert?: boolean;
  arrayFilters?: Document[];
}

/** A write that waits for others of its transaction. */
interface Waiting {
  namespace: string;
  /** Its operation of `bulkWrite`, without the position of its collection. */
  kind: 'insert' | 'update';
  operation: Document;
  resolve: (matchedCount: number) => void;
  reject: (error: unknown) => void;
}

const waiting = new WeakMap<ClientSession, Waiting[]>();

/**
 * Inserts documents in a transaction. On the embedded store, all writes of this module that `together` calls in one turn leave
 * as one command; elsewhere each is a command of its own.
 */
export async function insertInto<Record extends Document>(
  collection: Collection<Record>,
  documents: readonly Record[],
  session: ClientSession,
): Promise<void> {
  const writes = waiting.get(session);
  if (!writes) {
    await collection.insertMany(documents as OptionalUnlessRequiredId<Record>[], { session });
    return;
  }
  await Promise.all(documents.map((document) => wait(writes, { kind: 'insert', collection, operation: { document } })));
}

/**
 * Updates at most one record in a transaction, like {@link insertInto}.
 * @returns how many records matched the filter; 1 for an upsert
 */
export async function updateOneOf<Record extends Document>(
  collection: Collection<Record>,
  { filter, update, ...options }: Update<Record>,
  session: ClientSession,
): Promise<number> {
  const writes = waiting.get(session);
  if (writes) return wait(writes, updateOf(collection, { filter, update, ...options }));
  const { matchedCount, upsertedCount } = await collection.updateOne(filter, update, { session, ...options });
  return matchedCount + upsertedCount;
}

/** Executes several updates, each of at most one record, like {@link updateOneOf}. */
export async function updateEachOf<Record extends Document>(
  collection: Collection<Record>,
  updates: ReadonlyArray<Update<Record>>,
  session: ClientSession,
): Promise<void> {
  const writes = waiting.get(session);
  if (writes) await Promise.all(updates.map((update) => wait(writes, updateOf(collection, update))));
  else await collection.bulkWrite(updates.map((update) => ({ updateOne: update })) as never, { session });
}

/**
 * Whether a record has these values in the snapshot of the transaction, by an update that sets them again, which changes
 * nothing.
 * @returns false also if that is not known without another command: then the record must be read
 */
export async function isKnownToHave<Record extends Document>(
  collection: Collection<Record>,
  key: Filter<Record>,
  values: Partial<Record>,
  session: ClientSession,
): Promise<boolean> {
  if (!waiting.has(session)) return false;
  const filter = { ...key, ...values } as Filter<Record>;
  const update = { $set: values } as UpdateFilter<Record>;
  return (await updateOneOf(collection, { filter, update }, session)) === 1;
}

/**
 * Calls `send`, and then sends the writes that it called as one command, `bulkWrite`.
 * @param client of the session; its server must support the command
 * @param send must not await before it writes
 */
export function collectWrites<Result>(client: MongoClient, session: ClientSession, send: () => Result): Result {
  // Inside another call, that one sends the writes.
  if (waiting.has(session)) return send();
  const writes: Waiting[] = [];
  waiting.set(session, writes);
  let result: Result;
  try {
    result = send();
  } finally {
    waiting.delete(session);
  }
  if (writes.length > 0) void sendAll(client, session, writes);
  return result;
}

function updateOf<Record extends Document>(
  collection: Collection<Record>,
  { update, ...others }: Update<Record>,
): Parameters<typeof wait>[1] {
  return { kind: 'update', collection, operation: { ...others, updateMods: update, multi: false } };
}

function wait(
  writes: Waiting[],
  { collection, ...write }: Pick<Waiting, 'kind' | 'operation'> & { collection: { namespace: string } },
): Promise<number> {
  return new Promise((resolve, reject) => {
    writes.push({ ...write, namespace: collection.namespace, resolve, reject });
  });
}

/** Never rejects: each write has its own promise. */
async function sendAll(client: MongoClient, session: ClientSession, writes: readonly Waiting[]): Promise<void> {
  const namespaces = [...new Set(writes.map(({ namespace }) => namespace))];
  const ops = writes.map(({ kind, namespace, operation }) => ({ [kind]: namespaces.indexOf(namespace), ...operation }));
  const nsInfo = namespaces.map((ns) => ({ ns }));
  try {
    const reply = await client.db('admin').command({ bulkWrite: 1, ops, nsInfo }, { session });
    const results: Document[] = reply.cursor.firstBatch;
    const failed = results.find(({ ok }) => ok !== 1);
    if (failed) throw new MongoServerError({ ...failed, message: failed.errmsg });
    for (const [index, { resolve }] of writes.entries()) resolve(results[index]!.n);
  } catch (error) {
    for (const { reject } of writes) reject(error);
  }
}
