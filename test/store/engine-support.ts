import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedStoreOptions, startEmbeddedStore } from '../../src/embedded/index.ts';
import { patchDriver } from '../../src/store/driver-patches.ts';

// Without the patches, a client closed right after its store was killed sometimes waits for ever.
patchDriver();

export interface TestEngine {
  uri: string;
  folder: string;
  /** Closes the store and keeps its folder. */
  stop(): Promise<void>;
  /** Ends the store's thread as a crash would, and keeps the folder. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

/** An embedded store without a gateway, in a temporary folder. */
export async function startEngine(options: Partial<EmbeddedStoreOptions> = {}): Promise<TestEngine> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'colloquy-engine-')));
  const store = await startEmbeddedStore({ folder, durability: 'memory', refuseUnindexed: true, ...options });
  return {
    uri: store.uri,
    folder,
    stop: store.close,
    kill: store.kill,
    async close() {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
