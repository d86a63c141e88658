import { ObjectId } from 'bson';
import { type Catalog, openCatalog } from './catalog.ts';
import { type Cursors, createCursors } from './cursors.ts';
import { createWriteQueue, type WriteQueue } from './group-commit.ts';
import { CommandError } from './language/errors.ts';
import type { Storage } from './storage.ts';
import { createTransactions, type Transactions } from './transactions.ts';
import { createWaste, startCleaning } from './waste.ts';

export interface EngineSettings {
  /** Refuse queries that no index serves, instead of reporting each shape once. */
  refuseUnindexed: boolean;
  warn(message: string): void;
  /** The path of the socket, which is the name of this replica set's only member. */
  address: string;
}

/** Everything a command works with. */
export interface Engine {
  storage: Storage;
  catalog: Catalog;
  queue: WriteQueue;
  transactions: Transactions;
  cursors: Cursors;
  settings: EngineSettings;
  /** Identifies this run of the server. */
  processId: ObjectId;
  startedAt: number;
  close(): Promise<void>;
}

export function createEngine(storage: Storage, settings: EngineSettings): Engine {
  const waste = createWaste(storage);
  const catalog = openCatalog(storage, waste);
  const queue = createWriteQueue({ storage, onAbort: () => catalog.reload() });
  const transactions = createTransactions({ storage, catalog, queue });
  const cursors = createCursors();
  const stopCleaning = startCleaning({ storage, queue, waste, isBuilding: catalog.isBuilding });
  return {
    storage,
    catalog,
    queue,
    transactions,
    cursors,
    settings,
    processId: new ObjectId(),
    startedAt: Date.now(),
    async close() {
      cursors.close();
      transactions.close();
      stopCleaning();
      for (const collection of catalog.list()) {
        for (const build of collection.builds) catalog.giveUpBuild(collection, build, shuttingDown());
      }
      await queue.idle();
    },
  };
}

const shuttingDown = (): CommandError => new CommandError(11600, 'interrupted at shutdown');
