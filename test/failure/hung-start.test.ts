import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { type EmbeddedStore, startEmbeddedStore } from '../../src/embedded/index.ts';
import { superviseEmbeddedStore } from '../../src/process/embedded-supervisor.ts';

/** Holds the write lock of the store until it is killed. */
const LOCK_HOLDER = `
  const { open } = require('lmdb');
  const root = open({ path: process.argv[1], noSubdir: true, keyEncoding: 'binary', encoding: 'binary' });
  root.transactionSync(() => {
    require('node:fs').writeSync(1, 'held');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;

test('the supervisor of the embedded store closes while a restart hangs, and closes the store that starts late', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-hung-'));
  const stores: EmbeddedStore[] = [];
  const restarts: string[] = [];
  const supervisor = await superviseEmbeddedStore({
    store: { folder, durability: 'memory' },
    onGivenUp: () => undefined,
    onRestart: (message) => void restarts.push(message),
    onStarted: (store) => void stores.push(store),
  });
  const holder = spawn(process.execPath, ['-e', LOCK_HOLDER, join(folder, 'store.mdb')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  await stores[0]!.kill();
  await vi.waitUntil(() => restarts.length === 1, { timeout: 30_000 });
  const closing = supervisor.close().then(() => 'closed');
  // The restart is given up after 30 s.
  const late = new Promise((resolve) => setTimeout(resolve, 25_000, 'still waiting'));
  expect(await Promise.race([closing, late])).toBe('closed');

  holder.kill('SIGKILL');
  await once(holder, 'exit');
  // The folder is unlocked once the late store has been closed.
  await vi.waitUntil(
    () =>
      startEmbeddedStore({ folder, durability: 'memory' })
        .then((store) => store.close())
        .then(
          () => true,
          () => false,
        ),
    { timeout: 30_000, interval: 200 },
  );
  // The store that starts late may still write to it.
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}, 180_000);
