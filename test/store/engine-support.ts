import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedStoreOptions, startEmbeddedStore } from '../../src/embedded/index.ts';
import { patchDriver } from '../../src/store/driver-patches.ts';

// A client that is closed right after its store was killed would wait for ever now and then.
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

/** The embedded store alone, in a temporary folder. */
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
