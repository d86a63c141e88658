import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { ConfigError, readConfig } from '../../src/config.ts';
import { type Started, start } from '../../src/process/start.ts';
import { type BuiltProgram, buildGateway } from '../support/build-program.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { openDatabase } from '../support/faulty-gateway.ts';
import { freshDatabaseName } from '../support/store.ts';

// Starts whole processes; the machine may be busy.
vi.setConfig({ testTimeout: 240_000 });

const ROOT = join(import.meta.dirname, '..', '..');

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildGateway();
});
afterAll(() => program.remove());

const cleanups: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-refused-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs the program until it exits. */
async function runMain(env: Record<string, string>): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [join(program.folder, 'main.js')], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  cleanups.push(async () => void child.kill('SIGKILL'));
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code, stdout, stderr };
}

test.each(['1', '2'])('a start whose port is in use leaves nothing behind, WORKERS=%s', async (WORKERS) => {
  const taken = createServer().listen(0, '127.0.0.1');
  cleanups.push(async () => void taken.close());
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const folder = await newFolder();
  const { code, stderr } = await runMain({ PORT: String(port), DATA_DIR: folder, WORKERS });
  expect([code, stderr.trim()]).toEqual([1, `Port ${port} is in use: set PORT to another one.`]);
  expect(await readdir(folder)).toEqual([]);
});

/** Starts with a DATA_DIR in a folder that contains a file, a folder that is read-only, and unreadable keys. */
async function refusedBy(name: string, line: RegExp): Promise<void> {
  const folder = await newFolder();
  await writeFile(join(folder, 'file'), '');
  for (const below of ['open', 'closed']) await mkdir(join(folder, below));
  await writeFile(join(folder, 'open', 'keys.json'), '{}', { mode: 0o000 });
  await chmod(join(folder, 'closed'), 0o500);
  for (const WORKERS of ['1', '2']) {
    const { code, stderr } = await runMain({ PORT: '0', DATA_DIR: join(folder, name), WORKERS });
    expect([code, stderr.trim()]).toEqual([1, expect.stringMatching(line)]);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  }
}

test.each([
  ['below a file', 'file/data', /^DATA_DIR: \S+\/file\/data cannot be created: a part of the path is a file\. /],
  ['a file', 'file', /^DATA_DIR: \S+\/file cannot be created: it is a file\. /],
])('a DATA_DIR that is %s ends with one line that says why', (_, name, line) => refusedBy(name, line));

// Root may read and write everywhere.
test.skipIf(process.getuid?.() === 0).each([
  ['below', 'closed/data', /^DATA_DIR: \S+\/closed\/data cannot be created: permission denied\. /],
  ['with keys of', 'open', /^DATA_DIR: \S+\/open\/keys\.json cannot be read: permission denied\. /],
])('a DATA_DIR %s a folder of another user ends with one line that says why', (_, name, line) => refusedBy(name, line));

test.skipIf(process.platform !== 'linux')('a DATA_DIR in /proc ends with a message', async () => {
  const { code, stderr } = await runMain({ PORT: '0', DATA_DIR: '/proc/colloquy' });
  const reason = 'this file system takes no folders. Name a folder that this user may write.';
  expect([code, stderr.trim()]).toEqual([1, `DATA_DIR: /proc/colloquy cannot be created: ${reason}`]);
});

describe('a second network in one database', () => {
  const KEYS = { API_KEY: 'api-key-of-one', SERVER_KEY: 'server-key-of-network-one' };
  const OTHER = { API_KEY: 'api-key-of-two', SERVER_KEY: 'server-key-of-network-two' };

  async function database() {
    const opened = await openDatabase();
    cleanups.push(() => opened.close());
    const databaseName = freshDatabaseName();
    const proxy = await startFaultProxy(opened.target);
    cleanups.push(() => proxy.close());
    const uri = proxy.uri.replace('/?', `/${databaseName}?`);
    const settings = async (network: string, keys: typeof KEYS) => ({
      PORT: '0',
      DATA_DIR: await newFolder(),
      LOG_LEVEL: 'silent',
      NODE_ENV: 'test',
      MONGODB_URI: uri,
      NETWORK_ID: network,
      ...keys,
    });
    const begin = async (network: string, keys: typeof KEYS): Promise<Started> => {
      const started = await start(readConfig(await settings(network, keys)), { databaseName });
      cleanups.push(() => started.close());
      return started;
    };
    return { settings, begin };
  }

  test.each([
    ['API_KEY', { ...OTHER, API_KEY: KEYS.API_KEY }],
    ['SERVER_KEY', { ...OTHER, SERVER_KEY: KEYS.SERVER_KEY }],
  ])('under the same %s ends with a message that names the setting, and never listens', async (setting, keys) => {
    const { settings, begin } = await database();
    const first = await begin('one', KEYS);
    await first.prepared;
    const { code, stdout, stderr } = await runMain({ ...(await settings('two', keys)), LOG_LEVEL: 'info' });
    expect(code).toBe(1);
    expect(stdout).not.toContain('Server listening');
    expect(stderr).toMatch(new RegExp(`^${setting}: this key belongs to network 'one' of the same database`));
    expect(stderr).toContain(`Set another ${setting} for network 'two', or NETWORK_ID=one`);
    expect(stderr).not.toMatch(/E11000|^ +at /m);
    // The first network is unchanged.
    const { url } = first;
    const session = { method: 'POST', headers: { 'content-type': 'application/json', 'x-api-key': KEYS.API_KEY } };
    const body = JSON.stringify({ userId: 'u', deviceId: 'd' });
    expect((await fetch(`${url}/api/v5/sessions`, { ...session, body })).status).toBe(200);
  });

  test('with other keys is served next to the first', async () => {
    const { begin } = await database();
    for (const started of [await begin('one', KEYS), await begin('two', OTHER)]) await started.prepared;
  });

  test('with the same keys at the same moment: one gateway serves, the other exits with that message', async () => {
    const { begin } = await database();
    const prepared = async (network: string) => (await begin(network, KEYS)).prepared;
    const outcomes = await Promise.allSettled([prepared('one'), prepared('two')]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const failed = outcomes.find((outcome) => outcome.status === 'rejected')!;
    expect(failed.reason).toBeInstanceOf(ConfigError);
    expect(failed.reason.message).toMatch(/^(API|SERVER)_KEY: this key belongs to network '(one|two)'/);
  });

  test('of the same name: gateways that start concurrently all serve', async () => {
    const { begin } = await database();
    const all = await Promise.all(Array.from({ length: 4 }, () => begin('one', KEYS)));
    await Promise.all(all.map(({ prepared }) => prepared));
  });
});
