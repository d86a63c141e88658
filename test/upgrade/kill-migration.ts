import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import type { KilledMigration } from './migrate-process.ts';

interface KillOptions {
  uri: string;
  databaseName: string;
  migration: KilledMigration;
  /** Processes that are killed, one after the other. */
  kills: number;
  /** Batches that each of them commits. @default 1 */
  committed?: number;
}

/**
 * Kills processes with SIGKILL in a batch of their migration, after its writes and before its commit; then lets one finish.
 */
export async function killMigration({ kills, committed = 1, ...options }: KillOptions): Promise<void> {
  for (let kill = 0; kill <= kills; kill++) {
    const child = startMigrating(options);
    const ended = once(child, 'exit');
    onTestFinished(() => void child.kill('SIGKILL'));
    const output = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
    const inBatch = async () => expect((await output.next()).value).toBe('batch');
    await inBatch();
    if (kill === kills) {
      child.stdin!.end();
      expect(await ended).toEqual([0, null]);
      return;
    }
    for (let batch = 0; batch < committed; batch++) {
      child.stdin!.write('\n');
      await inBatch();
    }
    child.kill('SIGKILL');
    await ended;
  }
}

function startMigrating({ uri, databaseName, migration }: Omit<KillOptions, 'kills' | 'committed'>): ChildProcess {
  const program = fileURLToPath(new URL('./migrate-process.ts', import.meta.url));
  return spawn(process.execPath, ['--import', 'tsx', program, uri, databaseName, migration], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}
