import { type Db, MongoClient, type MongoClientOptions } from 'mongodb';
import { type Availability, createAvailability } from './availability.ts';
import { bindCollections, type Collections } from './collections.ts';
import { repairDriver } from './driver-repair.ts';
import { createFind } from './find.ts';
import { type Batchers, createBatchers } from './loaders.ts';
import { checkDatabase, prepareDatabase } from './prepare.ts';
import { createRoleBook, type RoleBook } from './role-book.ts';
import { createTransactions, type RunTransaction } from './transaction.ts';
import { createTurns, type TakeTurn } from './turns.ts';

/** The database: the only way any other part reaches data. */
export interface Store {
  client: MongoClient;
  db: Db;
  collections: Collections;
  batchers: Batchers;
  /** The roles of networks, remembered for a moment. */
  roleBook: RoleBook;
  /** Whether it can be used now, and why not. */
  availability: Availability;
  /**
   * Runs `work` in one transaction and retries it as a whole on a transient conflict, so `work` must only change the
   * database. Resolves once the commit is durable.
   */
  transaction: RunTransaction;
  /** The turns that transactions of one key take. */
  takeTurn: TakeTurn;
  /** Makes collections and indexes and brings the data up to date; safe to repeat. See {@link prepareDatabase}. */
  prepare(onProgress?: (message: string) => void): Promise<void>;
  /** Refuses a database that can never be used, and changes nothing. See {@link checkDatabase}. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface StoreOptions {
  uri: string;
  /** @default the database of the URI, or `colloquy` */
  databaseName?: string | undefined;
  /** Whether command events are emitted; costs a third of every command. @default false */
  monitorCommands?: boolean | undefined;
  /** Milliseconds that one request may wait for the database altogether. @default 10_000 */
  timeoutMs?: number | undefined;
  /** Connections that this process opens at most. @default 64 */
  poolSize?: number | undefined;
}

/** How often the driver asks each server how it is, between what the servers tell by themselves. */
const HEARTBEAT_MS = 1_000;
/** Also how long a server may be silent before every wait for it ends: less, and a busy one counts as dead. */
const CONNECT_MS = 5_000;

/** Connections that are opened at a time. The driver's default of 2 makes the first requests after a start wait in a row. */
const MAX_CONNECTING = 8;

/** For preparing the database: an index may take long to build, and others wait for it. */
const WITHOUT_HURRY: MongoClientOptions = {
  maxPoolSize: 8,
  monitorCommands: false,
  socketTimeoutMS: 0,
  waitQueueTimeoutMS: 0,
};

/** Shorter than a start waits for the check, so that a replica set that cannot be used is refused before listening. */
const CHECK_SELECTION_MS = 3_000;

/** Binds the collections; connects when first used. */
export function createStore(options: StoreOptions): Store {
  repairDriver();
  const timeoutMs = options.timeoutMs ?? 10_000;
  const settings = clientOptions(options, timeoutMs);
  const client = new MongoClient(options.uri, settings);
  const databaseName = options.databaseName ?? databaseOf(options.uri);
  const db = client.db(databaseName);
  const availability = createAvailability(client, db, timeoutMs / 2);
  const takeTurn = createTurns();
  const find = createFind(db);
  const roleBook = createRoleBook(find);
  const withoutHurry = async (
    work: (client: MongoClient) => Promise<void>,
    limits: MongoClientOptions = {},
  ): Promise<void> => {
    const own = new MongoClient(options.uri, { ...settings, ...WITHOUT_HURRY, ...limits });
    try {
      await work(own);
    } finally {
      await own.close().catch(() => undefined);
    }
  };
  return {
    client,
    db,
    collections: bindCollections(db),
    batchers: createBatchers(find, roleBook),
    roleBook,
    availability,
    transaction: createTransactions({ client, timeoutMs, takeTurn }),
    takeTurn,
    async prepare(onProgress) {
      await withoutHurry((preparing) => prepareDatabase(preparing, preparing.db(databaseName), onProgress));
      await client.connect();
    },
    check: () =>
      withoutHurry((checking) => checkDatabase(checking, checking.db(databaseName)), {
        serverSelectionTimeoutMS: Math.min(CHECK_SELECTION_MS, Math.ceil(timeoutMs / 2)),
      }),
    async close() {
      availability.close();
      await client.close();
    },
  };
}

/** Connects and brings the database up to date. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const store = createStore(options);
  try {
    await store.prepare();
    store.availability.open();
    return store;
  } catch (error) {
    await store.close().catch(() => undefined);
    throw error;
  }
}

/**
 * Every wait has an end: for a server or a connection half of what a request has, for an answer all of it. The driver
 * repeats a read or write once, so that a request which meets a new primary still ends in time.
 */
function clientOptions({ monitorCommands, poolSize }: StoreOptions, timeoutMs: number): MongoClientOptions {
  const half = Math.ceil(timeoutMs / 2);
  return {
    appName: 'colloquy',
    maxPoolSize: poolSize ?? 64,
    maxConnecting: MAX_CONNECTING,
    monitorCommands: monitorCommands ?? false,
    serverSelectionTimeoutMS: half,
    waitQueueTimeoutMS: half,
    connectTimeoutMS: CONNECT_MS,
    socketTimeoutMS: timeoutMs,
    heartbeatFrequencyMS: HEARTBEAT_MS,
    writeConcern: { w: 'majority' },
    readConcern: { level: 'majority' },
    ignoreUndefined: true,
  };
}

function databaseOf(uri: string): string {
  const name = /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]+)/.exec(uri)?.[1];
  return name ? decodeURIComponent(name) : 'colloquy';
}
