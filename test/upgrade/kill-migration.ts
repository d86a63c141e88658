import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished } from 'vitest';
import { type BuiltProgram, buildProgram } from '../support/build-program.ts';
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
  const program = await buildProgram({ 'migrate-process': 'test/upgrade/migrate-process.ts' });
  onTestFinished(() => program.remove());
  for (let kill = 0; kill <= kills; kill++) {
    const child = startMigrating(program, options);
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

function startMigrating(
  { folder }: BuiltProgram,
  { uri, databaseName, migration }: Omit<KillOptions, 'kills' | 'committed'>,
): ChildProcess {
  return spawn(process.execPath, [join(folder, 'migrate-process.js'), uri, databaseName, migration], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}
