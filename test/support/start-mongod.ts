import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    mongodbUri: string;
  }
}

/**
 * The server of the project `mongod`: the one that `MONGODB_URI` names, else a replica set of one, started from the
 * binary of `MONGOMS_SYSTEM_BINARY`, a cached one, or one that is downloaded.
 */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  if (process.env.MONGODB_URI) {
    provide('mongodbUri', process.env.MONGODB_URI);
    return async () => undefined;
  }
  const { MongoMemoryReplSet } = await import('mongodb-memory-server');
  const replicaSet = await MongoMemoryReplSet.create({
    replSet: { count: 1, storageEngine: 'wiredTiger' },
    // Tests that kill clients would otherwise wait a minute for each of their transactions.
    instanceOpts: [{ launchTimeout: 120_000, args: ['--setParameter', 'transactionLifetimeLimitSeconds=15'] }],
  });
  provide('mongodbUri', replicaSet.getUri());
  return async () => {
    await replicaSet.stop();
  };
}
