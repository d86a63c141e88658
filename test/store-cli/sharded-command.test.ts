import { type Document, MongoClient } from 'mongodb';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createIndexes } from '../../src/store/collections.ts';
import { formatShardKey, type ShardKey, shardedCollections } from '../../src/store/shard-keys.ts';
import { freshDatabaseName } from '../support/store.ts';
import { buildStoreProgram, type Ran, type StoreProgram } from './program.ts';

let program: StoreProgram;
let client: MongoClient;
let database: string;
const uri = process.env.MONGODB_URI!;
beforeAll(async () => {
  program = await buildStoreProgram();
  client = await MongoClient.connect(uri);
});
beforeEach(() => {
  database = freshDatabaseName();
});
afterAll(async () => {
  await client.close();
  await program.remove();
});

const shard = (): Promise<Ran> => program.run(['shard', '--database', database], { uri });
const shardBy = (collection: string, key: Document) =>
  client.db('admin').command({ shardCollection: `${database}.${collection}`, key });

/** The collections of the database that are sharded, with their keys. */
async function shardKeys(): Promise<Record<string, string>> {
  const collections = client.db('config').collection<{ _id: string; key: ShardKey }>('collections');
  const found = await collections.find({ _id: { $gt: `${database}.`, $lt: `${database}/` } }).toArray();
  return Object.fromEntries(found.map(({ _id, key }) => [_id.split('.')[1], formatShardKey(key)]));
}

it('requires collections, and names a missing unique index', async () => {
  expect(await shard()).toMatchObject({ code: 1, err: expect.stringContaining('contains no collections') });
  const db = client.db(database);
  await db.createCollection('messages');
  const { code, err } = await shard();
  expect(code).toBe(1);
  expect(err).toContain('messages has no unique index { networkId: 1, messageFeedId: 1, segment: 1 }');
  expect(err).toContain('users has no unique index { networkId: 1, userId: 1 }');
  expect(await shardKeys()).toEqual({});
});

it('names a collection that is sharded by another key or must not be sharded, and changes nothing', async () => {
  const db = client.db(database);
  await db.collection('users').createIndex({ networkId: 1 });
  await shardBy('users', { networkId: 1 });
  await db.collection('networks').createIndex({ networkId: 1 });
  await shardBy('networks', { networkId: 1 });
  const { code, err } = await shard();
  expect(code).toBe(1);
  expect(err).toContain('users is sharded by { networkId: 1 }, must be by { networkId: 1, userId: 1 }');
  expect(err).toContain('networks is sharded by { networkId: 1 }, must not be sharded');
  expect(Object.keys(await shardKeys()).sort()).toEqual(['networks', 'users']);
});

it('shards what is not sharded yet by the documented keys; repeated, it changes nothing', async () => {
  await createIndexes(client.db(database));
  await shardBy('users', { networkId: 1, userId: 1 });
  const all = shardedCollections();
  const first = await shard();
  expect(first).toMatchObject({ code: 0, err: '' });
  expect(first.out).toContain("posts: sharded by { networkId: 1, postId: 'hashed' }");
  expect(first.out).toContain(`${all.length - 1} collections sharded, 1 already were.`);
  const expected = Object.fromEntries(all.map(([name, key]) => [name, formatShardKey(key)]));
  expect(await shardKeys()).toEqual(expected);

  const again = await shard();
  expect(again).toMatchObject({ code: 0, err: '' });
  expect(again.out).toContain(`0 collections sharded, ${all.length} already were.`);
  expect(await shardKeys()).toEqual(expected);
  // As each start of a gateway does.
  await createIndexes(client.db(database));
});
