import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { MAX_ELEMENTS } from './lib/index.ts';
import type { FromWorker, ToWorker, WorkerSettings } from './worker-protocol.ts';

export interface EmbeddedStoreOptions {
  /** The data folder; made if missing, and closed to all but its owner. */
  folder: string;
  /**
   * When a write is acknowledged: `flushed` once it is on disk; `memory` at once, leaving the disk to the operating
   * system, for tests.
   * @default 'flushed'
   */
  durability?: 'flushed' | 'memory';
  /** Refuse queries that no index serves, naming collection and filter; otherwise each shape is reported once. @default false */
  refuseUnindexed?: boolean;
  onWarning?: (message: string) => void;
  /** Called when the store's thread ends without having been closed; start it again to go on. */
  onExit?: (error: Error) => void;
  /** Milliseconds between two removals of expired documents. @default 60_000 */
  ttlSweepMs?: number;
  /**
   * How much of the log of changes is kept for change streams to resume from, in bytes on disk: about 200,000 changes
   * of documents of 1 KB. What goes makes room for what comes, so the file does not grow further.
   * @default 268_435_456
   */
  historyBytes?: number;
  /** For how long changes are kept, in milliseconds: a reader that was away over a long weekend still catches up. @default 345_600_000 */
  historyMs?: number;
  /**
   * How long a transaction may stay open, in milliseconds; then it is aborted. A transaction belongs to its session:
   * closing the connection does not end it.
   * @default 60_000
   */
  transactionLifetimeMs?: number;
  /**
   * How many elements a received document may have; more than the default blocks others while it is handled.
   * @default 100_000
   */
  maxElements?: number;
}

export interface EmbeddedStore {
  /** For the official driver. */
  uri: string;
  /** Ends all connections, puts what was accepted on disk and frees the folder. */
  close(): Promise<void>;
  /** Ends the thread on the spot, as a crash would: what was acknowledged stays, the rest is lost. For tests. */
  kill(): Promise<void>;
}

/** Folders whose file this process has checked and holds open, so that a thread that died is restarted without delay. */
const checkedFolders = new Set<string>();

/**
 * Starts the embedded document store: a thread that speaks the MongoDB protocol on a Unix socket which only this
 * user can open.
 *
 * @throws Error for people when the folder is in use by another process, of a newer format, or cannot be opened
 */
export async function startEmbeddedStore(options: EmbeddedStoreOptions): Promise<EmbeddedStore> {
  const folder = resolve(options.folder);
  const settings: WorkerSettings = {
    folder,
    isChecked: checkedFolders.has(folder),
    isMemory: options.durability === 'memory',
    refuseUnindexed: options.refuseUnindexed ?? false,
    ttlSweepMs: options.ttlSweepMs ?? 60_000,
    historyBytes: options.historyBytes ?? 256 * 1024 * 1024,
    historyMs: options.historyMs ?? 4 * 24 * 3600 * 1000,
    transactionLifetimeMs: options.transactionLifetimeMs ?? 60_000,
    maxElements: options.maxElements ?? MAX_ELEMENTS,
  };
  const worker = startWorker(settings);
  const exited = new Promise<void>((done) => worker.once('exit', () => done()));
  const failed = new Promise<Error>((done) => {
    worker.once('error', done);
    void exited.then(() => done(new Error('the embedded store ended unexpectedly')));
  });
  let isClosing = false;

  const socket = await new Promise<string>((ready, reject) => {
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'ready') ready(message.socket);
      else if (message.kind === 'failed') reject(new Error(message.message));
      else options.onWarning?.(message.message);
    });
    void failed.then(reject);
  });
  checkedFolders.add(folder);
  void failed.then((error) => {
    if (!isClosing) options.onExit?.(error);
  });

  const post = (message: ToWorker): Promise<void> => {
    worker.postMessage(message);
    return exited;
  };
  return {
    uri: `mongodb://${encodeURIComponent(socket)}/?directConnection=true`,
    close() {
      isClosing = true;
      checkedFolders.delete(folder);
      return post('close');
    },
    kill: () => post('kill'),
  };
}

/** Built, the worker lies beside the program; from the sources it is TypeScript and registers its loader first. */
function startWorker(workerData: WorkerSettings): Worker {
  if (!import.meta.url.endsWith('.ts')) {
    return new Worker(new URL('./embedded-worker.js', import.meta.url), { workerData });
  }
  const loader = JSON.stringify(import.meta.resolve('tsx/esm/api'));
  const entry = JSON.stringify(new URL('./worker.ts', import.meta.url).href);
  const bootstrap = `import(${loader}).then(({ register }) => (register(), import(${entry})));`;
  return new Worker(bootstrap, { eval: true, workerData });
}
