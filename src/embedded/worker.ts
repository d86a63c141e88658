import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { residentMemory } from '../lib/system-memory.ts';
import { createMessageHandler } from './commands/index.ts';
import { createEngine } from './engine.ts';
import { rebuildIndexes, startExpiry } from './maintenance/index.ts';
import {
  ALL_KEYS,
  boundResidentPages,
  checkFile,
  checkHead,
  claimFolder,
  DamagedFileError,
  findDamagedIndexes,
  openStorage,
  prepareFolder,
  type Storage,
  StorageFailure,
  sumsOf,
} from './storage/index.ts';
import { listen } from './wire/index.ts';
import type { FromWorker, ToWorker, WorkerSettings } from './worker-protocol.ts';

/** The entry point of the store's thread: opens the folder, serves the socket, and closes on request. */
const settings = workerData as WorkerSettings;
const port = parentPort!;
const send = (message: FromWorker): void => port.postMessage(message);
const warn = (message: string): void => send({ kind: 'warning', message });

interface Running {
  close(): Promise<void>;
  /** Ends immediately. The folder stays claimed until the next start finds that its owner has ended. */
  terminate(): Promise<void>;
}

/**
 * Flushes what LMDB found in the file. If the previous process was killed, its last commits may not be on disk yet, and
 * data that is served must survive a power failure. Flushing the commit of the claim flushes all earlier ones.
 */
async function flushRecovered(storage: Storage): Promise<void> {
  const error = await new Promise<Error | undefined>((done) => storage.flush(done));
  // On a full disk there was no commit, but reads must work.
  if (error && !storage.isFull()) throw error;
}

/**
 * Starts keeping the sums of index entries in a store of an earlier version. They are computed inside the commit,
 * because a process of that version may have written until this one claimed the folder.
 */
function startSums(storage: Storage): void {
  if (storage.sums.areKept()) return;
  try {
    storage.commit(() => storage.sums.start(sumsOf(storage.scanEntries(ALL_KEYS))));
  } catch (error) {
    // Reads must work on a full disk; a later start computes the sums.
    if (!storage.isFull()) throw error;
  }
}

async function start(): Promise<Running> {
  await prepareFolder(settings.folder);
  const file = join(settings.folder, 'store.mdb');
  const sums = settings.isChecked ? checkHead(file) : checkFile(file);
  const residentBefore = residentMemory().fileBytes;
  const storage = openStorage({ folder: settings.folder, isMemory: settings.isMemory });
  for (const name of ['store.mdb', 'store.mdb-lock']) {
    const file = join(settings.folder, name);
    if (existsSync(file)) chmodSync(file, 0o600);
  }
  try {
    const claim = await claimFolder(settings.folder, storage);
    startSums(storage);
    await flushRecovered(storage);
    const engine = createEngine(storage, {
      refuseUnindexed: settings.refuseUnindexed,
      warn,
      address: claim.socket,
      term: claim.term,
      history: { bytes: settings.historyBytes, ms: settings.historyMs },
      transactionLifetimeMs: settings.transactionLifetimeMs,
    });
    try {
      const damaged = sums ? findDamagedIndexes(sums) : [];
      rebuildIndexes({ storage, catalog: engine.catalog, damaged, warn });
    } catch (error) {
      if (error instanceof StorageFailure) throw error;
      throw new DamagedFileError(file, (error as Error).message, 'No record was changed');
    }
    const server = await listen(createMessageHandler(engine), claim.socket, settings.maxElements);
    const stopExpiry = startExpiry(engine, settings.ttlSweepMs);
    const stopBounding = await boundResidentPages(file, residentBefore, settings.residentTarget);
    send({ kind: 'ready', socket: claim.socket });
    return {
      async close() {
        stopExpiry();
        stopBounding();
        await server.close();
        await engine.close();
        claim.release();
        await storage.close();
        process.exit(0);
      },
      async terminate() {
        // A running flush would outlive the thread and crash the whole process.
        await engine.queue.halt();
        process.exit(1);
      },
    };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

try {
  const running = await start();
  port.once('message', (message: ToWorker) => (message === 'kill' ? running.terminate() : running.close()));
  process.on('uncaughtException', (error) => {
    warn(`the embedded store failed: ${error.stack ?? error.message}`);
    void running.terminate();
  });
} catch (error) {
  send({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  process.exit(1);
}
