import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { start } from '../../src/process/start.ts';
import { type BuiltProgram, buildGateway } from '../support/build-program.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { openDatabase } from '../support/faulty-gateway.ts';
import { freshDatabaseName } from '../support/store.ts';

// Starts whole processes and prepares databases; the machine may be busy.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const API_KEY = 'signals-api-key';

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildGateway();
});
afterAll(() => program.remove());

let folder: string;
let proxy: FaultProxy;
const cleanups: Array<() => Promise<unknown>> = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colloquy-signals-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  const database = await openDatabase();
  cleanups.push(() => database.close());
  proxy = await startFaultProxy(database.target);
  cleanups.push(() => proxy.close());
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const settings = (env: Record<string, string>) => ({
  API_KEY,
  PORT: '0',
  DATA_DIR: folder,
  LOG_LEVEL: 'info',
  NODE_ENV: 'test',
  RATE_LIMITS: 'off',
  DATABASE_TIMEOUT_MS: '60000',
  MONGODB_URI: proxy.uri.replace('/?', `/${freshDatabaseName()}?`),
  ...env,
});

interface Running {
  child: ChildProcess;
  url: string;
  /** Ids of the processes that listen. */
  listening: Set<string>;
  /** Output that is not a log line. */
  errors: string[];
  ended: Promise<unknown[]>;
}

/** Starts the program as the leader of a new process group, as a terminal or a supervisor does. */
async function run(env: Record<string, string>): Promise<Running> {
  const child = spawn(process.execPath, [join(program.folder, 'main.js')], {
    env: { ...process.env, ...settings(env) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const ended = once(child, 'exit');
  cleanups.push(async () => {
    if (child.exitCode === null && child.signalCode === null) signalGroup(child, 'SIGKILL');
    await ended;
  });
  const errors: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  const listening = new Set<string>();
  const url = await new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /Server listening at (http:[^"]+)/.exec(line)?.[1];
      if (!found) return;
      listening.add(/"pid":(\d+)/.exec(line)![1]!);
      resolve(found);
    });
  });
  return { child, url, listening, errors, ended };
}

const signalGroup = ({ pid }: ChildProcess, signal: NodeJS.Signals) => process.kill(-pid!, signal);

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

describe.each(['1', '2'])('a signal to the whole group, WORKERS=%s', (WORKERS) => {
  it('finishes a request in progress', async () => {
    const { child, url, errors, ended } = await run({ WORKERS });
    await expect.poll(() => isReady(url), { timeout: 120_000, interval: 100 }).toBe(true);
    let isQueried = false;
    proxy.answer((command) => {
      if (command === 'find') isQueried = true;
      return null;
    });
    proxy.set({ delayMs: 1_500 });
    const answer = fetch(`${url}/api/v5/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': API_KEY },
      body: JSON.stringify({ userId: 'newcomer', deviceId: 'd' }),
    });
    await expect.poll(() => isQueried, { timeout: 60_000, interval: 20 }).toBe(true);
    signalGroup(child, 'SIGTERM');
    const { status, headers } = await answer;
    expect([status, headers.get('connection')]).toEqual([200, 'close']);
    expect(await ended).toEqual([0, null]);
    expect(errors).toEqual([]);
  });

  it('ends a gateway that waits for the database, without an error', async () => {
    await proxy.refuse();
    const { child, listening, errors, ended } = await run({ WORKERS });
    // The second worker is started once the first one has reported that it listens.
    await expect.poll(() => listening.size, { timeout: 60_000 }).toBe(Number(WORKERS));
    signalGroup(child, 'SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(errors).toEqual([]);
  });
});

it.each(['1', '2'])(
  'a signal as soon as the log says that the gateway listens ends it, WORKERS=%s',
  async (WORKERS) => {
    const { child, errors, ended } = await run({ WORKERS });
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(errors).toEqual([]);
  },
);

it('a signal while the first worker prepares the embedded store ends the gateway without an error', async () => {
  const secrets = { SERVER_KEY: 'a1b2c3d4'.repeat(8), TOKEN_SECRET: 'b1c2d3e4'.repeat(8) };
  const production = settings({ WORKERS: '2', NODE_ENV: 'production', SECURE_MODE: 'false', ...secrets });
  const { MONGODB_URI: _, ...embedded } = { ...process.env, ...production };
  const child = spawn(process.execPath, [join(program.folder, 'main.js')], { env: embedded, stdio: 'pipe' });
  cleanups.push(async () => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const errors: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  // The worker logs warnings about its settings before it prepares the store.
  await Promise.race([once(child.stdout, 'data'), ended]);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(errors).toEqual([]);
});

it('ends despite a connection without requests', async () => {
  const gateway = await start(readConfig(settings({ LOG_LEVEL: 'silent', DATABASE_TIMEOUT_MS: '1000' })));
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  cleanups.push(async () => socket.destroy());
  await once(socket, 'connect');
  await gateway.close();
});
