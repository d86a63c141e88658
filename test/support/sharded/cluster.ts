import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MongoClient, MongoServerError } from 'mongodb';
import { freePort } from '../free-port.ts';
import { killShards, readShards } from './shards.ts';

export interface ShardedCluster {
  /** The router. */
  uri: string;
  stop(): Promise<void>;
}

const MISSING = `The sharded tests need a sharded cluster of MongoDB 7.0 with two shards. Set one of:
  MONGODB_URI      the router (mongos) of a cluster that only tests use; shards on this machine are killed and restarted
  SHARDED_CLUSTER  a program that starts and stops one on this machine: \`PROGRAM start FOLDER PORT\` starts a config
                   server, two shards and a router on PORT and the ports after it, and prints the URI of the router as its
                   last line; \`PROGRAM stop FOLDER\` ends them. FOLDER is SHARDED_CLUSTER_FOLDER (default:
                   colloquy-sharded-cluster in the temporary folder) and is kept for the next run.`;

/** How often all shards write a note to their logs, see {@link keepLogsMoving}. */
const NOTE_MS = 500;

/** Uses the cluster of `MONGODB_URI`, or starts one with the program of `SHARDED_CLUSTER`. */
export async function startShardedCluster(env: NodeJS.ProcessEnv = process.env): Promise<ShardedCluster> {
  const { MONGODB_URI, SHARDED_CLUSTER } = env;
  if (MONGODB_URI) return prepareCluster(MONGODB_URI, async () => undefined);
  if (!SHARDED_CLUSTER) throw new Error(MISSING);
  const folder = env.SHARDED_CLUSTER_FOLDER ?? join(tmpdir(), 'colloquy-sharded-cluster');
  const call = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)(SHARDED_CLUSTER, args, { timeout: 600_000 })).stdout.trim();
  const uri = (await call('start', folder, String(await freePort()))).split('\n').at(-1)!;
  return prepareCluster(uri, async () => {
    // Shards that a test restarted are no children of the program.
    const shards = await readShards(uri);
    await call('stop', folder);
    killShards(shards);
  });
}

async function prepareCluster(uri: string, stop: () => Promise<void>): Promise<ShardedCluster> {
  const client = await MongoClient.connect(uri);
  const admin = client.db('admin');
  const { shards } = await admin.command({ listShards: 1 }).catch((error: unknown) => {
    throw error instanceof MongoServerError ? new Error(`${MISSING}\n${uri} is not a router.`) : error;
  });
  if (shards.length < 2) throw new Error(`${MISSING}\n${uri} has ${shards.length} shard.`);
  // Tests place the chunks themselves.
  await admin.command({ balancerStop: 1 });
  const stopNotes = keepLogsMoving(client);
  return {
    uri,
    async stop() {
      stopNotes();
      await client.close();
      await stop();
    },
  };
}

/**
 * Appends a note to the logs of all shards twice a second, as `periodicNoopIntervalSecs` does in a cluster. A change
 * stream returns an event once every shard has reached its time: with the default of 10 s, tests would wait for idle
 * shards.
 */
function keepLogsMoving(client: MongoClient): () => void {
  let isEnded = false;
  let timer: NodeJS.Timeout;
  const append = async (): Promise<void> => {
    // While a test has stopped a shard, this fails.
    await client
      .db('admin')
      .command({ appendOplogNote: 1, data: { from: 'tests' } })
      .catch(() => undefined);
    if (!isEnded) timer = setTimeout(append, NOTE_MS);
  };
  timer = setTimeout(append, NOTE_MS);
  return () => {
    isEnded = true;
    clearTimeout(timer);
  };
}
