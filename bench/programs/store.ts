import { startEmbeddedStore } from '../../src/embedded/index.ts';

/** The embedded store in a process of its own, so that every server reaches the same one in the same way. */
const store = await startEmbeddedStore({ folder: process.env.STORE_FOLDER! });
process.send!({ uri: store.uri });
process.once('SIGTERM', () => void store.close().then(() => process.exit(0)));
