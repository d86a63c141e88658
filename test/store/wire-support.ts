import { type Document, Long, UUID } from 'bson';
import { MongoClient } from 'mongodb';
import { expect } from 'vitest';
import type { EmbeddedStoreOptions } from '../../src/embedded/index.ts';
import { freshDatabaseName } from '../support/store.ts';
import { startEngine } from './engine-support.ts';
import { connectRaw, type RawClient } from './raw-client.ts';

/** An empty database on the server under test: a real MongoDB if `MONGODB_URI` is set, else the embedded store. */
export interface WireStore {
  uri: string;
  db: string;
  client: MongoClient;
  raw: RawClient;
  close(): Promise<void>;
}

export async function openWireStore(options: Partial<EmbeddedStoreOptions> = {}): Promise<WireStore> {
  const { MONGODB_URI } = process.env;
  const engine = MONGODB_URI ? undefined : await startEngine(options);
  const uri = engine?.uri ?? MONGODB_URI!;
  const db = freshDatabaseName();
  const client = await MongoClient.connect(uri);
  const raw = connectRaw(uri);
  return {
    uri,
    db,
    client,
    raw,
    async close() {
      raw.close();
      await client.db(db).dropDatabase();
      await client.close();
      await engine?.close();
    },
  };
}

/** The `lsid` field of commands in one session. */
export type SessionId = { id: UUID };

export const newSession = (): SessionId => ({ id: new UUID() });

/** The fields of a retryable write: a write sent again with the same number must not run again. */
export const numbered = (lsid: SessionId, number: number, command: Document): Document => ({
  ...command,
  lsid,
  txnNumber: Long.fromNumber(number),
});

/** A command within a transaction. */
export const within = (lsid: SessionId, number: number, command: Document): Document => ({
  ...numbered(lsid, number, command),
  autocommit: false,
});

/** The command that starts a transaction. */
export const starting = (lsid: SessionId, number: number, command: Document): Document => ({
  ...within(lsid, number, command),
  startTransaction: true,
});

export function expectOk(reply: Document): Document {
  expect(reply).toMatchObject({ ok: expect.objectContaining({ value: 1 }) });
  return reply;
}

/** Code and labels of an error reply. */
export const failureOf = ({ code, errorLabels }: Document): Document => ({
  code: Number(code),
  ...(errorLabels && { errorLabels }),
});

export const TRANSIENT = { errorLabels: ['TransientTransactionError'] };
