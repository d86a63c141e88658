import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type BuiltProgram, buildGateway } from '../support/build-program.ts';

// Starts whole processes; the machine may be busy.
vi.setConfig({ testTimeout: 120_000 });

const ROOT = join(import.meta.dirname, '..', '..');
const PRODUCTION = {
  NODE_ENV: 'production',
  API_KEY: 'production-key',
  SERVER_KEY: 's'.repeat(32),
  TOKEN_SECRET: 't'.repeat(32),
  SECURE_MODE: 'true',
};

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildGateway();
});
afterAll(() => program.remove());

/** Starts the program and stops it if it becomes ready. */
async function run(env: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-settings-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const child = spawn(process.execPath, [join(program.folder, 'main.js')], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let log = '';
  let errors = '';
  let ready: Promise<void> | undefined;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    log += text;
    const url = /Server listening at (http:[^"]+)/.exec(log)?.[1];
    if (url !== undefined) ready ??= waitUntilReady(url).finally(() => child.kill('SIGTERM'));
  });
  const [code] = await once(child, 'close');
  await ready;
  return { code, log, errors, left: await readdir(folder) };
}

async function waitUntilReady(url: string): Promise<void> {
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { timeout: 60_000 }).toBe(200);
}

test('refuses to start in production with a misspelled storage setting, and names both', async () => {
  const { code, errors, left } = await run({ ...PRODUCTION, MONGODB_URL: 'mongodb://db1/colloquy', DATADIR: '/x' });
  expect(code).toBe(1);
  expect(errors).toContain('MONGODB_URL is not a setting: did you mean MONGODB_URI?');
  expect(errors).not.toMatch(/^ +at /m);
  expect(left).toEqual([]);
});

test('names other misspelled settings at start, and no ordinary variables', async () => {
  const ordinary = {
    HOSTNAME: 'h',
    LOGNAME: 'l',
    LANG: 'C',
    HOME: '/root',
    APP_KEY: 'x',
    NODE_OPTIONS: '',
    SERVER_PORT: '1',
    DATABASE_URL: 'postgres://x',
    KUBERNETES_SERVICE_HOST: 'k',
    npm_config_loglevel: 'x',
    XDG_DATA_DIRS: '/usr/share',
  };
  const { log, errors } = await run({
    ...PRODUCTION,
    ...ordinary,
    SERVERKEY: 'x',
    PUBLIC_URI: 'https://x.example',
    CORS_ORIGIN: '*',
    Rate_Limit: '5',
  });
  expect(log).toContain('Server listening');
  expect(errors.trim().split('\n').sort()).toEqual([
    'CORS_ORIGIN is not a setting: did you mean CORS_ORIGINS?',
    'PUBLIC_URI is not a setting: did you mean PUBLIC_URL?',
    'Rate_Limit is not a setting: did you mean RATE_LIMIT?',
  ]);
  expect(log).toMatch(/"level":40[^\n]*MONGODB_URI is not set: data is stored in the embedded store in \//);
});

test('warns in production without PUBLIC_URL, and names the address of file URLs', async () => {
  const { log } = await run({ ...PRODUCTION, HOST: '0.0.0.0' });
  expect(log).toMatch(/"level":40[^\n]*PUBLIC_URL is not set: file URLs begin with http:\/\/localhost:\d+; set it/);
  const set = await run({ ...PRODUCTION, PUBLIC_URL: 'https://community.example' });
  expect(set.log).not.toContain('PUBLIC_URL');
});

test('names a misspelled MONGODB_URI in development, and starts', async () => {
  const { log, errors } = await run({ MONGO_URL: 'mongodb://db1/colloquy', SERVERKEY: 'x', SAMPLE_DATA: 'none' });
  expect(log).toContain('Server listening');
  expect(errors).toContain('MONGO_URL is not a setting: did you mean MONGODB_URI?');
  expect(errors).toContain('SERVERKEY is not a setting: did you mean SERVER_KEY?');
});

test.each([
  ['DATABASE_URL', 'mongodb://db1/colloquy'],
  ['DATABASE_URI', 'mongodb+srv://user:secret@db1/colloquy'],
  ['MONGODB_CONNECTION_STRING', 'mongodb://db1/colloquy'],
])('%s with a MongoDB address: production refuses to start on the embedded store', async (name, value) => {
  const { code, errors, left } = await run({ ...PRODUCTION, [name]: value });
  expect(code).toBe(1);
  expect(errors).toContain(`${name} is not a setting: did you mean MONGODB_URI?`);
  expect(errors).not.toContain('secret');
  expect(left).toEqual([]);
});

test('starts in production despite similar variables of other programs', async () => {
  const { log, errors } = await run({ ...PRODUCTION, NETWORK: 'host', NETWORKID: 'x', S3_BUCKET: 'backups' });
  expect(log).toContain('Server listening');
  expect(errors.trim().split('\n').sort()).toEqual([
    'NETWORK is not a setting: did you mean NETWORK_ID?',
    'NETWORKID is not a setting: did you mean NETWORK_ID?',
    'S3_BUCKET is not a setting: did you mean BUCKET_NAME?',
  ]);
});

test('starts in production when the similar setting is explicitly empty, and names the variable', async () => {
  const { log, errors } = await run({ ...PRODUCTION, MONGODB_URI: '', DATABASE_URL: 'mongodb://db1/other' });
  expect(log).toContain('Server listening');
  expect(errors).toContain('DATABASE_URL is not a setting: did you mean MONGODB_URI?');
});
