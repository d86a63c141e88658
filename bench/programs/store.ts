import { startEmbeddedStore } from '../../src/embedded/index.ts';

/** The embedded store in a separate process, so that every server uses the same one in the same way. */
const startedAt = performance.now();
const store = await startEmbeddedStore({
  folder: process.env.STORE_FOLDER!,
  ...(process.env.RSS_TARGET_MB && { residentTarget: Number(process.env.RSS_TARGET_MB) * 1_048_576 }),
  durability: process.env.STORE_DURABILITY === 'memory' ? 'memory' : 'flushed',
});
process.send!({ uri: store.uri, openMs: performance.now() - startedAt });
process.once('SIGTERM', () => void store.close().then(() => process.exit(0)));
