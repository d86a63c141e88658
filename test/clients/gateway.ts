import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BuiltProgram } from '../support/build-program.ts';
import { freePort } from '../support/free-port.ts';

/** Keys of the gateway under test. */
const KEYS = {
  API_KEY: 'key-of-the-clients',
  SERVER_KEY: 'server-key-of-the-clients',
  TOKEN_SECRET: 'secret-that-signs-the-tokens-of-the-clients',
};

export interface Gateway {
  url: string;
  apiKey: string;
  serverKey: string;
  /** Starts the process, again on the same port and data after `kill`. */
  start(): Promise<void>;
  /** Ends the process with SIGKILL. */
  kill(): Promise<void>;
  /** Ends the process and deletes its data. */
  close(): Promise<void>;
}

const START_LIMIT_MS = 120_000;

/** A gateway process with the sample network, in a separate embedded store. @param env settings beside the keys */
export async function startGateway(program: BuiltProgram, env: Record<string, string> = {}): Promise<Gateway> {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-client-data-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | null = null;
  const settings = { ...KEYS, DATA_DIR: folder, PORT: String(port), LOG_LEVEL: 'warn', CORS_ORIGINS: '*', ...env };
  const gateway: Gateway = {
    url,
    apiKey: KEYS.API_KEY,
    serverKey: KEYS.SERVER_KEY,
    async start() {
      child = spawn(process.execPath, [join(program.folder, 'main.js')], {
        env: { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: process.env.TMPDIR, ...settings },
        stdio: ['ignore', process.env.VERBOSE ? 'inherit' : 'ignore', 'inherit'],
      });
      await isReady(url, child);
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    },
    async close() {
      await gateway.kill();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  await gateway.start();
  return gateway;
}

async function isReady(url: string, child: ChildProcess): Promise<void> {
  const end = Date.now() + START_LIMIT_MS;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The gateway ended with ${child.exitCode}.`);
    const response = await fetch(`${url}/readyz`).catch(() => null);
    if (response?.ok) return;
    if (Date.now() > end) throw new Error('The gateway did not become ready.');
    await sleep(50);
  }
}
