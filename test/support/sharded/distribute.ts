import { type Db, type Document, Long, MaxKey, MinKey, MongoClient, MongoServerError } from 'mongodb';
import type { CollectionName } from '../../../src/store/collections.ts';
import { SHARD_KEYS } from '../../../src/store/shard-keys.ts';
import { shardDatabase } from '../../../src/store-cli/shard.ts';

/** Whether tests run on a sharded cluster. */
export const isSharded = (): boolean => process.env.TEST_STORE === 'sharded';

/** Collections with most of the traffic: each network has chunks of them on two shards. */
export const HOT_COLLECTIONS = [
  'users',
  'communityUsers',
  'posts',
  'comments',
  'reactions',
  'channelUsers',
  'messages',
  'searchEntries',
  'events',
] as const satisfies readonly CollectionName[];

const sharded = new WeakSet<Db>();

/**
 * Shards a database as `npm run store -- shard` does, and moves the upper half of a network's records in the hot
 * collections to a second shard. Does nothing on other servers.
 */
export async function distribute(db: Db, networkId: string): Promise<void> {
  if (!isSharded()) return;
  const client = await MongoClient.connect(process.env.MONGODB_URI!);
  try {
    const own = client.db(db.databaseName);
    if (!sharded.has(db)) await shardDatabase({ client, db: own, name: db.databaseName });
    sharded.add(db);
    const second = await secondShard(client, db.databaseName);
    for (const collection of HOT_COLLECTIONS) {
      const range = await upperHalf(own, collection, networkId);
      const command = { moveRange: `${db.databaseName}.${collection}`, ...range, toShard: second };
      await whenIdle(() => client.db('admin').command(command));
    }
  } finally {
    await client.close();
  }
}

/** A cluster that the tests started ends with them: dropping a sharded database takes a minute in it. */
export async function dropTestDatabase(db: Db): Promise<void> {
  if (!isSharded()) await db.dropDatabase();
}

async function secondShard(client: MongoClient, databaseName: string): Promise<string> {
  const { shards } = await client.db('admin').command({ listShards: 1 });
  const database = await client.db('config').collection<{ _id: string; primary: string }>('databases').findOne({
    _id: databaseName,
  });
  return (shards as Array<{ _id: string }>).find(({ _id }) => _id !== database?.primary)!._id;
}

/** The range from the middle of a network's records, in the order of the shard key, to its end. */
async function upperHalf(
  db: Db,
  collection: CollectionName,
  networkId: string,
): Promise<{ min: Document; max: Document }> {
  const [, ...fields] = Object.entries(SHARD_KEYS[collection]!);
  const max = { networkId, ...Object.fromEntries(fields.map(([field]) => [field, new MaxKey()])) };
  const hashed = fields.findIndex(([, how]) => how === 'hashed');
  const middle = hashed < 0 ? await middleOf(db, collection, networkId) : undefined;
  const min = fields.map(([field], place) => {
    if (middle) return [field, middle[field]];
    // Hashes are signed integers; without records the middle is that of lower-case names.
    if (place === 0) return [field, hashed === 0 ? Long.ZERO : 'm'];
    return [field, new MinKey()];
  });
  return { min: { networkId, ...Object.fromEntries(min) }, max };
}

async function middleOf(db: Db, collection: CollectionName, networkId: string): Promise<Document | null> {
  const records = db.collection(collection);
  const skip = Math.floor((await records.countDocuments({ networkId })) / 2);
  return records.findOne({ networkId }, { sort: SHARD_KEYS[collection] as Record<string, 1>, skip });
}

/** Waits while another move of the shards is in progress, such as that of another test file. */
async function whenIdle(move: () => Promise<unknown>): Promise<void> {
  const end = performance.now() + MOVES_MS;
  for (;;) {
    try {
      await move();
      return;
    } catch (error) {
      if (performance.now() > end || !(error instanceof MongoServerError) || !CONFLICTS.has(error.code)) throw error;
    }
    await new Promise((later) => setTimeout(later, 500));
  }
}

/** ConflictingOperationInProgress and LockBusy. */
const CONFLICTS = new Set<unknown>([117, 46]);
const MOVES_MS = 120_000;
