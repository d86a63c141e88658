import { type Db, type Document, type MongoClient, MongoServerError } from 'mongodb';
import { type CollectionName, INDEXES } from '../store/collections.ts';
import { formatShardKey, SHARD_KEYS, type ShardKey, shardedCollections } from '../store/shard-keys.ts';
import { IMPORT_STATE } from '../store/unfinished-import.ts';
import { type Call, CliError, type Command, UsageError } from './command.ts';
import { connect, DEFAULT_DATABASE } from './connect.ts';
import { formatCount } from './format.ts';

export const shard: Command = {
  usage: 'shard [--uri URI]',
  help: `Shards the collections of a database on a sharded MongoDB cluster.

  --uri URI      a router (mongos) of the cluster (default MONGODB_URI)
  --database D   the database to shard (default the one of the URI, else ${DEFAULT_DATABASE})

Applies the shard keys of docs/reference/sharding.md to the collections that a gateway or an import created, empty or
not, and creates the index of each hashed key. Collections that already have their key stay as they are, so the command
can be repeated. Nothing is changed if a collection has another key or lacks an index. Gateways may run meanwhile.`,
  options: { uri: { type: 'string' }, database: { type: 'string' } },
  positionalCount: [0, 0],
  async run({ config, options }: Call) {
    if (config.MONGODB_URI === undefined) {
      throw new UsageError('Set MONGODB_URI or --uri to a router of the cluster: the embedded store is one process.');
    }
    const database = options.database === undefined ? undefined : String(options.database);
    const { client, databaseName, name } = await connect(config.MONGODB_URI, database);
    try {
      const db = client.db(databaseName);
      const onSharded = (collection: string, key: ShardKey): void =>
        console.log(`${collection}: sharded by ${formatShardKey(key)}`);
      const { sharded, unchanged } = await shardDatabase({ client, db, name: `${name}/${databaseName}`, onSharded });
      console.log(`${name}/${databaseName}: ${formatCount(sharded, 'collection')} sharded, ${unchanged} already were.`);
    } finally {
      await client.close();
    }
  },
};

export interface ShardOptions {
  /** Connected to a router, without socket timeouts: an index of a hashed key may take long to build. */
  client: MongoClient;
  db: Db;
  /** Names the database in errors. */
  name: string;
  /** Called after each collection that is sharded now. */
  onSharded?: (collection: CollectionName, key: ShardKey) => void;
}

/**
 * Shards each collection that has a shard key and is not sharded yet.
 *
 * @returns the number of collections that were sharded now, and of those that already had their key
 * @throws CliError before any change for a server that is not a router, an unfinished import, a collection that is
 *   sharded by another key, and a missing collection or index; during changes for a refused command
 */
export async function shardDatabase(options: ShardOptions): Promise<{ sharded: number; unchanged: number }> {
  const { client, db, name, onSharded } = options;
  const present = await withReasons(name, async () => {
    await requireRouter(db, name);
    const keys = await shardKeysOf(client, db);
    assertSameKeys(keys, name);
    await requireIndexes(db, name);
    return keys;
  });
  const missing = shardedCollections().filter(([collection]) => !present.has(collection));
  for (const [collection, key] of missing) {
    await withReasons(`${name}: ${collection}`, () => shardCollection({ client, db, collection, key }));
    onSharded?.(collection, key);
  }
  return { sharded: missing.length, unchanged: shardedCollections().length - missing.length };
}

interface ShardCollectionOptions extends Pick<ShardOptions, 'client' | 'db'> {
  collection: CollectionName;
  key: ShardKey;
}

/** Any other key than a hashed one is a prefix of an index that exists. */
async function shardCollection({ client, db, collection, key }: ShardCollectionOptions): Promise<void> {
  if (isHashed(key)) await db.collection(collection).createIndex(key);
  await client.db('admin').command({ shardCollection: `${db.databaseName}.${collection}`, key });
}

async function requireRouter(db: Db, name: string): Promise<void> {
  const { msg } = await db.command({ hello: 1 });
  if (msg === 'isdbgrid') return;
  throw new CliError(
    `${name} is not on a sharded cluster: the URI must name routers (mongos). A replica set needs no shard keys.`,
  );
}

/** The shard keys of the sharded collections of a database. */
async function shardKeysOf(client: MongoClient, db: Db): Promise<Map<string, Document>> {
  const prefix = `${db.databaseName}.`;
  const found = await client
    .db('config')
    .collection<{ _id: string; key: Document; unsplittable?: boolean }>('collections')
    // MongoDB 8.0 also lists collections that are not sharded.
    .find({ _id: { $gt: prefix, $lt: `${prefix}\uffff` }, unsplittable: { $ne: true } })
    .toArray();
  return new Map(found.map(({ _id, key }) => [_id.slice(prefix.length), key]));
}

function assertSameKeys(present: ReadonlyMap<string, Document>, name: string): void {
  const different = Object.entries(SHARD_KEYS).flatMap(([collection, key]) => {
    const actual = present.get(collection);
    if (!actual || (key && isSameKey(actual, key))) return [];
    const expected = key ? `must be by ${formatShardKey(key)}` : 'must not be sharded';
    return [`${collection} is sharded by ${formatShardKey(actual as ShardKey)}, ${expected}`];
  });
  if (different.length === 0) return;
  throw new CliError(
    [
      `${name} is sharded by other keys; nothing was changed:`,
      ...different,
      'Change them with sh.reshardCollection() or sh.unshardCollection(), or import the data into a new database.',
    ].join('\n'),
  );
}

/** Requires what a gateway creates at its start: without a unique index a router would accept duplicates. */
async function requireIndexes(db: Db, name: string): Promise<void> {
  const existing = new Set((await db.listCollections({}, { nameOnly: true }).toArray()).map((one) => one.name));
  if (existing.has(IMPORT_STATE)) throw new CliError(`${name} contains an unfinished import: continue it first.`);
  const names = Object.keys(INDEXES) as CollectionName[];
  if (!names.some((one) => existing.has(one))) {
    throw new CliError(`${name} contains no collections: start a gateway on it once, or import data into it, first.`);
  }
  const missing: string[] = [];
  for (const collection of names) {
    const found = existing.has(collection) ? await db.collection(collection).indexes() : [];
    for (const { key, unique } of INDEXES[collection]) {
      if (!unique || found.some((index) => index.unique && isSameKey(index.key, key))) continue;
      missing.push(`${collection} has no unique index ${formatShardKey(key as ShardKey)}`);
    }
  }
  if (missing.length === 0) return;
  throw new CliError(
    [
      `${name} lacks indexes; nothing was changed:`,
      ...missing,
      'Start a gateway of this release on it once, which creates them.',
    ].join('\n'),
  );
}

const isHashed = (key: ShardKey): boolean => Object.values(key).includes('hashed');

/** Whether two keys have the same fields in the same order. Servers return 1 as any numeric type. */
function isSameKey(one: Document, other: Document): boolean {
  const text = (key: Document) =>
    Object.entries(key).map(([field, how]) => `${field} ${how === 'hashed' ? how : +how}`);
  return text(one).join() === text(other).join();
}

/** Unauthorized. */
const UNAUTHORIZED = 13;

/** Converts errors of the server to ones that name what was attempted. */
async function withReasons<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MongoServerError)) throw error;
    const role = error.code === UNAUTHORIZED ? ' The user of the URI needs the role clusterManager.' : '';
    throw new CliError(`${what}: ${error.message}.${role}`);
  }
}
