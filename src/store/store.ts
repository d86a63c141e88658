import { type Db, MongoClient, type MongoClientOptions } from 'mongodb';
import { waitAtMost } from '../lib/wait-at-most.ts';
import { type Availability, createAvailability } from './availability.ts';
import { bindCollections, type Collections } from './collections.ts';
import { shrinkDecodedRecords } from './decode.ts';
import { patchDriver } from './driver-patches.ts';
import { createFind } from './find.ts';
import { createKeyLock, type WithKeyLock } from './key-lock.ts';
import { createKeyUses, type KeyUses } from './key-uses.ts';
import { type Batchers, createBatchers } from './loaders.ts';
import { assertKnownVersion } from './migrations/run.ts';
import { createNetworkCache, type NetworkCache } from './network-cache.ts';
import { checkDatabase, isEmbedded, prepareDatabase } from './prepare.ts';
import { type OpenChangeFeed, openChangeFeed } from './record-cache/change-feed.ts';
import { createRecordCache, type RecordCache } from './record-cache/record-cache.ts';
import { createRoleCache, type RoleCache } from './role-cache.ts';
import { createTransactions, type RunTransaction } from './transaction.ts';

/** The database: all other parts read and write data through it. */
export interface Store {
  client: MongoClient;
  db: Db;
  collections: Collections;
  batchers: Batchers;
  /** Null if it is turned off. */
  records: RecordCache | null;
  roleCache: RoleCache;
  networkCache: NetworkCache;
  /** Uses of keys that wait to be stored. */
  keyUses: KeyUses;
  /** Whether the database can be used now, and the reason if not. */
  availability: Availability;
  /**
   * Runs `work` in one transaction and retries it as a whole on a transient conflict, so `work` must only change the
   * database. Resolves once the commit is durable.
   */
  transaction: RunTransaction;
  /** The lock that serializes transactions with the same key. */
  withKeyLock: WithKeyLock;
  /** Creates collections and indexes and migrates the data; safe to repeat. See {@link prepareDatabase}. */
  prepare(onProgress?: (message: string) => void): Promise<void>;
  /** Rejects a database that cannot be used, and changes nothing. See {@link checkDatabase}. */
  check(): Promise<void>;
  /** @throws NewerDataError when a later release has migrated the data and this one can no longer use it */
  checkDataVersion(): Promise<void>;
  close(): Promise<void>;
}

export interface StoreOptions {
  uri: string;
  /** @default the database of the URI, or `colloquy` */
  databaseName?: string | undefined;
  /** Whether the driver emits command events; this adds a third to the cost of a command. @default false */
  monitorCommands?: boolean | undefined;
  /** Milliseconds that one request may wait for the database in total. @default 10_000 */
  timeoutMs?: number | undefined;
  /** The largest number of connections of this process. @default 64 */
  poolSize?: number | undefined;
  /** Mebibytes of records that are cached; 0: none. @default 0 */
  cacheMb?: number | undefined;
  /** Opens the feed of changes that the cache follows. @default {@link openChangeFeed} */
  openChangeFeed?: OpenChangeFeed | undefined;
}

/** How often the driver checks each server, in addition to the state changes that servers push. */
const HEARTBEAT_MS = 1_000;
/** Timeout for connecting, and for a server's reply to a heartbeat: with less, a busy server would count as dead. */
const CONNECT_MS = 5_000;

/** Connections opened concurrently. With the driver's default of 2, the first requests after a start queue for one. */
const MAX_CONNECTING = 8;

/** For preparing the database: building an index may take long, and other processes wait for it. */
const WITHOUT_TIMEOUTS: MongoClientOptions = {
  maxPoolSize: 8,
  monitorCommands: false,
  socketTimeoutMS: 0,
  waitQueueTimeoutMS: 0,
};

/** Shorter than startup waits for the check, so that an unusable replica set is rejected before the gateway listens. */
const CHECK_SELECTION_MS = 3_000;

/** Maximum time for which closing waits for the database. */
const CLOSES_WITHIN_MS = 3_000;

/** Creates the store without connecting: the client connects when first used. */
export function createStore(options: StoreOptions): Store {
  patchDriver();
  const timeoutMs = options.timeoutMs ?? 10_000;
  const settings = clientOptions(options, timeoutMs);
  const client = new MongoClient(options.uri, settings);
  const databaseName = options.databaseName ?? databaseOf(options.uri);
  const db = client.db(databaseName);
  const availability = createAvailability(client, db, timeoutMs / 2);
  const withKeyLock = createKeyLock();
  let queuesStatements = false;
  const find = createFind(db);
  const maxBytes = (options.cacheMb ?? 0) * 1_048_576;
  if (maxBytes > 0) shrinkDecodedRecords();
  const records =
    maxBytes > 0
      ? createRecordCache({ client, db, maxBytes, openChangeFeed: options.openChangeFeed ?? openChangeFeed })
      : null;
  const roleCache = createRoleCache(find, records);
  const withoutTimeouts = async (
    work: (client: MongoClient) => Promise<void>,
    limits: MongoClientOptions = {},
  ): Promise<void> => {
    const own = new MongoClient(options.uri, { ...settings, ...WITHOUT_TIMEOUTS, ...limits });
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
    batchers: createBatchers(find, roleCache, records),
    records,
    roleCache,
    networkCache: createNetworkCache(find),
    keyUses: createKeyUses(),
    availability,
    transaction: createTransactions({ client, timeoutMs, withKeyLock, queuesStatements: () => queuesStatements }),
    withKeyLock,
    async prepare(onProgress) {
      await withoutTimeouts((preparing) => prepareDatabase(preparing, preparing.db(databaseName), onProgress));
      await client.connect();
      queuesStatements = await isEmbedded(db);
    },
    check: () =>
      withoutTimeouts((checking) => checkDatabase(checking, checking.db(databaseName)), {
        serverSelectionTimeoutMS: Math.min(CHECK_SELECTION_MS, Math.ceil(timeoutMs / 2)),
      }),
    checkDataVersion: () => assertKnownVersion(db),
    async close() {
      availability.close();
      records?.close();
      // The driver first ends its sessions, and waits for a reply.
      await waitAtMost(client.close(), CLOSES_WITHIN_MS);
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
 * Limits every wait: for a server or a connection to half the time of a request, for a reply to all of it. The driver
 * retries a read or write once, so a request that meets an election still ends in time.
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
