import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { MongoBinary } from 'mongodb-memory-server';
import { freePort } from './free-port.ts';

/** A replica set with one member that only this test uses and may kill. */
export interface OwnMongod {
  uri: string;
  /** Kills the server with SIGKILL. */
  kill(): Promise<void>;
  /**
   * Restarts it on the same data and port, as a primary or, as for maintenance, without its replica set. Resolves when it
   * accepts commands.
   */
  start(as?: 'primary' | 'standalone'): Promise<void>;
  close(): Promise<void>;
}

export async function startOwnMongod(): Promise<OwnMongod> {
  const binary = await MongoBinary.getPath();
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-mongod-'));
  const port = await freePort();
  const host = `127.0.0.1:${port}`;
  let running: ChildProcess | undefined;

  async function start(as: 'primary' | 'standalone' = 'primary'): Promise<void> {
    const set = as === 'primary' ? ['--replSet', 'own'] : [];
    const args = [...set, '--dbpath', folder, '--port', String(port), '--bind_ip', '127.0.0.1'];
    const limits = ['--setParameter', 'transactionLifetimeLimitSeconds=15'];
    running = spawn(binary, [...args, ...limits], { stdio: 'ignore' });
    const client = new MongoClient(`mongodb://${host}/?directConnection=true`, { serverSelectionTimeoutMS: 120_000 });
    const admin = client.db('admin');
    await admin.command({ ping: 1 });
    if (as === 'primary')
      await admin.command({ replSetInitiate: { _id: 'own', members: [{ _id: 0, host }] } }).catch(() => undefined);
    while (!(await admin.command({ hello: 1 })).isWritablePrimary) await new Promise((later) => setTimeout(later, 200));
    await client.close();
  }

  async function kill(): Promise<void> {
    const child = running;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((exit) => child.once('exit', exit));
    child.kill('SIGKILL');
    await ended;
  }

  await start();
  return {
    uri: `mongodb://${host}/?replicaSet=own`,
    kill,
    start,
    async close() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
