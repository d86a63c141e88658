import { MongoClient } from 'mongodb';
import { Failure } from './command.ts';

export interface Connection {
  client: MongoClient;
  /** The database of the URI, or the one that was asked for. */
  databaseName: string;
  /** For people, without what the URI says in confidence. */
  name: string;
}

export const DEFAULT_DATABASE = 'colloquy';

/** Connects to the server that MONGODB_URI names. @throws Failure when nobody answers */
export async function connect(uri: string, database: string | undefined): Promise<Connection> {
  const client = new MongoClient(uri, {
    appName: 'colloquy-store',
    serverSelectionTimeoutMS: 15_000,
    writeConcern: { w: 'majority' },
    readConcern: { level: 'majority' },
    readPreference: 'primary',
  });
  const name = `mongodb://${client.options.hosts.join(',') || client.options.srvHost}`;
  try {
    await client.connect();
  } catch (error) {
    await client.close().catch(() => undefined);
    throw new Failure(`${name} does not answer: ${error instanceof Error ? error.message : String(error)}`);
  }
  return { client, databaseName: database ?? databaseOf(uri) ?? DEFAULT_DATABASE, name };
}

function databaseOf(uri: string): string | undefined {
  const name = /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]+)/.exec(uri)?.[1];
  return name && decodeURIComponent(name);
}
