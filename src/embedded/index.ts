import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { MAX_ELEMENTS } from './lib/index.ts';
import type { FromWorker, ToWorker, WorkerSettings } from './worker-protocol.ts';

export interface EmbeddedStoreOptions {
  /** The data folder; created if missing, and accessible only to its owner. */
  folder: string;
  /**
   * When a write is acknowledged: `flushed` once it is on disk; `memory` immediately, without flushing, for tests.
   * @default 'flushed'
   */
  durability?: 'flushed' | 'memory';
  /** Refuse queries that no index serves; otherwise a warning is emitted once per query shape. @default false */
  refuseUnindexed?: boolean;
  onWarning?: (message: string) => void;
  /** Called when the store's thread ends without {@link EmbeddedStore.close}; the store can then be started again. */
  onExit?: (error: Error) => void;
  /** The interval at which expired documents are removed, in milliseconds. @default 60_000 */
  ttlSweepMs?: number;
  /**
   * The maximum size of the change log, from which change streams resume, in bytes on disk. The default holds about
   * 200,000 changes of documents of 1 KB. The oldest changes are removed, and their space is used again.
   * @default 268_435_456
   */
  historyBytes?: number;
  /**
   * How long changes are kept, in milliseconds; by default four days, so that readers can catch up after a weekend.
   * @default 345_600_000
   */
  historyMs?: number;
  /**
   * After this many milliseconds an open transaction is aborted. A transaction belongs to its session: closing the
   * connection does not end it.
   * @default 60_000
   */
  transactionLifetimeMs?: number;
  /**
   * The maximum number of elements in a received document. Handling more than the default blocks other commands.
   * @default 100_000
   */
  maxElements?: number;
  /**
   * The resident memory of the process, in bytes, up to which pages of the file stay mapped; some always may. Pages that
   * are dropped stay in the system's page cache, from which they are mapped again when they are read.
   * @default 251_658_240
   */
  residentTarget?: number;
}

export interface EmbeddedStore {
  /** The connection string for the MongoDB driver. */
  uri: string;
  /** Closes all connections, flushes accepted writes to disk and releases the folder. */
  close(): Promise<void>;
  /** Terminates the thread like a crash: acknowledged writes are kept, others are lost. For tests. */
  kill(): Promise<void>;
}

/** Folders whose file this process has already checked; a restart of the thread skips the check. */
const checkedFolders = new Set<string>();

/**
 * Starts the embedded document store: a thread that serves the MongoDB wire protocol on a Unix socket that only the
 * current user can open.
 *
 * @throws Error with a human-readable message if the folder is in use by another process, has a newer format, or cannot
 *   be opened
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
    residentTarget: options.residentTarget ?? 240 * 1024 * 1024,
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
    uri: uriOf(socket),
    close() {
      isClosing = true;
      checkedFolders.delete(folder);
      return post('close');
    },
    kill: () => post('kill'),
  };
}

/** The connection string for the MongoDB driver of a store that listens on this socket. */
export const uriOf = (socket: string): string => `mongodb://${encodeURIComponent(socket)}/?directConnection=true`;

/**
 * In a build the worker is a file next to the program; from sources it is TypeScript, and a loader is registered first.
 */
function startWorker(workerData: WorkerSettings): Worker {
  if (!import.meta.url.endsWith('.ts')) {
    return new Worker(new URL('./embedded-worker.js', import.meta.url), { workerData });
  }
  const loader = JSON.stringify(import.meta.resolve('tsx/esm/api'));
  const entry = JSON.stringify(new URL('./worker.ts', import.meta.url).href);
  const bootstrap = `import(${loader}).then(({ register }) => (register(), import(${entry})));`;
  return new Worker(bootstrap, { eval: true, workerData });
}
