import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type Document, MongoClient } from 'mongodb';

/** A shard with one member, which runs on this machine. */
export interface Shard {
  name: string;
  host: string;
  pid: number;
  /** Its command line. */
  args: string[];
}

/** Reads the processes of the shards from the router. */
export async function readShards(uri: string): Promise<Shard[]> {
  const client = await MongoClient.connect(uri);
  try {
    const { shards } = await client.db('admin').command({ listShards: 1 });
    return await Promise.all(
      (shards as Array<{ _id: string; host: string }>).map(async ({ _id: name, host: hosts }) => {
        const host = hosts.replace(/^.*\//, '');
        const { pid } = await onMember(host, { serverStatus: 1 });
        const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
        return { name, host, pid: Number(pid), args };
      }),
    );
  } finally {
    await client.close();
  }
}

/** Kills a shard with SIGKILL and waits for its end. */
export async function killShard({ pid }: Shard): Promise<void> {
  process.kill(pid, 'SIGKILL');
  while (isRunning(pid)) await new Promise((later) => setTimeout(later, 50));
}

/** Restarts a killed shard on its data and port. Resolves when it is a primary. @returns the shard with its new process */
export async function restartShard(shard: Shard): Promise<Shard> {
  const [program, ...args] = shard.args;
  const child = spawn(program!, args, { detached: true, stdio: 'ignore' });
  child.unref();
  const deadline = performance.now() + 200_000;
  for (;;) {
    const isPrimary = await onMember(shard.host, { hello: 1 }).then(
      ({ isWritablePrimary }) => isWritablePrimary,
      () => false,
    );
    if (isPrimary) return { ...shard, pid: child.pid! };
    if (performance.now() > deadline) throw new Error(`${shard.name} is not a primary 200 s after its restart`);
    await new Promise((later) => setTimeout(later, 200));
  }
}

/** Kills those shards that are still running. */
export function killShards(shards: readonly Shard[]): void {
  for (const { pid } of shards) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
}

/** A zombie, whose parent has not noticed its end, does not count. */
function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z /s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

async function onMember(host: string, command: Document): Promise<Document> {
  const client = new MongoClient(`mongodb://${host}/?directConnection=true`, { serverSelectionTimeoutMS: 2_000 });
  try {
    return await client.db('admin').command(command);
  } finally {
    await client.close();
  }
}
