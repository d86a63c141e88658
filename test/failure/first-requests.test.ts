import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, realpathSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type BuiltProgram, buildRelease } from '../support/build-program.ts';
import { residentMappings } from '../support/resident-mappings.ts';
import { spawnGateway } from '../support/spawn-gateway.ts';

// Builds and starts a process; the machine may be busy.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const SECRETS = {
  API_KEY: 'first-requests-api-key',
  SERVER_KEY: 'first-requests-server-key',
  TOKEN_SECRET: 'first-requests-token-secret-of-32-characters',
};

/** Resident memory; later versions of Node.js use more. */
const MAX_MB = process.versions.node.startsWith('20.') ? 160 : 200;
/** Of Node's program, of which a start reads 45 MB. */
const MAX_PROGRAM_MB = 32;

let built: BuiltProgram;
beforeAll(async () => {
  built = await buildRelease();
});
afterAll(() => built.remove());

const cleanups: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Starts the built gateway on its own store and waits until it is ready. */
async function startGateway(env: Record<string, string>): Promise<{ url: string; pid: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-first-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  const settings = { LOG_LEVEL: 'error', ...SECRETS, ...env, DATA_DIR: folder };
  const { url, child, kill } = await spawnGateway({ file: join(built.folder, 'main.js'), env: settings });
  cleanups.push(kill);
  return { url, pid: child.pid! };
}

function track(child: ChildProcess): ChildProcess {
  const ended = once(child, 'exit');
  cleanups.push(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return child;
}

/** Processes that compete with the gateway for the processors. */
function keepProcessorsBusy(): void {
  for (let index = 0; index < 3; index += 1) track(spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
}

test('serves concurrent first requests after it is ready, on a busy machine', async () => {
  keepProcessorsBusy();
  const { url } = await startGateway({});
  const signIn = await fetch(`${url}/api/v5/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': SECRETS.API_KEY },
    body: JSON.stringify({ userId: 'alice', deviceId: 'first' }),
  });
  expect(signIn.status).toBe(200);
  const { accessToken } = (await signIn.json()) as { accessToken: string };
  const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
  const query =
    '{ community(communityId: "gardeners") { posts { edges { node { postId author { displayName } } } } } }';
  const calls = Array.from({ length: 96 }, (_, index) => {
    if (index % 3 === 0) return fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
    return fetch(`${url}${index % 3 === 1 ? '/api/v3/posts/tomatoes' : '/api/v3/channels'}`, { headers });
  });
  const answers = await Promise.all(calls.map(async (call) => [(await call).status, await (await call).text()]));
  expect(answers.filter(([status]) => status !== 200)).toEqual([]);
});

test('serves the console that the build wrote', async () => {
  const { url } = await startGateway({ NODE_ENV: 'production', SECURE_MODE: 'false' });
  const page = await fetch(`${url}/admin`);
  expect(page.status).toBe(200);
  const assets = [...(await page.text()).matchAll(/(?:src|href)="\/admin\/assets\/([^"]+)"/g)].map(([, name]) => name!);
  expect(assets).toHaveLength(3);
  for (const name of assets) {
    const written = readFileSync(join(built.folder, 'console', 'assets', name), 'utf8');
    expect(await (await fetch(`${url}/admin/assets/${name}`)).text()).toBe(written);
  }
});

test.runIf(process.platform === 'linux')(
  'is idle once it is ready, and uses no more memory than documented',
  async () => {
    const { pid } = await startGateway({ NODE_ENV: 'production', SECURE_MODE: 'false' });
    const before = processorMs(pid);
    expect(residentMb(pid)).toBeLessThanOrEqual(MAX_MB);
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    // Enough for the change stream and a few timers, but not for compiling the documents of all routes.
    expect(processorMs(pid) - before).toBeLessThan(1_500);
    expect(residentMb(pid)).toBeLessThanOrEqual(MAX_MB);
    expect(programMb(pid)).toBeLessThan(MAX_PROGRAM_MB);
  },
);

const programMb = (pid: number): number =>
  residentMappings(pid, realpathSync(process.execPath)).reduce((sum, bytes) => sum + bytes, 0) / 1_048_576;

const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1_024;

/** Processor time of a process so far, to 10 ms. */
function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
