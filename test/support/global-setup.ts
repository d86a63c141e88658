/**
 * Where the suite's data lives: the embedded store, unless `MONGODB_URI` names a server. `TEST_STORE=mongod` demands a
 * real one and starts it: the binary of `MONGOMS_SYSTEM_BINARY`, a cached one, or one that is downloaded.
 */
export default async function setup(): Promise<() => Promise<void>> {
  if (process.env.TEST_STORE !== 'mongod' || process.env.MONGODB_URI) return async () => undefined;
  const { MongoMemoryReplSet } = await import('mongodb-memory-server');
  const replicaSet = await MongoMemoryReplSet.create({
    replSet: { count: 1, storageEngine: 'wiredTiger' },
    instanceOpts: [{ launchTimeout: 120_000 }],
  });
  process.env.MONGODB_URI = replicaSet.getUri();
  return async () => {
    await replicaSet.stop();
  };
}
