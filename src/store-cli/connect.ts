import { MongoClient } from 'mongodb';
import { CliError } from './command.ts';

export interface Connection {
  client: MongoClient;
  /** The requested database, else the one of the URI, else the default. */
  databaseName: string;
  /** The hosts for messages, without the credentials of the URI. */
  name: string;
}

export const DEFAULT_DATABASE = 'colloquy';

/** Connects to the server of a MongoDB URI. @throws CliError when the server does not answer */
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
    throw new CliError(`${name} does not answer: ${error instanceof Error ? error.message : String(error)}`);
  }
  return { client, databaseName: database ?? databaseOf(uri) ?? DEFAULT_DATABASE, name };
}

function databaseOf(uri: string): string | undefined {
  const name = /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]+)/.exec(uri)?.[1];
  return name && decodeURIComponent(name);
}
