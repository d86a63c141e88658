import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { ConfigError, readConfig } from '../../src/config.ts';
import { start } from '../../src/process/start.ts';
import { type BuiltProgram, buildGateway } from '../support/build-program.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

// The tests start processes, possibly on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const SECRETS = { API_KEY: 'production-key', SERVER_KEY: 's'.repeat(32), TOKEN_SECRET: 't'.repeat(32) };

const ROOT = join(import.meta.dirname, '..', '..');

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildGateway();
});
afterAll(() => program.remove());

/** Runs the program until it exits. */
async function runMain(env: Record<string, string>): Promise<{ code: number | null; stderr: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-production-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const child = spawn(process.execPath, [join(program.folder, 'main.js')], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: folder, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return { code, stderr };
}

/** The log of the program until it listens. */
async function logOfStart(env: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-production-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const child = spawn(process.execPath, [join(program.folder, 'main.js')], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: folder, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  let log = '';
  for await (const chunk of child.stdout) {
    log += chunk;
    if (/Server listening|EADDR/.test(log)) break;
  }
  child.kill('SIGTERM');
  await ended;
  return log;
}

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ NODE_ENV: 'production', SECURE_MODE: 'true', ...SECRETS });
});
afterAll(() => gateway.close());

describe('in production', () => {
  test('rejects generated secrets, and names the settings to provide', async () => {
    const config = readConfig({
      NODE_ENV: 'production',
      SECURE_MODE: 'true',
      API_KEY: SECRETS.API_KEY,
      DATA_DIR: '/nonexistent',
    });
    await expect(start(config)).rejects.toThrow(ConfigError);
    await expect(start(config)).rejects.toThrow('SERVER_KEY, TOKEN_SECRET');
  });

  test.each(['1', '2'])('rejects a missing SECURE_MODE, and explains both values, with WORKERS=%s', async (WORKERS) => {
    const { code, stderr } = await runMain({ NODE_ENV: 'production', ...SECRETS, WORKERS });
    expect(code).toBe(1);
    expect(stderr).toMatch(/SECURE_MODE: set it to true or false/);
    expect(stderr).toMatch(/ true +\S.*authToken/);
    expect(stderr).toMatch(/ false +\S.*API_KEY.*any user/);
    expect(stderr).not.toMatch(/^ +at /m);
  });

  test('names every missing setting in one message', async () => {
    const config = readConfig({ NODE_ENV: 'production', DATA_DIR: '/nonexistent' });
    await expect(start(config)).rejects.toThrow(/API_KEY, SERVER_KEY, TOKEN_SECRET.*SECURE_MODE/s);
  });

  test('logs a warning when SECURE_MODE=false', async () => {
    const log = await logOfStart({ NODE_ENV: 'production', SECURE_MODE: 'false', ...SECRETS });
    expect(log).toMatch(/"level":40[^\n]*SECURE_MODE is false: anyone who knows API_KEY can sign in as any user/);
  });

  test('with SECURE_MODE=true, rejects a sign-in with only the API key', async () => {
    await gateway.tokenOf('victim');
    for (const path of ['/api/v3/sessions', '/api/v4/sessions', '/api/v5/sessions']) {
      const body = { userId: 'victim', deviceId: 'other' };
      const headers = { 'x-api-key': SECRETS.API_KEY };
      const refused = await gateway.rest(path, { as: null, method: 'POST', headers, body });
      expect([path, refused.status, refused.body.message]).toEqual([path, 401, 'An authToken is required.']);
    }
  });

  test('rejects introspection over POST and GET', async () => {
    for (const query of [
      '{ __schema { types { name } } }',
      '{ __type(name: "User") { name } }',
      '{ ...F } fragment F on Query { ... on Query { __schema { queryType { name } } } }',
    ]) {
      const { data, errors } = await gateway.graphql(query);
      expect(data ?? null).toBeNull();
      expect(errors).toHaveLength(1);
      const byGet = await fetch(`${gateway.url}/graphql?query=${encodeURIComponent(query)}`);
      expect(JSON.stringify(await byGet.json())).not.toContain('"types"');
    }
  });

  test('suggests no schema names for misspelled fields', async () => {
    for (const word of ['userIdd', 'emial', 'displayNam', 'viewerr']) {
      const { errors } = await gateway.graphql(`{ viewer { ${word} } ${word} }`);
      expect(JSON.stringify(errors)).not.toMatch(/Did you mean/);
    }
    const { errors } = await gateway.graphql('{ post(postIdd: "x") { postId } }');
    expect(JSON.stringify(errors)).not.toMatch(/Did you mean/);
  });

  test('suggests no schema names for invalid variables', async () => {
    for (const [query, variables] of [
      ['mutation ($i: FlagPostInput!) { flagPost(input: $i) { __typename } }', { i: { postIdd: 'x', postId: 'x' } }],
      ['query ($s: PostSort) { contentFeed(sortBy: $s) { edges { cursor } } }', { s: 'LAST_CREATEDD' }],
    ] as const) {
      for (let time = 0; time < 3; time += 1) {
        const { errors } = await gateway.graphql(query, { variables });
        expect(errors?.length).toBeGreaterThan(0);
        expect(JSON.stringify(errors)).not.toMatch(/Did you mean/);
      }
    }
  });

  test('serves documentation only with API_DOCS=on', async () => {
    for (const path of ['/docs', '/docs/', '/docs/events', '/docs/json', '/openapi.json', '/asyncapi.json']) {
      expect([path, (await fetch(`${gateway.url}${path}`)).status]).toEqual([path, 404]);
    }
    const page = await (await fetch(gateway.url)).text();
    expect([...page.matchAll(/href="([^"]+)"/g)].map(([, path]) => path)).toEqual(['/admin', '/healthz', '/readyz']);
    const open = await startTestGateway({ NODE_ENV: 'production', SECURE_MODE: 'true', ...SECRETS, API_DOCS: 'on' });
    expect((await fetch(`${open.url}/openapi.json`)).status).toBe(200);
    await open.close();
  });

  test('does not serve GraphiQL', async () => {
    const response = await fetch(`${gateway.url}/graphql`, { headers: { accept: 'text/html' } });
    expect(await response.text()).not.toContain('GraphiQL');
  });
});
