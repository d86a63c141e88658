import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type EmbeddedStore, startEmbeddedStore } from '../../src/embedded/index.ts';

let store: Promise<EmbeddedStore> | undefined;

/**
 * The embedded store that the test files of one worker share: started by the first file that needs it, it ends with the
 * worker. Each test file uses a database or a network of its own. A query that no index serves is an error.
 */
export function workerStore(): Promise<EmbeddedStore> {
  store ??= start();
  return store;
}

async function start(): Promise<EmbeddedStore> {
  const folder = await mkdtemp(join(inject('temporaryFolder'), 'store-'));
  return startEmbeddedStore({ folder, durability: 'memory', refuseUnindexed: true });
}
