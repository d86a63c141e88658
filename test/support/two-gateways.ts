import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { startEmbeddedStore } from '../../src/embedded/index.ts';
import { start } from '../../src/start.ts';
import { signIn, startTestGateway, type TestGateway } from './gateway.ts';

/** Two gateways over one store, which take no turns with each other. */
export interface TwoGateways {
  first: TestGateway;
  /** Asks one gateway and the other by turns, as a user who is signed in once. */
  ask(as: string, query: string, variables: object): Promise<Answer>;
  close(): Promise<void>;
}

export interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
  data: any;
  errors?: Array<{ message: string }>;
}

export async function startTwoGateways(): Promise<TwoGateways> {
  const database = await openDatabase();
  const first = await startTestGateway({ MONGODB_URI: database.uri });
  const { config, store } = first.services;
  const given = Object.entries(config).filter(([, value]) => value !== undefined);
  const plain = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
  const second = await start(readConfig({ ...plain, ...first.keys, PORT: '0' }), {
    databaseName: store.db.databaseName,
  });
  await second.prepared;
  const tokens = new Map<string, Promise<string>>();
  let asked = 0;
  return {
    first,
    async ask(as, query, variables) {
      asked += 1;
      const { url } = asked % 2 === 0 ? first : second;
      const token = tokens.get(as) ?? signIn(first, as);
      tokens.set(as, token);
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${await token}` },
        body: JSON.stringify({ query, variables }),
      });
      return (await response.json()) as Answer;
    },
    async close() {
      await second.close();
      await first.close();
      await database.close();
    },
  };
}

/** The server that `MONGODB_URI` names, or an embedded store of the test's own. */
async function openDatabase(): Promise<{ uri: string; close(): Promise<void> }> {
  const { MONGODB_URI } = process.env;
  if (MONGODB_URI) return { uri: MONGODB_URI, close: async () => undefined };
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-two-'));
  const store = await startEmbeddedStore({ folder, durability: 'memory', refuseUnindexed: true });
  return {
    uri: store.uri,
    async close() {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
