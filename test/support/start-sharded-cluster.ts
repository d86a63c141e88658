import type { TestProject } from 'vitest/node';
import { startShardedCluster } from './sharded/cluster.ts';

/** Provides the router of the project `sharded`. @throws an error that names the settings to choose a cluster */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const cluster = await startShardedCluster();
  provide('mongodbUri', cluster.uri);
  return () => cluster.stop();
}
