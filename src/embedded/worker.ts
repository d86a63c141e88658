import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { createEngine } from './engine.ts';
import { claimFolder, prepareFolder } from './folder.ts';
import type { FromWorker, WorkerSettings } from './protocol.ts';
import { listen } from './server.ts';
import { openStorage } from './storage.ts';
import { startExpiry } from './ttl.ts';

/** The thread that holds the store: opens the folder, serves the socket, closes when told to. */
const settings = workerData as WorkerSettings;
const port = parentPort!;
const send = (message: FromWorker): void => port.postMessage(message);

async function start(): Promise<() => Promise<void>> {
  prepareFolder(settings.folder);
  const storage = openStorage({ folder: settings.folder, isMemory: settings.isMemory });
  for (const name of ['store.mdb', 'store.mdb-lock']) {
    const file = join(settings.folder, name);
    if (existsSync(file)) chmodSync(file, 0o600);
  }
  try {
    const claim = await claimFolder(settings.folder, storage);
    const engine = createEngine(storage, {
      refuseUnindexed: settings.refuseUnindexed,
      warn: (message) => send({ kind: 'warning', message }),
      address: claim.socket,
    });
    const server = await listen(engine, claim.socket);
    const stopExpiry = startExpiry(engine, settings.ttlSweepMs);
    send({ kind: 'ready', socket: claim.socket });
    return async () => {
      stopExpiry();
      await server.close();
      await engine.close();
      claim.release();
      await storage.close();
    };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

try {
  const close = await start();
  port.once('message', async () => {
    await close();
    process.exit(0);
  });
} catch (error) {
  send({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  process.exit(1);
}
