import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    mongodbUri: string;
  }
}

/**
 * Provides the server of the project `mongod`: the one that `MONGODB_URI` names, or a replica set with one member, started
 * from the binary of `MONGOMS_SYSTEM_BINARY`, a cached binary, or a downloaded one.
 */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  if (process.env.MONGODB_URI) {
    provide('mongodbUri', process.env.MONGODB_URI);
    return async () => undefined;
  }
  const { MongoMemoryReplSet } = await import('mongodb-memory-server');
  const replicaSet = await MongoMemoryReplSet.create({
    replSet: { count: 1, storageEngine: 'wiredTiger' },
    // Transactions of killed clients would otherwise hold their locks for a minute.
    instanceOpts: [{ launchTimeout: 120_000, args: ['--setParameter', 'transactionLifetimeLimitSeconds=15'] }],
  });
  provide('mongodbUri', replicaSet.getUri());
  return async () => {
    await replicaSet.stop();
  };
}
