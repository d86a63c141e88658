import { mkdtemp, rm } from 'node:fs/promises';
import type { NetConnectOpts } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { type EmbeddedStore, type EmbeddedStoreOptions, startEmbeddedStore } from '../../src/embedded/index.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { startTestGateway, type TestGateway } from './gateway.ts';

export interface Database {
  /** Address on which it listens. */
  target: NetConnectOpts;
  close(): Promise<void>;
}

/** A separate embedded store, or the server that `MONGODB_URI` names: the primary, or a router of a sharded cluster. */
export async function openDatabase(
  options: Pick<EmbeddedStoreOptions, 'transactionLifetimeMs'> = {},
): Promise<Database> {
  const { MONGODB_URI } = process.env;
  if (MONGODB_URI) return { target: await primaryOf(MONGODB_URI), close: async () => undefined };
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-failure-'));
  const store = await startEmbeddedStore({ folder, durability: 'memory', refuseUnindexed: true, ...options });
  return {
    target: { path: socketOf(store) },
    async close() {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function socketOf({ uri }: Pick<EmbeddedStore, 'uri'>): string {
  return decodeURIComponent(/^mongodb:\/\/([^/?]+)/.exec(uri)![1]!);
}

async function primaryOf(uri: string): Promise<NetConnectOpts> {
  const client = await MongoClient.connect(uri);
  const { primary, me } = await client.db('admin').command({ hello: 1 });
  await client.close();
  const [host, port] = String(primary ?? me ?? client.options.hosts[0]).split(':');
  return { host: host!, port: Number(port) };
}

export interface FaultyGateway {
  gateway: TestGateway;
  proxy: FaultProxy;
  close(): Promise<void>;
}

/** A gateway with the sample network, and a proxy in front of its database that injects faults. */
export async function startFaultyGateway(env: Record<string, string> = {}): Promise<FaultyGateway> {
  // A transaction whose commit never arrives holds its locks until its lifetime ends.
  const database = await openDatabase({ transactionLifetimeMs: 2_000 });
  const proxy = await startFaultProxy(database.target);
  const gateway = await startTestGateway({ MONGODB_URI: proxy.uri, LOG_LEVEL: 'silent', ...env });
  return {
    gateway,
    proxy,
    async close() {
      proxy.set('none');
      await gateway.close();
      await proxy.close();
      await database.close();
    },
  };
}
