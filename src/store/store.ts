import { type ClientSession, type Db, MongoClient } from 'mongodb';
import { bindCollections, type Collections, createIndexes } from './collections.ts';
import { createFind } from './find.ts';
import { type Batchers, createBatchers } from './loaders.ts';

/** The open database: the only way any other part reaches data. */
export interface Store {
  client: MongoClient;
  db: Db;
  collections: Collections;
  batchers: Batchers;
  /**
   * Runs `work` in one transaction and retries it as a whole on a transient conflict, so `work` must only change the
   * database. Resolves once the commit is durable.
   */
  transaction<Result>(work: (session: ClientSession) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export interface StoreOptions {
  uri: string;
  /** @default the database of the URI, or `colloquy` */
  databaseName?: string | undefined;
  /** Whether command events are emitted; costs a third of every command. @default false */
  monitorCommands?: boolean | undefined;
  /** Milliseconds to wait for a server. @default 10_000 */
  serverSelectionTimeoutMs?: number | undefined;
}

/** Connects and creates missing indexes. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const client = new MongoClient(options.uri, {
    appName: 'colloquy',
    maxPoolSize: 64,
    monitorCommands: options.monitorCommands ?? false,
    serverSelectionTimeoutMS: options.serverSelectionTimeoutMs ?? 10_000,
    writeConcern: { w: 'majority' },
    readConcern: { level: 'majority' },
    ignoreUndefined: true,
  });
  try {
    await client.connect();
    const db = client.db(options.databaseName ?? databaseOf(options.uri));
    await createIndexes(db);
    const collections = bindCollections(db);
    return {
      client,
      db,
      collections,
      batchers: createBatchers(createFind(db)),
      transaction: (work) => client.withSession((session) => session.withTransaction(() => work(session))),
      close: () => client.close(),
    };
  } catch (error) {
    await client.close().catch(() => undefined);
    throw error;
  }
}

function databaseOf(uri: string): string {
  const name = /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]+)/.exec(uri)?.[1];
  return name ? decodeURIComponent(name) : 'colloquy';
}
