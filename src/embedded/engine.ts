import { ObjectId } from 'bson';
import { createStreams, type Streams } from './change-streams/index.ts';
import { type Cursors, createCursors } from './commands/index.ts';
import { CommandError } from './lib/index.ts';
import { compileIndexFilter } from './query/index.ts';
import {
  type Catalog,
  type ChangeLog,
  createGarbage,
  createSnapshots,
  createTransactions,
  createWriteQueue,
  type HistoryLimits,
  openCatalog,
  openChangeLog,
  type Snapshots,
  type Storage,
  startCleaning,
  startHistoryTrimming,
  type Transactions,
  upgradeChecksums,
  type WriteQueue,
} from './storage/index.ts';

export interface EngineSettings {
  /** Refuse queries that no index serves, instead of warning once per query shape. */
  refuseUnindexed: boolean;
  warn(message: string): void;
  /** The path of the socket, which is the host name of the replica set's only member. */
  address: string;
  /** Increases with every start on the same store. */
  term: number;
  history: HistoryLimits;
  /** How long a transaction may stay open, in milliseconds. */
  transactionLifetimeMs: number;
}

/** The parts of the store with which commands work. */
export interface Engine {
  storage: Storage;
  catalog: Catalog;
  queue: WriteQueue;
  transactions: Transactions;
  cursors: Cursors;
  changes: ChangeLog;
  snapshots: Snapshots;
  streams: Streams;
  settings: EngineSettings;
  /** Shapes of queries without an index for which a warning was emitted. */
  reportedShapes: Set<string>;
  /** Identifies this run of the server. */
  processId: ObjectId;
  startedAt: number;
  close(): Promise<void>;
}

export function createEngine(storage: Storage, settings: EngineSettings): Engine {
  const garbage = createGarbage(storage);
  const catalog = openCatalog(storage, garbage, compileIndexFilter);
  const changes = openChangeLog(storage);
  const queue = createWriteQueue({
    storage,
    onCommit: changes.committed,
    onAbort() {
      catalog.reload();
      changes.revert();
    },
  });
  const stopTrimming = startHistoryTrimming({
    log: changes,
    queue,
    storage,
    limits: settings.history,
    warn: settings.warn,
  });
  const transactions = createTransactions({
    storage,
    catalog,
    queue,
    log: changes,
    lifetimeMs: settings.transactionLifetimeMs,
  });
  const snapshots = createSnapshots({ storage, catalog, log: changes });
  const cursors = createCursors();
  const streams = createStreams(changes);
  const stopUpgrade = upgradeChecksums({ storage, queue });
  const stopCleaning = startCleaning({ storage, queue, garbage, isBuilding: catalog.isBuilding });
  return {
    storage,
    catalog,
    queue,
    transactions,
    cursors,
    changes,
    snapshots,
    streams,
    settings,
    reportedShapes: new Set(),
    processId: new ObjectId(),
    startedAt: Date.now(),
    async close() {
      cursors.close();
      streams.close();
      stopTrimming();
      snapshots.close();
      transactions.close();
      stopCleaning();
      stopUpgrade();
      for (const collection of catalog.list()) {
        for (const build of collection.builds) catalog.abortBuild(collection, build, shuttingDown());
      }
      await queue.idle();
    },
  };
}

const shuttingDown = (): CommandError => new CommandError(11600, 'interrupted at shutdown');
